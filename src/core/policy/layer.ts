// A layer of the policy: it looks at a tool and lets it pass, or removes it and says why.

import { type Edit, type Fault, showPath, type WarningLog } from "./found.js";
import type { CompileList, ReadEntry } from "./list-entries.js";
import type { Subject, ToolIndex } from "./tools.js";

/** In the order in which they are asked. `catalog` is for names that no tool has. */
export const LAYER_IDS = [
  "catalog",
  "profile",
  "model",
  "provider-profile",
  "global-provider",
  "global",
  "agent-provider",
  "agent",
  "group",
  "sender",
  "sandbox",
  "owner",
  "subagent",
  "runtime",
] as const;

export type LayerId = (typeof LAYER_IDS)[number];

export interface PolicyLayerSummary {
  readonly id: LayerId;
  readonly source: string;
  /** `closed`: its config is malformed and nothing passes. */
  readonly state: "filters" | "closed";
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

export interface Removal {
  readonly rule: string;
  readonly reason: string;
  /** The changes that let the tool pass this layer; absent when no config can. */
  readonly fix?: () => readonly Edit[];
}

export interface Layer {
  readonly summary: PolicyLayerSummary;
  judge(subject: Subject): Removal | undefined;
}

export interface LayerContext {
  readonly index: ToolIndex;
  readonly read: ReadEntry;
  readonly compileList: CompileList;
  readonly log: WarningLog;
}

export function closedBy({ path, reason }: Fault): { rule: string; reason: string } {
  const rule = showPath(path);
  return { rule, reason: `${rule} ${reason}; until then nothing passes` };
}
