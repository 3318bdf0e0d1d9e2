// Finding an entry by what a caller may call it. No factory is called here.

import { nearestName } from "../../lib/nearest-name.js";
import { isToolDefinition } from "../define-tool.js";
import { ToolError } from "../errors.js";
import { type Entry, nameOf } from "./entry.js";

type Entries = ReadonlyMap<string, Entry>;

/** By id, then by the name of a tool or definition. */
export function findEntry(entries: Entries, name: string): Entry | undefined {
  const byId = entries.get(name);
  if (byId) return byId;
  return [...entries.values()].find(
    ({ source }) => typeof source !== "function" && nameOf(source) === name,
  );
}

export function findByOtherName(entries: Entries, name: string): Entry | undefined {
  return [...entries.values()].find(
    ({ source }) => isToolDefinition(source) && source.alsoKnownAs.includes(name),
  );
}

export function listFactories(entries: Entries): Entry[] {
  return [...entries.values()].filter(({ source }) => typeof source === "function");
}

export function unknownTool(entries: Entries, name: unknown): ToolError {
  const asked = String(name);
  const nearest = nearestName(asked, entries.keys());
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  return new ToolError("not_found", `No tool "${asked}" is registered.${hint}`, {
    reason: "tool_unknown",
  });
}
