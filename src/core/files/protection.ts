// What calls may not change or read, for the file bridge, the command planner and the sandbox.

import { isInside } from "../../lib/paths.js";

const CLIENT_KEY = "tools.fs.protectClientFiles";

const CLIENT_NAMES: readonly string[] = [
  ".mcp.json .claude .claude.json .cursor .zed .gemini .codex .idea .windsurf .roo .kilocode .continue .amp .amazonq .kiro .qwen .crush .crush.json crush.json .trae .factory .augment .pi .vs .fleet .junie .openhands .tabnine .copilot .cline .goose .rovodev .codebuddy .iflow .openclaw openclaw.json .husky",
  ".opencode opencode.json opencode.jsonc .aider.conf.yml .devcontainer .devcontainer.json .clinerules/hooks .github/hooks",
  ".vscode/mcp.json .vscode/tasks.json .vscode/settings.json .vscode/launch.json",
  ".envrc mise.toml .mise.toml mise.local.toml .mise.local.toml .mise .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el",
].flatMap((names) => names.split(" "));

/** `.git` holds hooks and settings that run programs. */
export const PROTECTED_NAMES: readonly string[] = [
  ".git",
  ".clawtools",
  "clawtools.json",
  "exec-approvals.json",
  ...CLIENT_NAMES,
];

const UNSEEN = /\p{Cf}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

export function isClientName(name: string): boolean {
  return CLIENT_NAMES.includes(name);
}

export function howToFree(name: string): string {
  return isClientName(name) ? `, or set ${CLIENT_KEY} to false in the config` : "";
}

export function createNameFinder(names: readonly string[]): (path: string) => string | undefined {
  const known = new Map(names.map((name) => [foldPath(name), name]));
  if (known.size === 0) return () => undefined;
  return (path) => {
    const parts = foldPath(path).split("/");
    for (const [index, part] of parts.entries()) {
      const found = known.get(part) ?? known.get(`${part}/${parts[index + 1]}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function foldPath(path: string): string {
  const seen = PLAIN.test(path) ? path : path.replace(UNSEEN, "").toUpperCase();
  return seen.toLowerCase();
}

export type FileIdentity = Readonly<Record<"dev" | "ino" | "nlink", bigint>>;

type Find = (realPath: string, file?: FileIdentity) => string | undefined;

/** The answers are names of what protects a real path; undefined where it is free. */
export interface Protection {
  readonly findChange: Find;
  readonly findRead: Find;
  readonly findMoved: Find;
  readonly findReadBelow: Find;
}

interface ProtectionParts {
  /** The folder of the calls; where it is inside a protected place, it is free to work in. */
  readonly base: string;
  /** Protected at any depth; `a/b` is `b` in a folder called `a`. */
  readonly names: readonly string[];
  readonly closed?: readonly string[];
  readonly sealed?: readonly string[];
}

export function createProtection({ base, names, closed = [], sealed = [] }: ProtectionParts) {
  const root = foldPath(base);
  const holds = (place: string, path: string) =>
    isInside(path, place) && (place === root || !isInside(root, place) || !isInside(path, root));
  const findName = createNameFinder(names);
  const findFolder = createNameFinder(names.flatMap((name) => name.split("/").slice(0, -1)));
  const findHolder = createFinder(closed, holds);
  const findBelow = createFinder([...closed, base], isInside);
  const findChange = (path: string) =>
    findName(isInside(path, base) ? path.slice(base.length) : path) ?? findHolder(path);
  return {
    findChange,
    findMoved: (path) =>
      findChange(path) ?? findBelow(path) ?? findFolder(path.slice(path.lastIndexOf("/"))),
    findRead: createFinder(sealed, holds),
    findReadBelow: createFinder(sealed, isInside),
  } satisfies Protection;
}

function createFinder(
  places: readonly string[],
  matches: (place: string, path: string) => boolean,
): (path: string) => string | undefined {
  const folded = places.map(foldPath);
  return (path) => {
    const asked = foldPath(path);
    return places[folded.findIndex((place) => matches(place, asked))]?.split("/").at(-1);
  };
}
