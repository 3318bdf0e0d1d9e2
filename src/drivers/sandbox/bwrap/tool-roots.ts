// Where people keep programs in their home, so that these work in a sandbox whose home is empty.
// Only folders of programs: caches, keys and settings beside them stay outside.

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../../lib/is-inside.js";

const HOME_TOOL_FOLDERS = [
  ".asdf",
  ".bun/bin",
  ".cargo/bin",
  ".deno/bin",
  ".fnm",
  ".local/bin",
  ".local/lib",
  ".local/pipx",
  ".local/share/fnm",
  ".local/share/mise",
  ".local/share/pipx",
  ".local/share/pnpm",
  ".local/share/uv/python",
  ".local/share/uv/tools",
  ".npm-global/bin",
  ".npm-global/lib",
  ".nvm",
  ".pyenv",
  ".rbenv",
  ".rustup",
  ".sdkman/candidates",
  ".volta",
  "go/bin",
];

const NVM_VERSIONS = "versions/node";

/** Folders of the home with programs, and the one that the running Node was installed in. */
export function findToolRoots(home: string | undefined): string[] {
  const inHome = home === undefined ? [] : HOME_TOOL_FOLDERS.map((name) => join(home, name));
  const roots = [...inHome.filter((folder) => existsSync(folder)), findNodeFolder(home)];
  return roots.filter(
    (root, index) =>
      roots.indexOf(root) === index &&
      !roots.some((other) => other !== root && isInside(root, other)),
  );
}

/** Settings of npm with keys in them, which lie beside the programs of each Node. */
export function findToolSecrets(toolRoots: readonly string[]): string[] {
  const prefixes = toolRoots.flatMap((root) => [root, ...listFolder(join(root, NVM_VERSIONS))]);
  return prefixes.map((prefix) => join(prefix, "etc/npmrc")).filter((path) => existsSync(path));
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // Not a folder of that kind.
    return [];
  }
}

/** With `<prefix>/bin/node` the prefix, where npm lies too; but never a home as a whole. */
function findNodeFolder(home: string | undefined): string {
  const folder = dirname(realpathSync(process.execPath));
  const prefix = folder.endsWith("/bin") ? dirname(folder) : folder;
  return home !== undefined && isInside(home, prefix) ? folder : prefix;
}
