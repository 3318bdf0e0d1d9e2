// Every tool of one toolkit by name, and a row for each that could not be added.
import {
  assertTool,
  callFactory,
  type ExplainRow,
  type FactoryFault,
  isToolDefinition,
  type PolicyTool,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolDefinition,
  type ToolFactory,
  ToolInputError,
  type ToolMeta,
  toAnnotations,
  toToolError,
} from "../core/index.js";
import { CATALOG } from "../tools/catalog.js";
import { ToolRegistry } from "./create-clawtools.js";
import { discoverCoreTools } from "./discovery.js";

const CUSTOM = "custom";

export interface ToolList {
  readonly registry: ToolRegistry;
  /** Tools that were defined, by name; the others are plain. */
  readonly definitions: ReadonlyMap<string, ToolDefinition>;
  readonly otherNames: ReadonlyMap<string, string>;
  readonly absent: readonly DraftRow[];
  findName(asked: string): string | undefined;
  listForPolicy(): PolicyTool[];
  /** Unknown tools get the most restrictive annotations. */
  annotations(name: string): ToolAnnotations;
  /** Its name must be free. */
  add(tool: Tool | ToolDefinition, meta?: Partial<ToolMeta>): void;
  noteAbsent(row: DraftRow): void;
  noteFault(id: string, fault: FactoryFault): void;
}

export function createToolList(): ToolList {
  const registry = new ToolRegistry();
  discoverCoreTools(registry, { catalog: "all" });
  const definitions = new Map<string, ToolDefinition>();
  const ownerOnly = new Set<string>();
  const otherNames = new Map<string, string>();
  const absent: DraftRow[] = [];
  const findName = (asked: string) => (registry.has(asked) ? asked : otherNames.get(asked));

  function describe(tool: Tool | ToolDefinition): void {
    const { name } = tool;
    if (tool.ownerOnly) ownerOnly.add(name);
    if (!isToolDefinition(tool)) return;
    definitions.set(name, tool);
    // A tool cannot claim a name that is already in use; the registry has reported it.
    for (const other of tool.alsoKnownAs) {
      if (findName(other) === undefined) otherNames.set(other, name);
    }
  }

  for (const { tool } of CATALOG) describe(tool);
  return {
    registry,
    definitions,
    otherNames,
    absent,
    findName,
    listForPolicy: () =>
      registry.list().map((meta) => ({
        name: meta.id,
        alsoKnownAs: definitions.get(meta.id)?.alsoKnownAs ?? [],
        origin: originOf(meta),
        ...(meta.pluginId === undefined ? {} : { originId: meta.pluginId }),
        ownerOnly: ownerOnly.has(meta.id),
      })),
    annotations(asked) {
      const name = findName(asked) ?? asked;
      const meta = registry.list().find(({ id }) => id === name);
      const title = meta?.source === "core" && meta.sectionId !== CUSTOM ? meta.description : "";
      return toAnnotations(definitions.get(name), title || (meta?.label ?? name));
    },
    add(tool, meta) {
      registry.register(tool, meta);
      describe(tool);
    },
    noteAbsent: (row) => void absent.push(row),
    noteFault(id, { code, reason, cause }) {
      absent.push({ id, status: "absent", code, reason });
      if (code === "declined") return;
      const message = `Tool "${id}" is left out: ${reason}.`;
      registry.report({ code, severity: "error", toolId: id, message, cause });
    },
  };
}

function originOf({ source, sectionId }: ToolMeta): PolicyTool["origin"] {
  if (source === "plugin") return "plugin";
  return sectionId === CUSTOM ? "custom" : "core";
}

export interface MadeTools {
  readonly tools: ReadonlyArray<Tool | ToolDefinition>;
  readonly fault?: FactoryFault | undefined;
}

/** The usable tools, also where others that the factory made are not. */
export function makeTools(factory: ToolFactory, ctx: ToolContext): MadeTools {
  const { made, fault } = callFactory(factory, ctx);
  const tools: Array<Tool | ToolDefinition> = [];
  const causes: unknown[] = [];
  for (const item of made) {
    try {
      tools.push(readTool(item));
    } catch (cause) {
      causes.push(cause);
    }
  }
  if (causes.length === 0) return { tools, fault };
  const messages = causes.map((cause) => toToolError(cause).message).join(" ");
  const reason = `its factory did not return a usable tool: ${messages}`;
  return { tools, fault: { code: "tool_invalid", reason, cause: causes[0] } };
}

interface OwnTools {
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

export interface DraftRow extends Omit<ExplainRow, "restore"> {
  readonly findRestore?: () => ExplainRow["restore"];
}

export function finishRow({ findRestore, ...row }: DraftRow): ExplainRow {
  const restore = findRestore?.();
  return Object.freeze(restore === undefined ? row : { ...row, restore });
}
