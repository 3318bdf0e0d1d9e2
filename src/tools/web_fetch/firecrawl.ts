// Firecrawl, asked for a page that could not be read otherwise. Never for one whose address was
// refused: it would be a way around the policy.

import { isToolError, type Net, ToolError } from "../../core/index.js";
import { MAX_KEPT_CHARS } from "./limits.js";
import type { FirecrawlSettings } from "./settings.js";

const DEFAULT_BASE = "https://api.firecrawl.dev";
const PATH = "/v2/scrape";
const DEFAULT_MAX_AGE_MS = 172_800_000;
const MAX_ANSWER_BYTES = 10_000_000;
/** Time beyond its own, for the way there and back. */
const RESERVE_MS = 5_000;

export interface FirecrawlPage {
  readonly text: string;
  readonly title: string;
  readonly url: string;
  readonly status: number;
}

export interface FirecrawlRequest {
  readonly net: Net;
  readonly url: string;
  readonly settings: FirecrawlSettings;
  readonly signal: AbortSignal;
}

/** Whether another may be asked after this failure. */
export function mayAskAnother(error: unknown): boolean {
  if (!isToolError(error)) return false;
  return ["unavailable", "timeout", "failed", "not_found"].includes(error.code);
}

/** undefined when it has no text for the page either. */
export async function askFirecrawl(request: FirecrawlRequest): Promise<FirecrawlPage | undefined> {
  const { net, url, settings, signal } = request;
  const endpoint = toEndpoint(settings.baseUrl);
  const { status, body } = await net.fetch({
    url: endpoint.href,
    method: "POST",
    headers: { authorization: `Bearer ${settings.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      url,
      formats: ["markdown"],
      onlyMainContent: settings.onlyMainContent,
      timeout: settings.timeoutMs,
      maxAge: settings.maxAgeMs ?? DEFAULT_MAX_AGE_MS,
      proxy: "auto",
      storeInCache: true,
    }),
    limits: {
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: settings.timeoutMs + RESERVE_MS,
      maxRedirects: 0,
    },
    signal,
    ...(settings.baseUrl === undefined ? {} : { alsoAllowedHostnames: [endpoint.hostname] }),
  });
  if (status !== 200) {
    throw new ToolError("failed", `Firecrawl answered with status ${status}.`, {
      reason: "firecrawl_failed",
    });
  }
  return readAnswer(parse(body), url);
}

/** An address without a path gets that of the service. */
function toEndpoint(baseUrl: string | undefined): URL {
  const url = new URL(baseUrl ?? DEFAULT_BASE);
  if (url.pathname === "/") url.pathname = PATH;
  return url;
}

function readAnswer(answer: unknown, asked: string): FirecrawlPage | undefined {
  const data = field(answer, "data");
  const text = field(data, "markdown") ?? field(data, "content");
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const metadata = field(data, "metadata");
  const [title, source, status] = ["title", "sourceURL", "statusCode"].map((key) =>
    field(metadata, key),
  );
  return {
    text: text.slice(0, MAX_KEPT_CHARS).trim(),
    title: typeof title === "string" ? title : "",
    url: toWebAddress(source) ?? asked,
    status: isStatus(status) ? status : 200,
  };
}

/** As it is written in an address, so on one line; undefined for what is none. */
function toWebAddress(source: unknown): string | undefined {
  if (typeof source !== "string" || !URL.canParse(source)) return undefined;
  const { href, protocol } = new URL(source);
  return /^https?:$/.test(protocol) ? href : undefined;
}

function isStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new ToolError("failed", "Firecrawl's answer is not JSON.", {
      reason: "firecrawl_failed",
      cause,
    });
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
