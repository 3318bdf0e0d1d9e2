// Reads the lists of a policy's layers the plain way, entry by entry, apart from the code under test.
import type { PolicyLayerSummary } from "../../src/core/policy/layer.js";
import { DENIED_WITH, ORIGIN_GROUPS } from "../../src/core/policy/names.js";
import type { PolicyTool } from "../../src/core/policy/tools.js";
import { BUILT_INS } from "../../src/toolkit/catalog.js";
import { ALIASES } from "./random-policy.js";

/** Whether a layer lets the tool pass, as far as its summary tells; owners are told by no list. */
export function passes(tool: PolicyTool, layer: PolicyLayerSummary): boolean {
  const { id, state, allow, deny } = layer;
  if (id === "owner") return tool.ownerOnly !== true;
  if (id === "model") return !(deny ?? []).includes(tool.name);
  if (state === "closed" || deny?.some((entry) => speaksOf(entry, tool) || stopsToo(entry, tool)))
    return false;
  return allow?.some((entry) => speaksOf(entry, tool)) ?? true;
}

function speaksOf(entry: string, tool: PolicyTool): boolean {
  const text = entry.trim().toLowerCase();
  const name = tool.name.toLowerCase();
  const members = BUILT_INS.groups.get(text);
  if (members) return members.includes(name);
  if (ORIGIN_GROUPS.has(text)) return ORIGIN_GROUPS.get(text) === tool.origin;
  if (text.includes("*")) return toPattern(text).test(name);
  return [name, tool.originId?.toLowerCase()].includes(ALIASES.get(text) ?? text);
}

function stopsToo(entry: string, tool: PolicyTool): boolean {
  const other = DENIED_WITH.get(entry.trim().toLowerCase());
  return other !== undefined && speaksOf(other, tool);
}

function toPattern(text: string): RegExp {
  const parts = text.split("*").map((part) => part.replace(/[^a-z0-9]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}
