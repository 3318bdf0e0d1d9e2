// When entries were last used, written to the list now and then and beside the command, never on its
// way. There is no timer: a program that has nothing more to do can end.

import type { Clock, GateRequest } from "../../core/index.js";
import type { ApprovalsBook } from "./book/book.js";
import { type EntryUse, markUsed } from "./document/edit.js";

/** Uses that come sooner after a write are written with the next one, or at the end. */
const WRITE_EVERY_MS = 30_000;

export interface EntryUses {
  note(entryIds: readonly string[], request: GateRequest): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export interface EntryUsesDeps {
  readonly book: ApprovalsBook;
  readonly clock: Clock;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export function createEntryUses({ book, clock, report }: EntryUsesDeps): EntryUses {
  let uses = new Map<string, EntryUse>();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const noted = uses;
    uses = new Map();
    try {
      await book.change((document) => markUsed(document, noted));
    } catch (cause) {
      report({ message: `When entries of ${book.place} were used could not be written.`, cause });
    }
  }

  function writeInTurn(): Promise<void> {
    writtenAtMs = clock.now();
    writing = writing.then(write);
    return writing;
  }

  return {
    note(entryIds, { command, plan }) {
      if (entryIds.length === 0) return;
      const use = { atMs: clock.now(), command, resolvedPath: plan?.steps[0]?.program.path };
      for (const id of entryIds) uses.set(id, use);
      if (clock.now() - writtenAtMs >= WRITE_EVERY_MS) void writeInTurn();
    },
    close: writeInTurn,
  };
}
