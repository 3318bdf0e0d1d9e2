// The row of an optional tool that no list asks for, and the change of the config that brings it.

import { mergePatch, type PolicyRequest, type PolicyTool } from "../../core/index.js";
import { compilePolicy } from "../catalog.js";
import { readAskedFor } from "../options/asked-for.js";
import { readSection, readTexts } from "../options/config-section.js";
import type { DraftRow } from "../tool-list/draft-row.js";

export interface OptionalTool {
  readonly name: string;
  readonly pluginId: string;
}

export interface OptionalScope {
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
  /** The tools next to it. */
  readonly listForPolicy: () => readonly PolicyTool[];
}

export function optionalRow(tool: OptionalTool, scope: OptionalScope): DraftRow {
  const { name, pluginId } = tool;
  return {
    id: name,
    status: "absent",
    code: "not_loaded",
    reason: `it is an optional tool of the plugin "${pluginId}", and no allow list names it, its plugin or group:plugins`,
    findRestore: () => findRestore(tool, scope),
  };
}

/** Names the tool, then lifts what else the policy has against it. What is given out was tried. */
function findRestore(
  { name, pluginId }: OptionalTool,
  scope: OptionalScope,
): Record<string, unknown> | undefined {
  const { config, request } = scope;
  const optional: PolicyTool = { name, origin: "plugin", originId: pluginId };
  const tools = [...scope.listForPolicy(), optional];
  const decideWith = (patch: Record<string, unknown>) =>
    compilePolicy({ config: mergePatch(config, patch), tools, request }).decide(name);
  const asking = askFor(name, config);
  const decision = decideWith(asking);
  if (decision.allowed) return asking;
  const patch = mergePatch(asking, decision.restore ?? {});
  const isAskedFor = readAskedFor(mergePatch(config, patch), request);
  return decideWith(patch).allowed && isAskedFor([name]) ? patch : undefined;
}

/** Next to names in `allow` a name in `alsoAllow` would be read as a contradiction. */
function askFor(name: string, config: Record<string, unknown>): Record<string, unknown> {
  const { allow, alsoAllow } = readSection(config, "tools");
  const key = readTexts(allow).length > 0 ? "allow" : "alsoAllow";
  const names = key === "allow" ? allow : alsoAllow;
  return { tools: { [key]: [...readTexts(names), name] } };
}
