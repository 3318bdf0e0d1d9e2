// `clawtools state backup`: database, config and secrets of the state folder in one archive.

import { createReadStream, createWriteStream, type Dirent } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { stateDir } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { copyDatabase } from "../../../drivers/store/index.js";
import { errnoOf, isMissing } from "../../../lib/errno.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { readUsableConfig } from "../../usable-config.js";
import { formatTarHeader, tarEnd, tarPadding } from "./tar.js";

const FILE_MODE = 0o600;
const DATABASE = "state.db";
/** Everything else is a cache, a log or a lock. */
const KEPT = /^(?:exec-approvals\.json|gateway-token|tls\/[^/]+\.pem|audit\.[\w.]+)$/;
/** Rows may be added meanwhile, so the head comes first. */
const FIRST = "audit.head.json";

interface BackupFile {
  readonly name: string;
  readonly path: string;
}

export const backup: Command = {
  usage: "[FILE]",
  notes: [
    "Writes a .tar.gz (default clawtools-backup-TIME.tar.gz here) with the database, the config, the grants, the audit and the gateway's secrets. The gateway can keep running.",
    "Restore: stop the gateway, then `tar -xzf FILE -C ~/.clawtools`.",
  ],
  flags: JSON_FLAG,
  sample: "clawtools state backup backup.tar.gz",
  async run(call) {
    const folder = stateDir(call.place);
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    const file = resolve(call.place.cwd, call.words[0] ?? `clawtools-backup-${time}.tar.gz`);
    const draft = await makeDraftFolder(folder);
    try {
      const copy = join(draft, DATABASE);
      const hasDatabase = await copyDatabase(folder, copy);
      const files: BackupFile[] = [
        ...(hasDatabase ? [{ name: DATABASE, path: copy }] : []),
        ...(await listConfig(call)),
        ...(await listKept(folder)),
      ];
      await writeArchive(file, files);
      const { size } = await stat(file);
      const names = files.map(({ name }) => name);
      return show(call, { file, bytes: size, files: names }, () => [
        `Backed up ${names.length} files to ${file} (${Math.ceil(size / 1_024)} KB).`,
        "It contains secrets: keep it private.",
      ]);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  },
};

/** It is private and has room for a second database. */
async function makeDraftFolder(folder: string): Promise<string> {
  try {
    return await mkdtemp(join(folder, "backup-"));
  } catch (cause) {
    const isGone = isMissing(cause);
    const why = isGone ? "does not exist" : `cannot be written (${errnoOf(cause)})`;
    throw new ToolError(
      isGone ? "not_found" : "unavailable",
      `The state folder "${folder}" ${why}. Choose one with --state-dir.`,
      { reason: isGone ? "state_missing" : "state_unwritable", cause },
    );
  }
}

async function listConfig(call: CommandCall): Promise<BackupFile[]> {
  const { path, parts } = await readUsableConfig(call);
  if (path === undefined) return [];
  return parts.map((part) => {
    const inside = relative(dirname(path), part.path);
    const name = part.path === path ? "clawtools.json" : inside;
    return { name: name.startsWith("..") ? basename(part.path) : name, path: part.path };
  });
}

async function listKept(folder: string): Promise<BackupFile[]> {
  const entries = await readdir(folder, { recursive: false, withFileTypes: true });
  const tls = await readdir(join(folder, "tls"), { withFileTypes: true }).catch(() => []);
  const toName = (entry: Dirent) => join(relative(folder, entry.parentPath), entry.name);
  const names = [...entries, ...tls].filter((entry) => entry.isFile()).map(toName);
  return names
    .filter((name) => KEPT.test(name))
    .sort((a, b) => Number(b === FIRST) - Number(a === FIRST))
    .map((name) => ({ name, path: join(folder, name) }));
}

async function writeArchive(file: string, files: readonly BackupFile[]): Promise<void> {
  const output = createWriteStream(file, { mode: FILE_MODE, flags: "wx" });
  try {
    await pipeline(Readable.from(toArchive(files)), createGzip(), output);
  } catch (cause) {
    if (errnoOf(cause) === "EEXIST") {
      throw new ToolError("conflict", `"${file}" already exists. Choose another name.`, {
        reason: "backup_exists",
      });
    }
    await rm(file, { force: true });
    throw new ToolError("unavailable", `Cannot write "${file}" (${errnoOf(cause)}).`, {
      reason: "backup_unwritable",
      cause,
    });
  }
}

async function* toArchive(files: readonly BackupFile[]): AsyncGenerator<Uint8Array> {
  for (const { name, path } of files) {
    const { size, mtimeMs } = await stat(path);
    yield formatTarHeader({ name, size, mtimeMs, mode: FILE_MODE });
    // A growing file is cut at the size in its header.
    if (size > 0) yield* createReadStream(path, { end: size - 1 });
    yield tarPadding(size);
  }
  yield tarEnd();
}
