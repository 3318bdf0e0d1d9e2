// Pictures and PDFs that no one named a place for: a folder of ours with the newest of them. Old ones go
// by themselves, because no one else knows that they are there.

import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathOutsideRoot } from "../errors.js";
import { realOfOwn } from "./roots.js";

const NAME_CHARS = 8;
/** What we made; other files are not ours to remove. */
const OWN_NAME = /^t\d+-[0-9a-f]{8}\.(?:png|jpeg|pdf)$/;
const MAX_FILES = 200;
const MAX_BYTES = 200 * 1024 * 1024;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The path of the copy. Those beyond the newest go. */
export async function keepArtifact(request: {
  readonly folder: string;
  readonly targetId: string;
  readonly ending: string;
  readonly bytes: Uint8Array;
}): Promise<string> {
  const { folder, targetId, ending, bytes } = request;
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== (await realOfOwn(folder))) throw pathOutsideRoot(folder, []);
  const path = join(folder, `${targetId}-${randomUUID().slice(0, NAME_CHARS)}.${ending}`);
  await writeFile(path, bytes, { flag: "wx" });
  await pruneArtifacts(folder, {});
  return path;
}

/** Keeps the newest files within the bounds, and with `nowMs` none that is older than a day. Never rejects. */
export async function pruneArtifacts(
  folder: string,
  { nowMs }: { readonly nowMs?: number | undefined },
): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(
    names.filter((name) => OWN_NAME.test(name)).map((name) => readFacts(join(folder, name))),
  );
  const files = found.filter((facts) => facts !== undefined);
  files.sort((one, other) => other.atMs - one.atMs);
  let bytes = 0;
  const old = files.filter((file, index) => {
    bytes += file.bytes;
    const isOld = nowMs !== undefined && nowMs - file.atMs > MAX_AGE_MS;
    // The newest stays in any case: someone is just being informed of it.
    return index > 0 && (isOld || index >= MAX_FILES || bytes > MAX_BYTES);
  });
  await Promise.all(old.map(({ path }) => rm(path, { force: true }).catch(() => undefined)));
}

async function readFacts(path: string) {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts?.isFile()) return undefined;
  return { path, bytes: facts.size, atMs: facts.mtimeMs };
}
