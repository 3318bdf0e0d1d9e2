// A documented plain tool and plain metadata, for tests that need some of either.
import { type Tool, type ToolMeta, textResult } from "clawtools";

/** Answers with its own name. */
export function createPlainTool(name: string): Tool {
  return {
    name,
    description: `Says ${name}.`,
    parameters: { type: "object", properties: {} },
    execute: async () => textResult(name),
  };
}

export function createMeta(id: string, more: Partial<ToolMeta> = {}): ToolMeta {
  return {
    id,
    label: id,
    description: `Metadata of ${id}.`,
    sectionId: "custom",
    profiles: ["full"],
    source: "core",
    ...more,
  };
}
