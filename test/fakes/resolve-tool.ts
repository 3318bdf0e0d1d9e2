// Resolution for tests that want the tool, not a maybe: an absent tool fails the test with its name.
import { type Tool, type ToolContext, type ToolDefinition, ToolRegistry } from "clawtools";

export function resolveTool(from: {
  readonly registry: ToolRegistry;
  readonly name: string;
  readonly ctx?: ToolContext;
}): Tool {
  const tool = from.registry.resolve(from.name, from.ctx);
  if (tool) return tool;
  throw new Error(`"${from.name}" did not resolve in this context.`);
}

/** The definition as a tool, from a registry of its own. */
export function bindAlone(definition: ToolDefinition, ctx: ToolContext = {}): Tool {
  const registry = new ToolRegistry();
  registry.register(definition);
  return resolveTool({ registry, name: definition.name, ctx });
}
