// The folders of programs in a home, to be looked at after those of the system. The sandbox shows
// them read-only (bwrap/tool-roots.ts).

import { existsSync } from "node:fs";
import { join } from "node:path";

const NAMES = [
  ".local/bin",
  ".cargo/bin",
  ".bun/bin",
  ".deno/bin",
  ".npm-global/bin",
  ".pyenv/shims",
  ".rbenv/shims",
  ".volta/bin",
  ".asdf/shims",
  ".local/share/mise/shims",
  "go/bin",
];

/** Those that exist, absolute. */
export function findToolFolders(home: string | undefined): readonly string[] {
  if (home === undefined) return [];
  return NAMES.map((name) => join(home, name)).filter((folder) => existsSync(folder));
}
