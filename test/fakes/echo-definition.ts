// A definition with another implementation: it answers with the arguments that reached it, so that
// tests see what the runner makes of a call, also for tools that are not built.
import { jsonResult, type ToolDefinition } from "clawtools";

export function withEcho(definition: ToolDefinition): ToolDefinition {
  const execute = async (call: { readonly params: unknown }) => jsonResult(call.params);
  return Object.freeze({ ...definition, awaits: undefined, load: async () => ({ execute }) });
}
