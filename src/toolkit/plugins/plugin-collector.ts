// A registry that only collects: what plugins bring is looked at when all of them have been tried,
// because only then it is known which of their tools are optional.

import type {
  Tool,
  ToolDefinition,
  ToolFactory,
  ToolMeta,
  ToolRegistration,
} from "../../core/index.js";
import type { ToolList } from "../tool-list/tool-list.js";

export interface PluginTool {
  readonly source: Tool | ToolDefinition | ToolFactory;
  readonly meta: Partial<ToolMeta>;
}

export interface PluginCollector extends ToolRegistration {
  /** By id: the name of a tool, or the first name that a factory announces. */
  readonly collected: ReadonlyMap<string, PluginTool>;
}

/** No name of the tools that are known is free, nor another one of theirs. */
export function createPluginCollector(toolList: Pick<ToolList, "findName">): PluginCollector {
  const collected = new Map<string, PluginTool>();
  return {
    collected,
    register(source, meta = {}) {
      collected.set(meta.id ?? source.name, { source, meta });
    },
    registerFactory(source, meta) {
      collected.set(meta.id, { source, meta });
    },
    has: (id) => collected.has(id) || toolList.findName(id) !== undefined,
    unregister: (id) => collected.delete(id),
  };
}
