// Policies over the documented tools, and over tools of plugins and MCP servers next to them.
import type { ToolPolicy } from "../../src/core/policy/compile.js";
import type { PolicyRequest, PolicyTool } from "../../src/core/policy/tools.js";
import { compilePolicy } from "../../src/toolkit/catalog.js";
import { CATALOG } from "../../src/tools/catalog.js";

/** The documents name their exact sets, so a tool that is added to the catalog is left out. */
const DOCUMENTED = new Set([
  ...["read", "write", "edit", "apply_patch", "grep", "find", "ls", "exec", "process"],
  ...["web_search", "web_fetch", "memory_search", "memory_get"],
  ...["sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents"],
  ...["session_status", "browser", "canvas", "message", "cron", "gateway", "nodes", "agents_list"],
  ...["image", "tts", "lobster", "llm-task"],
]);

export const BUILT_IN: readonly PolicyTool[] = CATALOG.filter(({ tool }) =>
  DOCUMENTED.has(tool.name),
).map(({ tool }) => ({
  name: tool.name,
  alsoKnownAs: tool.alsoKnownAs,
  ownerOnly: tool.ownerOnly,
  origin: "core",
}));

export const CODING = [
  ...["read", "write", "edit", "apply_patch", "grep", "find", "ls", "exec", "process"],
  ...["memory_search", "memory_get"],
  ...["sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents"],
  ...["session_status", "image"],
];

export const MESSAGING = [
  "sessions_list",
  "sessions_history",
  "sessions_send",
  "session_status",
  "message",
];

export interface PolicyCase {
  readonly config?: Record<string, unknown>;
  readonly request?: PolicyRequest;
  /** Beside the built-in ones. */
  readonly more?: readonly PolicyTool[];
}

export function policyOf({ config = {}, request = {}, more = [] }: PolicyCase): ToolPolicy {
  return compilePolicy({ config, request, tools: [...BUILT_IN, ...more] });
}

/** The names of the tools that are left, in their order. */
export function leftBy({ more = [], ...rest }: PolicyCase): string[] {
  const policy = policyOf({ more, ...rest });
  return [...BUILT_IN, ...more].map(({ name }) => name).filter((name) => policy.allows(name));
}

export const all = (...without: string[]): string[] =>
  BUILT_IN.map(({ name }) => name).filter((name) => !without.includes(name));

export const plugin = (originId: string, ...names: string[]): PolicyTool[] =>
  names.map((name) => ({ name, origin: "plugin", originId }));

export const server = (originId: string, ...names: string[]): PolicyTool[] =>
  names.map((name) => ({ name, origin: "mcp", originId }));
