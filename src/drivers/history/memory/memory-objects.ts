// Old content in memory, each bytes once. It is counted how many records refer to it; what was put
// and never came into a record goes after a while.

import type { Clock } from "../../../core/index.js";
import { contentDamaged } from "../errors.js";
import type { FileState } from "../file-state.js";
import type { Objects } from "../objects.js";

/** Between putting content away and writing the record that refers to it. */
const MAX_UNHELD_MS = 60_000;

export interface MemoryObjects extends Objects {
  /** A record refers to it from now on. */
  hold(state: FileState): void;
  /** And not any more. */
  release(state: FileState): void;
  dropUnused(): void;
  totalBytes(): number;
  clear(): void;
}

interface Kept {
  readonly bytes: Buffer;
  holds: number;
  putAtMs: number;
}

export function createMemoryObjects({ clock }: { readonly clock: Clock }): MemoryObjects {
  const kept = new Map<string, Kept>();
  /** Of those some are waiting for their record. */
  const unheld = new Set<string>();
  let total = 0;

  function remove(hash: string): void {
    total -= kept.get(hash)?.bytes.byteLength ?? 0;
    kept.delete(hash);
    unheld.delete(hash);
  }

  return {
    async put(seen) {
      const hash = await seen.hash();
      const known = kept.get(hash);
      if (known) known.putAtMs = clock.now();
      else {
        // A copy: a bridge may go on using what it gave.
        kept.set(hash, { bytes: Buffer.from(seen.bytes), holds: 0, putAtMs: clock.now() });
        total += seen.bytes.byteLength;
      }
      if (!known?.holds) unheld.add(hash);
      return hash;
    },
    has: async (hash) => kept.has(hash),
    async get(hash) {
      const found = kept.get(hash);
      if (found) return Buffer.from(found.bytes);
      throw contentDamaged(hash, undefined);
    },
    async detach() {
      // Nobody writes into a copy.
    },
    hold(state) {
      if (state.kind !== "file") return;
      const found = kept.get(state.hash);
      if (found) found.holds++;
      unheld.delete(state.hash);
    },
    release(state) {
      const found = state.kind === "file" ? kept.get(state.hash) : undefined;
      if (found && state.kind === "file" && --found.holds <= 0) remove(state.hash);
    },
    dropUnused() {
      for (const hash of unheld) {
        if (clock.now() - (kept.get(hash)?.putAtMs ?? 0) > MAX_UNHELD_MS) remove(hash);
      }
    },
    totalBytes: () => total,
    clear() {
      kept.clear();
      unheld.clear();
      total = 0;
    },
  };
}
