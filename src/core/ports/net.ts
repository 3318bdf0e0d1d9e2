// The port to the network: the only way out. Which addresses may be reached is settled behind it,
// for every hop, so that the caller it cannot be led to another.

/** `tools.net.ssrfPolicy`; what is absent is refused. */
export interface AddressPolicy {
  readonly allowedHostnames?: readonly string[];
  readonly blockedHostnames?: readonly string[];
  readonly hostnameAllowlist?: readonly string[];
  readonly dangerouslyAllowPrivateNetwork?: boolean;
  readonly allowRfc2544BenchmarkRange?: boolean;
  readonly allowIpv6UniqueLocalRange?: boolean;
}

interface NetLimits {
  /** Of the body after decompression; more is cut, and said. */
  readonly maxBytes: number;
  /** For the whole of it: names, redirects, body. */
  readonly timeoutMs: number;
  /** Default 3; 0 gives the redirect itself. */
  readonly maxRedirects?: number;
}

export interface NetRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Names in any case. Those that carry secrets are dropped when a redirect leaves the origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly limits: NetLimits;
  readonly signal: AbortSignal;
  /** Next to the policy of the port, for an address that a person configured: a local service. */
  readonly alsoAllowedHostnames?: readonly string[];
}

interface NetAnswer {
  readonly status: number;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Names in lower case; of a repeated one the values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every address asked, the first included. */
  readonly hops: readonly string[];
}

export interface NetResponse extends NetAnswer {
  readonly body: Uint8Array;
  /** The body was longer than `maxBytes`. */
  readonly isCut: boolean;
  readonly tookMs: number;
}

export interface NetStream extends NetAnswer {
  /** Rejects with the same errors; anyone who leaves early ends the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * All reject with a ToolError: `invalid_input` (`url_invalid`, `scheme_refused`, `userinfo_refused`,
 * `header_invalid`), `denied` (`address_refused`, `host_refused`, which name the rule and the key
 * that would allow it; `redirect_refused`), `unavailable` (`name_not_found`, `connection_failed`,
 * `net_closed`), `timeout` (`net_timeout`), `limit` (`too_many_redirects`,
 * `headers_too_large`, of a stream `body_too_large`), `failed` (`bad_response`), or the abort. A
 * status other than 200 is an answer.
 */
export interface Net {
  fetch(request: NetRequest): Promise<NetResponse>;
  stream(request: NetRequest): Promise<NetStream>;
  /** Checks without a connection: throws as `fetch` would for the first hop. */
  check(url: string, options: { readonly signal: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}
