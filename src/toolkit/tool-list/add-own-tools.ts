// The caller's own tools. A name that is taken is a mistake of the program and is thrown; a factory
// that misbehaves has a row under its place in the options.

import {
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolFactory,
  ToolInputError,
} from "../../core/index.js";
import { makeTools } from "./make-tools.js";
import { readTool } from "./read-tool.js";
import type { ToolList } from "./tool-list.js";

export interface OwnTools {
  readonly tools: ReadonlyArray<Tool | ToolDefinition | ToolFactory>;
  readonly ctx: ToolContext;
}

/** Throws a ToolInputError when one of them could never be called. */
export function addOwnTools(toolList: ToolList, { tools, ctx }: OwnTools): void {
  for (const [index, entry] of tools.entries()) {
    if (typeof entry !== "function") {
      addOwnTool(toolList, readTool(entry));
      continue;
    }
    const made = makeTools(entry, ctx);
    for (const tool of made.tools) addOwnTool(toolList, tool);
    if (made.fault) toolList.noteFault(`tools[${index}]`, made.fault);
  }
}

function addOwnTool(toolList: ToolList, tool: Tool | ToolDefinition): void {
  if (toolList.findName(tool.name) === undefined) {
    toolList.add(tool);
    return;
  }
  throw new ToolInputError(
    `The name "${tool.name}" is taken by another tool; two tools of one name would confuse every model.`,
    { reason: "name_conflict" },
  );
}
