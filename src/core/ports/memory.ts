// The port to the notes of an agent: searching them by words, reading them by lines.

export interface MemoryQuery {
  readonly query: string;
  /** Other words the notes may use, searched together with the query. */
  readonly also?: readonly string[];
  readonly maxResults?: number;
  readonly minScore?: number;
  readonly signal: AbortSignal;
}

export interface MemoryHit {
  /** Relative to the root of the notes, with `/`. */
  readonly path: string;
  /** Counted from 1, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** Where in its first line it begins, counted from 1, when that is not at its beginning. */
  readonly startChar?: number;
  readonly heading?: string;
  readonly snippet: string;
  /** 0 to 1: how much of what was asked for the hit holds. */
  readonly score: number;
  /** Every match rests on a corrected word. */
  readonly isWeak?: boolean;
  /** The untrusted content a run had read before it wrote this note; unset for the user's own notes. */
  readonly source?: string;
}

export interface MemoryAnswer {
  readonly hits: readonly MemoryHit[];
  /** Ways of searching that took part: "words", "meaning". */
  readonly legs: readonly string[];
  /** Words that match nothing, and those taken for them. */
  readonly corrected: Readonly<Record<string, readonly string[]>>;
  /** Set while the index does not hold every note yet. */
  readonly partial?: { readonly indexed: number; readonly total: number };
  /** Changed notes that the index does not hold yet. */
  readonly staleNotes: number;
  /** What a person should know, each a sentence. */
  readonly warnings: readonly string[];
  readonly isEmpty?: true;
}

export type MemoryLines =
  | {
      readonly found: true;
      readonly path: string;
      readonly text: string;
      readonly startLine: number;
      readonly endLine: number;
      readonly totalLines: number;
      /** Where in its first line the text begins, when that is not at its beginning. */
      readonly startChar?: number;
      /** The one line that is shown is longer than what was allowed: where its rest begins. */
      readonly nextChar?: number;
      readonly source?: string;
    }
  | {
      readonly found: false;
      readonly path: string;
      readonly nearest: readonly string[];
      /** Of one of the nearest, as in a hit. */
      readonly source?: string;
      readonly isEmpty?: true;
    };

export interface MemoryStatus {
  readonly root: string;
  readonly indexPath: string | undefined;
  readonly notes: number;
  readonly chunks: number;
  readonly staleNotes: number;
  readonly legs: readonly string[];
  readonly warnings: readonly string[];
}

export interface MemoryProgress {
  readonly done: number;
  readonly total: number;
}

export interface Memory {
  /** Marks the notes that were changed since `sinceMs` as written under the influence of `source`. */
  markTainted(request: { readonly sinceMs: number; readonly source: string }): Promise<void>;
  search(query: MemoryQuery): Promise<MemoryAnswer>;
  /** Throws `invalid_input` / `path_not_a_note` for a path outside of the notes. */
  read(request: {
    readonly path: string;
    readonly from?: number;
    /** Of that line, counted from 1, in UTF-16 units. */
    readonly fromChar?: number;
    readonly lines?: number;
    readonly maxChars: number;
  }): Promise<MemoryLines>;
  status(): Promise<MemoryStatus>;
  /** Brings the index up to date; `isFresh` builds it again. */
  index(request: {
    readonly isFresh?: boolean;
    readonly signal: AbortSignal;
    readonly onProgress?: (progress: MemoryProgress) => void;
  }): Promise<MemoryStatus>;
  close(): Promise<void>;
}
