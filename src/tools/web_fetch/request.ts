// An answer that is not a page: what its status means for anyone who asked, and what may be done next.

import { isToolError, type Net, type NetResponse, ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";
import { type FirecrawlSettings, MAX_KEPT_CHARS } from "./settings.js";

const MAX_WAIT_SECONDS = 7 * 86_400;
const SECONDS = /^\d{1,9}$/;

interface StatusView {
  readonly asked: string;
  readonly nowMs: number;
  readonly offers: (toolName: string) => boolean;
}

/** Nothing that comes from outside is shown, nor where a redirect led: an error is ours. */
export function assertStatus(response: NetResponse, view: StatusView): void {
  const { status, url, headers } = response;
  if (status >= 200 && status < 300) return;
  const isElsewhere = response.hops.length > 1;
  const isMissing = status === 404 || status === 410;
  const retryAfterSeconds = readRetryAfter(headers["retry-after"], view.nowMs);
  const advice = adviseOn(status, { ...view, retryAfterSeconds });
  throw new ToolError(
    isMissing ? "not_found" : "failed",
    `${toPrintable(view.asked)}${isElsewhere ? ", after a redirect," : ""} answered with status ${status}: ${advice}.`,
    {
      reason: isMissing ? "page_missing" : "http_status",
      details: {
        httpStatus: status,
        url,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
    },
  );
}

interface Advising extends StatusView {
  readonly retryAfterSeconds: number | undefined;
}

function adviseOn(status: number, { offers, retryAfterSeconds }: Advising): string {
  const search = offers("web_search") ? ", or look for another with web_search" : "";
  const wait =
    retryAfterSeconds === undefined ? "wait a minute" : `wait ${retryAfterSeconds} seconds`;
  if (status === 404 || status === 410) {
    return `the page does not exist; check the address${search}`;
  }
  if (status === 401 || status === 407) {
    return offers("browser")
      ? "it requires a login; use browser, where one can be logged in"
      : `it requires a login, which web_fetch does not have; use a public page${search}`;
  }
  if (status === 403 || status === 451) {
    return offers("browser")
      ? "it is not given to programs or not to us; try browser, and not the same call again"
      : `it is not given to programs or not to us; the same call will fail again, so use another page${search}`;
  }
  if (status === 429) return `it was asked too often; ${wait} before the next call`;
  if (status === 503 && retryAfterSeconds !== undefined) {
    return `the server is not ready; ${wait} before the next call`;
  }
  if (status >= 500) return `the server failed; try again once later${search}`;
  return `it gave no page; check the address${search}`;
}

function readRetryAfter(written: string | undefined, nowMs: number): number | undefined {
  const text = written?.trim() ?? "";
  if (text === "") return undefined;
  const seconds = SECONDS.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return seconds >= 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
}

const DEFAULT_BASE = "https://api.firecrawl.dev";
const PATH = "/v2/scrape";
const DEFAULT_MAX_AGE_MS = 172_800_000;
const MAX_ANSWER_BYTES = 10_000_000;
const RESERVE_MS = 5_000;

interface FirecrawlPage {
  readonly text: string;
  readonly title: string;
  readonly url: string;
  readonly status: number;
}

interface FirecrawlRequest {
  readonly net: Net;
  readonly url: string;
  readonly settings: FirecrawlSettings;
  readonly signal: AbortSignal;
}

export function mayAskAnother(error: unknown): boolean {
  if (!isToolError(error)) return false;
  return ["unavailable", "timeout", "failed", "not_found"].includes(error.code);
}

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

function toEndpoint(baseUrl: string | undefined): URL {
  const url = new URL(baseUrl ?? DEFAULT_BASE);
  if (url.pathname === "/") url.pathname = PATH;
  return url;
}

function readAnswer(answer: unknown, asked: string): FirecrawlPage | undefined {
  const data = readField(answer, "data");
  const text = readText(data, "markdown") ?? readText(data, "content") ?? "";
  if (text.trim() === "") return undefined;
  const metadata = readField(data, "metadata");
  const status = readNumber(metadata, "statusCode");
  return {
    text: text.slice(0, MAX_KEPT_CHARS).trim(),
    title: readText(metadata, "title") ?? "",
    url: toWebAddress(readText(metadata, "sourceURL")) ?? asked,
    status: isStatus(status) ? status : 200,
  };
}

/** As it is written in an address, so on one line; undefined for what is none. */
function toWebAddress(source: string | undefined): string | undefined {
  if (source === undefined || !URL.canParse(source)) return undefined;
  const { href, protocol } = new URL(source);
  return /^https?:$/.test(protocol) ? href : undefined;
}

function isStatus(status: number | undefined): status is number {
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
