// Where people keep programs in their home, so that these work in a sandbox whose home is empty.
// Only folders of programs: caches, keys and settings next to them stay outside.

import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
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
  ".volta/bin",
  ".volta/tools",
  "go/bin",
];

/** Of a Node outside of the system: the program and its package managers, not the folder it is in. */
const NODE_PARTS = [
  "bin/npm",
  "bin/npx",
  "bin/corepack",
  "lib/node_modules/npm",
  "lib/node_modules/corepack",
];

/** Settings with keys in them, which are next to programs. */
const SECRET_NAMES = new Set(
  ".npmrc npmrc .yarnrc.yml pip.conf .pypirc .netrc .env .git-credentials credentials credentials.toml auth.json".split(
    " ",
  ),
);
/** Folders of programs only, and too large to look through. */
const WITHOUT_SECRETS = new Set("bin lib lib64 include share src node_modules shims".split(" "));
const MAX_DEPTH = 5;

/** Folders of the home with programs, and the running Node with what belongs to it. */
export function findToolRoots(home: string | undefined): string[] {
  const inHome = home === undefined ? [] : HOME_TOOL_FOLDERS.map((name) => join(home, name));
  const node = realpathSync(process.execPath);
  const prefix = dirname(dirname(node));
  const ofNode = node === `${prefix}/bin/node` ? NODE_PARTS.map((name) => join(prefix, name)) : [];
  const roots = [...inHome, node, ...ofNode].filter((path) => existsSync(path));
  return roots.filter(
    (root, index) =>
      roots.indexOf(root) === index &&
      !roots.some((other) => other !== root && isInside(root, other)),
  );
}

/** bwrap's arguments for them, with nothing in the place of secrets. npm finds itself by its link. */
export function toolRootArguments(toolRoots: readonly string[]): string[] {
  const shown = toolRoots.flatMap((path) =>
    lstatSync(path).isSymbolicLink() && statSync(path).isFile()
      ? ["--symlink", readlinkSync(path), path]
      : ["--ro-bind", path, path],
  );
  const secrets = toolRoots.flatMap((root) => findSecrets(root, MAX_DEPTH));
  return [...shown, ...secrets.flatMap((path) => ["--ro-bind", "/dev/null", path])];
}

function findSecrets(folder: string, depth: number): string[] {
  return listFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return SECRET_NAMES.has(entry.name) ? [path] : [];
    const isSearched = entry.isDirectory() && !WITHOUT_SECRETS.has(entry.name) && depth > 0;
    return isSearched ? findSecrets(path, depth - 1) : [];
  });
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A file, or not to be read: then it is not read inside either.
    return [];
  }
}
