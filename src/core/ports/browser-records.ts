// What a page said and asked for since it was there, newest last.

export interface ConsoleEntry {
  readonly level: "error" | "warning" | "info" | "log" | "debug";
  readonly text: string;
  readonly atMs: number;
  /** `url:line`, secrets replaced. */
  readonly location?: string;
}

export interface RequestEntry {
  /** `r1` … */
  readonly id: string;
  readonly method: string;
  /** Secrets replaced. */
  readonly url: string;
  readonly kind: string;
  readonly status?: number;
  /** Why it failed; for one the policy refused, the rule. */
  readonly failure?: string;
  readonly atMs: number;
}

export interface PageRecords<Entry> {
  /** The newest `limit`, oldest first. */
  readonly entries: readonly Entry[];
  /** In the buffer and matching. */
  readonly total: number;
  /** Fell out of the buffer. */
  readonly dropped: number;
}

export interface RecordsRequest {
  readonly limit: number;
  readonly query?: string | undefined;
  readonly clear?: boolean | undefined;
}
