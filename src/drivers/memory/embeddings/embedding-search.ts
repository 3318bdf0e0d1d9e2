// Searching by meaning: the query becomes a vector, the pieces nearest to it are found. When the
// provider does not answer in time, the search goes on without.

import { numberOf } from "../../sqlite.js";
import { type Database, isDamaged } from "../index-file/database.js";
import type { IndexFile } from "../index-file/open-index.js";
import type { Found } from "../search/rank.js";
import type { Embedder } from "./embedder.js";
import {
  countWithoutVector,
  embedPieces,
  findNearest,
  readVectors,
  type VectorBlock,
  type WriterTurn,
} from "./vectors.js";

const MAX_FOUND = 50;
const QUERY_TIMEOUT_MS = 5_000;
const OVERDUE = new DOMException("The operation was aborted due to timeout", "TimeoutError");
const OTHER_LENGTH =
  "Only words were searched: the model gives vectors of another length than before; give it its own name in memorySearch.model.";

export interface EmbeddingOutcome {
  readonly found: readonly Found[] | undefined;
  readonly warnings: readonly string[];
}

export interface EmbeddingSearch {
  find(request: {
    readonly index: IndexFile;
    readonly query: string;
    readonly signal: AbortSignal;
  }): Promise<EmbeddingOutcome>;
  /** Gives new pieces their vectors; a problem is a sentence. Rejects when the index is damaged. */
  sync(request: {
    readonly index: IndexFile;
    readonly turn: WriterTurn;
    readonly signal: AbortSignal;
  }): Promise<string | undefined>;
}

interface Held {
  /** Versions of two connections cannot be compared. */
  readonly reader: Database;
  readonly version: number;
  readonly block: VectorBlock;
}

export function createEmbeddingSearch(embedder: Embedder): EmbeddingSearch {
  let held: Held | undefined;

  function readBlock({ reader, writer }: IndexFile): VectorBlock {
    const row = reader.statement("PRAGMA notes.data_version").get();
    const version = numberOf(row, "data_version");
    // On one connection alone a change cannot be reported by the version.
    const isHeld = held?.reader === reader && held.version === version;
    if (held === undefined || !isHeld || reader === writer) {
      held = { reader, version, block: readVectors(reader, embedder.model) };
    }
    return held.block;
  }

  return {
    async find({ index, query, signal }) {
      const block = readBlock(index);
      if (block.ids.length === 0)
        return { found: undefined, warnings: ["No note has an embedding yet."] };
      // Not AbortSignal.timeout: what is made of it does not keep it, and a collected one never ends.
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(OVERDUE), QUERY_TIMEOUT_MS);
      try {
        const limited = AbortSignal.any([signal, limit.signal]);
        const [vector] = await embedder.embed({ texts: [query], role: "query", signal: limited });
        if (vector?.length !== block.length) {
          return { found: undefined, warnings: [OTHER_LENGTH] };
        }
        const missing = countWithoutVector(index.reader, embedder.model);
        return {
          found: findNearest(block, { query: vector, limit: MAX_FOUND }),
          warnings: missing === 0 ? [] : [`${missing} pieces of notes have no embedding yet.`],
        };
      } catch (error) {
        throwUnlessProvider(error, signal);
        return { found: undefined, warnings: [`Only words were searched: ${tell(error)}`] };
      } finally {
        clearTimeout(timer);
      }
    },
    async sync({ index, turn, signal }) {
      try {
        await embedPieces({ writer: index.writer, embedder, turn, signal });
        return undefined;
      } catch (error) {
        throwUnlessProvider(error, signal);
        return `Embeddings are not up to date: ${tell(error)}`;
      }
    },
  };
}

/** Without the provider words answer; without an index nothing does. */
function throwUnlessProvider(error: unknown, signal: AbortSignal): void {
  signal.throwIfAborted();
  if (isDamaged(error)) throw error;
}

function tell(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
