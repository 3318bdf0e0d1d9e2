// The part of a registry that plugins write to.

import type { ToolDefinition, ToolFactory } from "../define-tool.js";
import type { Tool, ToolMeta } from "../tool.js";

export interface ToolRegistration {
  register(tool: Tool | ToolDefinition, meta?: Partial<ToolMeta>): void;
  registerFactory(factory: ToolFactory, meta: ToolMeta): void;
  has(id: string): boolean;
  unregister(id: string): boolean;
}
