// Walks along a path as the system does, link by link, and remembers which links it went through.

import { lstatSync, readlinkSync } from "node:fs";
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
