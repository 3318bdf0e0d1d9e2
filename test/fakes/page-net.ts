// A network of a few pages in memory: answers by address, and remembers what it was asked.
import type { Net, NetRequest, NetResponse } from "../../src/core/index.js";

export interface FakePage {
  readonly body: string | Uint8Array;
  readonly type?: string;
  readonly status?: number;
  /** Where the answer comes from, after redirects. */
  readonly finalUrl?: string;
  readonly isCut?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PageNet extends Net {
  readonly asked: readonly NetRequest[];
}

/** An address without a page answers 404; an error in the place of a page is thrown. */
export function createPageNet(pages: Readonly<Record<string, FakePage | Error>>): PageNet {
  const asked: NetRequest[] = [];
  const fetch = async (request: NetRequest): Promise<NetResponse> => {
    asked.push(request);
    const page = pages[request.url] ?? { body: "Nothing here", status: 404, type: "text/plain" };
    if (page instanceof Error) throw page;
    const body = typeof page.body === "string" ? new TextEncoder().encode(page.body) : page.body;
    const url = page.finalUrl ?? request.url;
    return {
      status: page.status ?? 200,
      url,
      headers: { "content-type": page.type ?? "text/html; charset=utf-8", ...page.headers },
      hops: url === request.url ? [url] : [request.url, url],
      body: body.subarray(0, request.limits.maxBytes),
      isCut: page.isCut ?? body.length > request.limits.maxBytes,
      tookMs: 1,
    };
  };
  return {
    asked,
    fetch,
    stream: () => Promise.reject(new Error("no page of this network is a stream")),
    socket: () => Promise.reject(new Error("no page of this network is a socket")),
    check: async () => undefined,
    close: async () => undefined,
  };
}
