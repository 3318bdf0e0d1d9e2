// What a store in memory holds.

import type { Lease } from "../../src/core/index.js";

export interface MemoryEntry {
  readonly space: string;
  readonly key: string;
  readonly text: string;
  readonly revision: number;
  readonly expiresAtMs: number | undefined;
}

interface Stream {
  last: number;
  records: readonly { readonly sequence: number; readonly text: string; readonly atMs: number }[];
}

export interface MemoryItem {
  readonly id: number;
  readonly queue: string;
  readonly text: string;
  readonly pushedAtMs: number;
  readonly expiresAtMs: number | undefined;
  attempt: number;
  held: boolean;
  visibleAtMs: number;
}

interface MemoryTables {
  counter: number;
  readonly entries: Map<string, MemoryEntry>;
  readonly streams: Map<string, Stream>;
  readonly leases: Map<string, Lease>;
  readonly items: Map<number, MemoryItem>;
}

export function createMemoryTables(): MemoryTables {
  return {
    counter: 0,
    entries: new Map(),
    streams: new Map(),
    leases: new Map(),
    items: new Map(),
  };
}
