// The registry of a toolkit: every built-in tool and the caller's own, each under its own name.

import {
  isToolDefinition,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolFactory,
  ToolInputError,
} from "../core/index.js";
import { CATALOG } from "../tools/catalog.js";
import { discoverCoreTools } from "./discovery.js";
import { ToolRegistry } from "./tool-registry.js";

export interface ToolkitRegistry {
  readonly registry: ToolRegistry;
  /** Tools that were defined, by name; the others are plain. */
  readonly definitions: ReadonlyMap<string, ToolDefinition>;
}

/** Throws a ToolInputError when one of the caller's tools could never be called. */
export function createToolkitRegistry(
  further: ReadonlyArray<Tool | ToolDefinition | ToolFactory>,
  ctx: ToolContext,
): ToolkitRegistry {
  const registry = new ToolRegistry();
  discoverCoreTools(registry, { catalog: "all" });
  const definitions = new Map(CATALOG.map(({ tool }) => [tool.name, tool]));
  const otherNames = new Set(CATALOG.flatMap(({ tool }) => tool.alsoKnownAs));
  for (const item of further.flatMap((entry) => makeTools(entry, ctx))) {
    if (registry.has(item.name) || otherNames.has(item.name)) throw nameTaken(item.name);
    registry.register(item);
    if (isToolDefinition(item)) definitions.set(item.name, item);
  }
  return { registry, definitions };
}

function makeTools(
  entry: Tool | ToolDefinition | ToolFactory,
  ctx: ToolContext,
): Array<Tool | ToolDefinition> {
  if (typeof entry !== "function") return [entry];
  const made = entry(ctx);
  if (!made) return [];
  return Array.isArray(made) ? made : [made];
}

function nameTaken(name: string): ToolInputError {
  return new ToolInputError(
    `The name "${name}" is taken by another tool; two tools of one name would confuse every model.`,
    { reason: "name_conflict" },
  );
}
