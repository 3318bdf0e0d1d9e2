// What the memory of one agent is made of: where its notes lie, how they are cut and searched.

import type { Clock, Net } from "../../core/index.js";
import type { EmbeddingSettings } from "./embeddings/wire.js";
import type { ChunkSettings } from "./notes/chunk.js";

export const DEFAULT_CHUNK_CHARS = 1_600;
export const DEFAULT_MAX_RESULTS = 6;
export const DEFAULT_MIN_SCORE = 0.15;
export const DEFAULT_DEBOUNCE_MS = 1_500;

export interface NotePlaces {
  /** Absolute. `MEMORY.md` and `memory/` lie in it. */
  readonly root: string;
  /** Absolute; further Markdown files and folders, also outside of the root. */
  readonly extraPaths: readonly string[];
}

export interface QuerySettings {
  readonly maxResults: number;
  readonly minScore: number;
  /** How much the ranks of each way of searching count. */
  readonly weights: { readonly words: number; readonly meaning: number };
}

export interface SyncSettings {
  readonly watch: boolean;
  readonly onSearch: boolean;
  readonly debounceMs: number;
}

export interface MemorySettings {
  readonly places: NotePlaces;
  /** Absolute; undefined keeps the index in memory. */
  readonly indexFile: string | undefined;
  /** The index may not grow beyond; without it only the disk is the limit. */
  readonly maxIndexBytes?: number | undefined;
  readonly chunking: ChunkSettings;
  readonly query: QuerySettings;
  readonly sync: SyncSettings;
  /** Without it only words are searched. */
  readonly embedding: EmbeddingSettings | undefined;
}

export interface MemoryPorts {
  readonly clock: Clock;
  /** Asked for when texts are sent to a provider of embeddings, and not before. */
  readonly net?: () => Promise<Net>;
}
