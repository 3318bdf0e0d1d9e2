// A tool as someone hands it over, read once into a copy: getters that throw, or answer otherwise
// next time, then cost their own tool and no later call.

import {
  assertTool,
  isToolDefinition,
  type Tool,
  type ToolDefinition,
  ToolInputError,
} from "../../core/index.js";

/** Throws a ToolInputError, or what the tool itself throws, when it cannot be used. */
export function readTool(value: unknown): Tool | ToolDefinition {
  if (isToolDefinition(value)) return readDefinition(value);
  assertTool(value);
  const { name, label, description, parameters, ownerOnly } = value;
  return Object.freeze({
    name,
    ...(typeof label === "string" ? { label } : {}),
    // Callers without types may leave it out; the name then says the most.
    description: typeof description === "string" ? description : name,
    parameters,
    ...(ownerOnly ? { ownerOnly: true } : {}),
    execute: (...call: Parameters<Tool["execute"]>) => value.execute(...call),
  });
}

/** One that was not made by `defineTool` may have the shape and still hold anything. */
function readDefinition(definition: ToolDefinition): ToolDefinition {
  const { name, aliases, alsoKnownAs, guidance } = definition;
  const texts: readonly unknown[] = [...Object.values(aliases), ...alsoKnownAs, ...guidance];
  if (texts.every((text) => typeof text === "string")) return definition;
  throw new ToolInputError(
    `Tool "${name}" has names, aliases or guidance that are not strings; define it with defineTool.`,
    { reason: "tool_invalid" },
  );
}
