// Optional tools of plugins after the rules have changed: what was asked for at the start may be asked
// for no more, and the other way round.

import type { PolicyRequest } from "../../core/index.js";
import { CATALOG } from "../../tools/catalog.js";
import { readAskedFor } from "../options/asked-for.js";
import type { Removal } from "./tool-set.js";

export interface OptionalTool {
  readonly id: string;
  readonly names: readonly string[];
  readonly pluginId: string;
  /** When plugins were loaded. */
  readonly isAsked: boolean;
}

export interface AskingRules {
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
}

/** Those that come with this package: always there, and offered while some list asks for them. */
export function listBundledTools(): OptionalTool[] {
  return CATALOG.flatMap(({ tool: { name }, plugin }) =>
    plugin === undefined ? [] : [{ id: name, names: [name], pluginId: plugin, isAsked: true }],
  );
}

/** Those that are there and that no list asks for now, by each of their names. */
export function findUnasked(
  tools: readonly OptionalTool[],
  rules: AskingRules,
): ReadonlyMap<string, Removal> {
  const gone = tools.filter((tool) => tool.isAsked && !isAskedNow(tool, rules));
  const rows = gone.flatMap((tool) =>
    [tool.id, ...tool.names].map((name) => [name, describe(tool)] as const),
  );
  return new Map(rows);
}

/** Whether some list asks for one that was left out at the start. */
export function hasNewlyAsked(tools: readonly OptionalTool[], rules: AskingRules): boolean {
  return tools.some((tool) => !tool.isAsked && isAskedNow(tool, rules));
}

function isAskedNow({ id, names, pluginId }: OptionalTool, { config, request }: AskingRules) {
  return readAskedFor(config, request)([id, ...names, pluginId]);
}

function describe({ id, pluginId }: OptionalTool): Removal {
  return {
    rule: `optional tool of the plugin "${pluginId}"`,
    reason: "it is optional, and no allow list names it, its plugin or group:plugins ",
    restore: { tools: { alsoAllow: [id] } },
  };
}
