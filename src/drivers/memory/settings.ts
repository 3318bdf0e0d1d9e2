// What the memory of one agent is made of: where its notes lie, how they are cut and searched.
import { type Clock, type Net, ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
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
  readonly weights: { readonly words: number; readonly meaning: number };
}

interface SyncSettings {
  readonly watch: boolean;
  readonly onSearch: boolean;
  readonly debounceMs: number;
}

export interface MemorySettings {
  readonly places: NotePlaces;
  /** Absolute; undefined keeps the index in memory. */
  readonly indexFile: string | undefined;
  readonly maxIndexBytes?: number | undefined;
  readonly chunking: ChunkSettings;
  readonly query: QuerySettings;
  readonly sync: SyncSettings;
  readonly embedding: EmbeddingSettings | undefined;
}

export interface MemoryPorts {
  readonly clock: Clock;
  readonly net?: () => Promise<Net>;
}

const SHOWN_CHARS = 120;
/** An error is not wrapped as data: no sentence may stand in it for a name. */
const PLAIN_NAME = /^[\p{L}\p{N}._/-]{1,80}$/u;

export function notANote(path: string, nearest: readonly string[] = []): ToolError {
  const plain = nearest.filter((name) => PLAIN_NAME.test(name));
  const near = plain.map((name) => `"${name}"`).join(" or ");
  const advice = near === "" ? "use a path that memory_search gave." : `did you mean ${near}?`;
  return new ToolError(
    "invalid_input",
    `"${toPrintable(path, SHOWN_CHARS)}" is not a note: notes are MEMORY.md and the .md files below memory/; ${advice}`,
    { reason: "path_not_a_note", ...(nearest.length === 0 ? {} : { details: { nearest } }) },
  );
}

export function noteOutside(path: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(path, SHOWN_CHARS)}" leads out of the notes folder; choose a note inside it.`,
    { reason: "path_outside_root" },
  );
}

export function noteUnreadable(path: string, cause: unknown): ToolError {
  return new ToolError(
    "failed",
    `The note "${toPrintable(path, SHOWN_CHARS)}" cannot be read; check its permissions.`,
    { reason: "note_unreadable", cause },
  );
}

export function noteNotText(path: string): ToolError {
  return new ToolError(
    "invalid_input",
    `"${toPrintable(path, SHOWN_CHARS)}" is a binary file in spite of its name; choose another note.`,
    { reason: "note_not_text" },
  );
}

export function noteTooLarge(path: string, maxBytes: number): ToolError {
  return new ToolError(
    "limit",
    `The note "${toPrintable(path, SHOWN_CHARS)}" is larger than ${maxBytes} bytes; divide it.`,
    { reason: "note_too_large" },
  );
}

export function indexForeign(file: string): ToolError {
  return new ToolError(
    "unavailable",
    `"${toPrintable(file)}" is the database of another program; choose another memorySearch.store.path.`,
    { reason: "index_foreign" },
  );
}

export function indexFailed(said: string, cause: unknown): ToolError {
  return new ToolError("unavailable", `The index of the notes cannot be used: ${said}.`, {
    reason: "index_failed",
    cause,
  });
}

export function memoryClosed(): ToolError {
  return new ToolError("unavailable", "The memory is closed; make a new toolkit.", {
    reason: "memory_closed",
  });
}
