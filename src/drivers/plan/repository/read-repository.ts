// The repository that git would find from a folder, read without git: where it is, which settings are
// made for it by files that a call could have written, and what of it leads elsewhere.

import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { RepositoryFacts } from "../../../core/command/index.js";
import { isInside } from "../../../lib/is-inside.js";
import { readPlainFile } from "../../../lib/system/open-plain.js";
import { borrowsObjects } from "../borrowed-objects.js";
import type { ProgramPlace } from "../find-program.js";
import { findStrayLinks } from "../stray-links.js";
import { findStrayPath } from "../stray-paths.js";
import { listIndex } from "./list-index.js";
import { listForeignKeys, readConfig, readThroughLinks } from "./read-config.js";

const MAX_LINE_BYTES = 4_096;
/** A million names of usual length. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const HEAD = /^(ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/;
const GIT_FILE = /^gitdir: (.+)\n?$/;
const LINE = /^(.+)\n?$/;

/** Undefined where there is none, or one that is not understood. */
export async function readRepository(place: ProgramPlace): Promise<RepositoryFacts | undefined> {
  const { root, signal } = place;
  try {
    const found = await findRepository(place.cwd);
    if (found === undefined) return undefined;
    const { workTree, shared: gitFolder } = found;
    const settings = await readConfig(`${gitFolder}/config`);
    const keys = [...settings.map(([key]) => key), ...(await listForeignKeys(root))];
    const isSha256 = new Map(settings).get("extensions.objectformat") === "sha256";
    // What is outside of the root is refused for that.
    const isOurs = isInside(gitFolder, root) && isInside(workTree, root);
    const stray = isOurs
      ? await findStray(found, { root, hashBytes: isSha256 ? 32 : 20 })
      : undefined;
    const places = { workTree, gitFolder, keys: [...new Set(keys)].sort() };
    return stray === undefined ? places : { ...places, stray };
  } catch {
    signal.throwIfAborted();
    // Nothing is known about what cannot be read.
    return undefined;
  }
}

/** Absolute, links resolved; the folder of a linked work tree is inside of the one that it shares. */
interface FoundRepository {
  readonly workTree: string;
  readonly gitFolder: string;
  readonly shared: string;
}

async function findRepository(cwd: string): Promise<FoundRepository | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (lstatSync(`${folder}/.git`, { throwIfNoEntry: false })) return openRepository(folder);
    // A bare one, which an old git would take.
    const isBare = ["objects", "commondir"].some((name) => existsSync(`${folder}/${name}`));
    if ((isBare && existsSync(`${folder}/HEAD`)) || folder === "/") return undefined;
  }
}

/** Throws unless it is one to git too: else git would go on looking above. */
async function openRepository(workTree: string): Promise<FoundRepository | undefined> {
  const path = `${workTree}/.git`;
  const target = statSync(path).isDirectory() ? path : await readLine(path, GIT_FILE);
  const gitFolder = toReal(target, workTree);
  await readLine(`${gitFolder}/HEAD`, HEAD);
  const common = `${gitFolder}/commondir`;
  const shared = existsSync(common) ? toReal(await readLine(common, LINE), gitFolder) : gitFolder;
  for (const name of ["objects", "refs"]) accessSync(`${shared}/${name}`, constants.X_OK);
  return isInside(gitFolder, shared) ? { workTree, gitFolder, shared } : undefined;
}

function toReal(path: string, from: string): string {
  return realpathSync.native(path.startsWith("/") ? path : `${from}/${path}`);
}

async function readLine(path: string, form: RegExp): Promise<string> {
  const line = form.exec((await readPlainFile(path, MAX_LINE_BYTES))?.toString() ?? "")?.[1];
  if (line === undefined) throw new Error(`not understood: ${path}`);
  return line;
}

/** One sentence without its full stop. */
async function findStray(
  { workTree, gitFolder, shared }: FoundRepository,
  { root, hashBytes }: { readonly root: string; readonly hashBytes: number },
): Promise<string | undefined> {
  if (borrowsObjects(shared)) return "the repository takes objects from another place";
  const link = findStrayLinks(shared, root);
  if (link !== undefined) return link;
  const bytes = await readThroughLinks(`${gitFolder}/index`, MAX_INDEX_BYTES);
  const names = bytes === undefined ? [] : listIndex(bytes, hashBytes);
  return findStrayPath(names, { workTree, root });
}
