// The folders in which path tests work: a root with links, a device and files, and beside it a folder
// that nothing may touch; and a checksum of both.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ScratchTree {
  readonly place: string;
  readonly root: string;
  checksum(): { outside: string; root: string };
}

export const BEFORE = "content before\n";

/** Whoever makes it removes `place`. */
export function createScratchTree(): ScratchTree {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "paths-")));
  const root = join(place, "root");
  const outside = join(place, "outside");
  for (const folder of ["root/a/b", "root/dir", "outside/folder"]) {
    mkdirSync(join(place, folder), { recursive: true });
  }
  writeFileSync(join(root, "a.txt"), BEFORE);
  writeFileSync(join(outside, "secret"), "secret");
  symlinkSync(join(outside, "secret"), join(root, "link_file"));
  symlinkSync(outside, join(root, "link_abs_missing"));
  makeDevice(join(root, "chardev"));
  return { place, root, checksum: () => checksum(place) };
}

function checksum(place: string): { outside: string; root: string } {
  const names = readdirSync(place).filter((name) => name !== "root");
  const outside = createHash("sha256").update(names.join("\n"));
  for (const name of names) outside.update(describeTree(join(place, name)));
  const inside = createHash("sha256").update(describeTree(join(place, "root")));
  return { outside: outside.digest("hex"), root: inside.digest("hex") };
}

/** Names, kinds, modes, contents and link texts of everything below. */
function describeTree(path: string): string {
  const stats = lstatSync(path);
  const head = `${path} ${stats.mode} ${stats.isFile() ? stats.mtimeMs : ""}`;
  if (stats.isSymbolicLink()) return `${head} -> ${readlinkSync(path)}\n`;
  if (stats.isFile()) return `${head} ${readFileSync(path, "hex")}\n`;
  if (!stats.isDirectory()) return `${head}\n`;
  const children = readdirSync(path).sort();
  return `${head}\n${children.map((name) => describeTree(join(path, name))).join("")}`;
}

/** A device where this user may make one, else a named pipe. */
function makeDevice(path: string): void {
  try {
    execFileSync("mknod", [path, "c", "1", "3"], { stdio: "ignore" });
  } catch {
    execFileSync("mkfifo", [path]);
  }
}
