// The way out for a program that makes its own connections, such as a browser: a proxy on this machine
// that judges every one of them by the rules of the network port.

import type { ToolError } from "../errors.js";

/** What came of a connection that was asked for and not made. */
export interface FilterProblem {
  readonly host: string;
  readonly port: number;
  /** Since 1970. */
  readonly atMs: number;
  /**
   * `denied` (`address_refused`, `host_refused`) with the key that would allow it, or `unavailable`
   * (`name_not_found`, `connection_failed`), `timeout` (`net_timeout`).
   */
  readonly error: ToolError;
}

export interface FilterCounts {
  /** Plain requests and tunnels that were let through. */
  readonly passed: number;
  readonly denied: number;
  /** Let through by the rules, but not reached. */
  readonly failed: number;
  /** Connections of the program that are open now. */
  readonly open: number;
}

export interface NetFilter {
  /** Where the program finds it: HTTP, on loopback. */
  readonly address: { readonly host: string; readonly port: number };
  /** The newest problem of the host and port of this URL; undefined: none that is as young. */
  problemOf(url: string, options: { readonly sinceMs: number }): FilterProblem | undefined;
  /** The newest ones, oldest first. */
  problems(): readonly FilterProblem[];
  counts(): FilterCounts;
  /** From now on this port of this machine is not reached; the returned function takes it back. */
  refusePort(port: number): () => void;
  /** Checks without a connection: throws as the connection would, and notes it alike. */
  judge(url: string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Ends every connection: the program then has no network. */
  close(): Promise<void>;
}
