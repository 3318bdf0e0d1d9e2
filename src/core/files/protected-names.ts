// Names that no call changes through a bridge, at any depth. Where they are, and which further places
// are protected, is left to the bridge.

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

export function foldPath(path: string): string {
  const seen = PLAIN.test(path) ? path : path.replace(UNSEEN, "").toUpperCase();
  return seen.toLowerCase();
}
