// Real paths of the system: with every link resolved, and which links those were.

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const MAX_LINKS = 40;

export interface WalkedPath {
  readonly real: string;
  readonly links: readonly string[];
}

export function walkPath(path: string): WalkedPath {
  const links: string[] = [];
  const names = path.split("/").filter(Boolean);
  let real = "/";
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === "." || name === "..") {
      real = name === "." ? real : dirname(real);
      continue;
    }
    const next = join(real, name);
    if (links.length > MAX_LINKS || !isLink(next)) {
      real = next;
      continue;
    }
    links.push(next);
    const target = readlinkSync(next);
    if (isAbsolute(target)) real = "/";
    names.unshift(...target.split("/").filter(Boolean));
  }
  return { real, links };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Throws the system's error, or one that names the path. */
export function wholeRealPath(path: string): string {
  return assertWholePath(realpathSync.native(path));
}

export function assertWholePath(path: string): string {
  if (!path.includes("\uFFFD")) return path;
  throw new Error(`a name on the path ${JSON.stringify(path)} is not UTF-8`);
}
