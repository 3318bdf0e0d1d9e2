// What a plugin brought becomes tools of the toolkit: each one that a factory makes by itself, and a
// row for each that was announced and is not there.

import {
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolFactory,
  toToolError,
} from "../../core/index.js";
import type { DraftRow } from "../tool-list/draft-row.js";
import { type Fault, type MadeTools, makeTools } from "../tool-list/make-tools.js";
import { readTool } from "../tool-list/read-tool.js";
import type { ToolList } from "../tool-list/tool-list.js";
import type { PluginTool } from "./plugin-collector.js";

const NOT_MADE: Fault = {
  code: "declined",
  reason: "its factory gave no tool of this name for this context",
};

export interface BroughtTool extends PluginTool {
  readonly id: string;
  readonly pluginId: string;
  /** The tools it says it brings; empty for a factory that says nothing. */
  readonly names: readonly string[];
}

export function addPluginTool(
  toolList: ToolList,
  { brought, ctx }: { readonly brought: BroughtTool; readonly ctx: ToolContext },
): void {
  const { id, pluginId, names } = brought;
  const { tools, fault } = readSource(brought.source, ctx);
  for (const tool of tools) addUnlessTaken(toolList, { tool, brought });
  const made = new Set(tools.map(({ name }) => name));
  const announced = names.length > 0 || made.size > 0 ? names : [id];
  const missing = announced.filter((name) => !made.has(name));
  for (const name of missing) toolList.noteFault(name, fault ?? NOT_MADE);
  if (fault && missing.length === 0) toolList.noteFault(`${pluginId}/${id}`, fault);
}

/** The tool has a row of its own, because its name has the row of its owner. */
export function conflictRow(tool: { name: string; pluginId: string }, reason: string): DraftRow {
  const id = `${tool.pluginId}/${tool.name}`;
  return { id, status: "absent", code: "name_conflict", reason };
}

function readSource(source: Tool | ToolDefinition | ToolFactory, ctx: ToolContext): MadeTools {
  if (typeof source === "function") return makeTools(source, ctx);
  try {
    return { tools: [readTool(source)] };
  } catch (cause) {
    return { tools: [], fault: unusable(cause) };
  }
}

/** Names are compared without case, as policy does. */
function addUnlessTaken(
  toolList: ToolList,
  { tool, brought }: { readonly tool: Tool | ToolDefinition; readonly brought: BroughtTool },
): void {
  const { name, label = name, description } = tool;
  const owner = toolList.findName(name) ?? toolList.findName(name.toLowerCase());
  if (owner !== undefined) {
    const reason = `a tool named "${owner}" exists already`;
    toolList.noteAbsent(conflictRow({ name, pluginId: brought.pluginId }, reason));
    return;
  }
  try {
    toolList.add(tool, { ...brought.meta, id: name, label, description });
  } catch (cause) {
    // A registry takes fewer names than models do.
    toolList.noteFault(name, unusable(cause));
  }
}

function unusable(cause: unknown): Fault {
  return {
    code: "tool_invalid",
    reason: `it cannot be used: ${toToolError(cause).message}`,
    cause,
  };
}
