// Every tool that one toolkit knows, each under a name of its own: the built-in ones, the caller's,
// those of plugins; and a row for each that should have been one and is none.

import {
  isToolDefinition,
  type PolicyTool,
  type Tool,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolMeta,
  toAnnotations,
} from "../../core/index.js";
import { CATALOG } from "../../tools/catalog.js";
import { discoverCoreTools } from "../discovery.js";
import { ToolRegistry } from "../tool-registry.js";
import type { DraftRow } from "./draft-row.js";
import type { Fault } from "./make-tools.js";

/** The section of tools that the caller brought. */
const CUSTOM = "custom";

export interface ToolList {
  readonly registry: ToolRegistry;
  /** Tools that were defined, by name; the others are plain. */
  readonly definitions: ReadonlyMap<string, ToolDefinition>;
  /** Other names to the name of the tool they stand for. */
  readonly otherNames: ReadonlyMap<string, string>;
  readonly absent: readonly DraftRow[];
  /** By its name or another one, spelled exactly so. */
  findName(asked: string): string | undefined;
  listForPolicy(): PolicyTool[];
  /** Of a name that no one has the worst. */
  annotations(name: string): ToolAnnotations;
  /** Its name must be free. */
  add(tool: Tool | ToolDefinition, meta?: Partial<ToolMeta>): void;
  noteAbsent(row: DraftRow): void;
  /** Notes what became of a factory or a tool, and reports it when something broke. */
  noteFault(id: string, fault: Fault): void;
}

export function createToolList(): ToolList {
  const registry = new ToolRegistry();
  discoverCoreTools(registry, { catalog: "all" });
  const definitions = new Map<string, ToolDefinition>();
  const ownerOnly = new Set<string>();
  const otherNames = new Map<string, string>();
  const absent: DraftRow[] = [];
  const findName = (asked: string) => (registry.has(asked) ? asked : otherNames.get(asked));

  /** What someone answers to, he may not take from another. */
  function addOtherName(other: string, name: string): void {
    const owner = findName(other);
    if (owner === undefined) {
      otherNames.set(other, name);
      return;
    }
    const message = `Tool "${name}" also wants to be called "${other}", which is "${owner}" already.`;
    registry.report({ code: "name_conflict", severity: "warning", toolId: name, message });
  }

  function describe(tool: Tool | ToolDefinition): void {
    const { name } = tool;
    if (tool.ownerOnly) ownerOnly.add(name);
    if (!isToolDefinition(tool)) return;
    definitions.set(name, tool);
    for (const other of tool.alsoKnownAs) addOtherName(other, name);
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
