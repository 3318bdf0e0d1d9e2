// The memory port before its driver is loaded: the first search or read loads it.
import { resolve } from "node:path";
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import type { Diagnostic, Memory } from "../../core/index.js";
import { readAgentId } from "../options/settings.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import type { VisibleTools } from "../visible-tools/visible-tools.js";
import { createLazyNet } from "./net.js";
import type { MemorySource } from "./open-memory.js";
import { createLazyPort, createSystemPorts } from "./ports.js";

const UNMARKED = {
  code: "memory_problem",
  severity: "warning",
  toolId: "memory_search",
  message: "Could not mark the notes that were written after untrusted content came in.",
} as const;

export interface AgentMemorySource {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly agentId: string | undefined;
  readonly stateDir: string;
}

export function createLazyMemory(readSource: () => MemorySource | Promise<MemorySource>): Memory {
  const { load, close } = createLazyPort(async () => {
    const source = await readSource();
    const { openMemory } = await import("./open-memory.js");
    return openMemory(source);
  });
  return {
    search: async (query) => (await load()).search(query),
    read: async (request) => (await load()).read(request),
    markTainted: async (request) => (await load()).markTainted(request),
    status: async () => (await load()).status(),
    index: async (request) => (await load()).index(request),
    close,
  };
}

interface NoteMarkerSource {
  readonly memory: Memory;
  readonly visible: Pick<VisibleTools, "explain">;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Never rejects: the call that changed the notes has its own answer. */
export function createNoteMarker(source: NoteMarkerSource): Memory["markTainted"] {
  const { memory, visible, report } = source;
  return async (request) => {
    if (visible.explain("memory_get").status !== "present") return;
    await memory.markTainted(request).catch((cause: unknown) => report({ ...UNMARKED, cause }));
  };
}

export function findNotesFolder(
  { root, agentDir, agentId }: Pick<ToolkitOptions, "root" | "agentDir" | "agentId">,
  config: ClawtoolsConfig,
): string {
  const written = findAgent(config, agentId)?.agentDir;
  return agentDir ?? (written === undefined ? root : resolve(root, written));
}

/** Without a toolkit. Throws a ToolInputError when the config lists agents but not this one. */
export function createAgentMemory({ config, stateDir, ...source }: AgentMemorySource): Memory {
  const agentId = readAgentId(config, source.agentId);
  const net = createLazyNet(() => config);
  const { clock } = createSystemPorts();
  const agent = { root: source.root, ...(agentId !== undefined && { agentId }) };
  const root = findNotesFolder(agent, config);
  const memory = createLazyMemory(() => ({ root, config, agentId, stateDir, clock, net }));
  return {
    ...memory,
    async close() {
      await memory.close();
      await net.close();
    },
  };
}
