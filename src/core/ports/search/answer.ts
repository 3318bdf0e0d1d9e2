// What a provider of web search answers: hits, or prose with its sources, and nothing else.

/** Plain text, not cleaned and not bounded: anyone who asked does that. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string | undefined;
  /** Shown when it begins like `2026-01-31`. */
  readonly published?: string | undefined;
}

export interface SearchCitation {
  readonly url: string;
  readonly title?: string | undefined;
}

export type SearchAnswer =
  | { readonly kind: "results"; readonly hits: readonly SearchHit[] }
  | {
      readonly kind: "answer";
      readonly content: string;
      readonly citations: readonly SearchCitation[];
      readonly model?: string | undefined;
    };
