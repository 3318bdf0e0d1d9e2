// The port to a gateway: one call of a method. Inside the gateway process it is dispatched directly;
// elsewhere it is a WebSocket to the configured gateway.

export interface GatewayCall {
  readonly method: string;
  readonly params?: unknown;
  /** Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Another gateway; needs `token`, and never inherits credentials. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
  /** Gets the events of the connection. An answer with the status `accepted` is then not the last one. */
  readonly onEvent?: ((event: string, payload: unknown) => void) | undefined;
}

/** Rejects with a ToolError. */
export interface Gateway {
  /** Hash of the last `config.get` by caller: what a change without `baseHash` is based on. */
  readonly configHashes?: Map<string, string>;
  call(request: GatewayCall): Promise<unknown>;
  close(): Promise<void>;
}
