// Fetches a page through the network port and shows its text; a page read lately comes from the
// cache. Which addresses may be reached is decided behind the port.

import { type Net, type NetResponse, ToolError, type ToolResult } from "../../core/index.js";
import { type CachedPage, cacheKey, cacheOf } from "./cache.js";
import { askFirecrawl, mayAskAnother } from "./firecrawl.js";
import type { WebFetchCall } from "./index.js";
import { readPage, withoutUnseen } from "./page-text.js";
import { type FetchSettings, readSettings } from "./settings.js";
import { showPage } from "./show.js";

const USER_AGENT = "Mozilla/5.0 (compatible; clawtools)";
const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5";
const ACCEPT_LANGUAGE = "en-US,en;q=0.9";
/** Set by this tool or by the connection, not by the configuration. */
const OWN_HEADERS =
  /^(?:accept|user-agent|host|connection|content-length|transfer-encoding|te|upgrade)$/i;

export async function execute(call: WebFetchCall): Promise<ToolResult> {
  const { params, ctx } = call;
  const { net } = ctx;
  if (net === undefined) throw noNet();
  const settings = readSettings(ctx.config, ctx.environment);
  if (!settings.isEnabled) throw turnedOff();
  const startMs = ctx.clock.now();
  const maxChars = Math.min(
    params.maxChars ?? settings.maxChars,
    settings.maxCharsCap,
    ctx.limits.resultChars,
  );
  const key = cacheKey({
    url: params.url,
    mode: params.extractMode ?? "markdown",
    includesHidden: params.includeHidden === true,
  });
  const cache = cacheOf(net);
  const limits = { nowMs: startMs, maxAgeMs: settings.cacheMs };
  const kept = key === undefined || settings.cacheMs === 0 ? undefined : cache.read(key, limits);
  if (kept !== undefined)
    return showPage({ call, found: kept, maxChars, isCached: true, tookMs: 0 });
  const found = await fetchPage({ call, net, settings });
  if (key !== undefined && settings.cacheMs > 0) cache.write(key, found);
  return showPage({ call, found, maxChars, isCached: false, tookMs: ctx.clock.now() - startMs });
}

interface Fetching {
  readonly call: WebFetchCall;
  readonly net: Net;
  readonly settings: FetchSettings;
}

/** Directly, and by Firecrawl when that fails or finds no text. */
async function fetchPage(fetching: Fetching): Promise<CachedPage> {
  const { page, error } = await tryDirectly(fetching);
  if (page !== undefined && isReadable(page)) return page;
  const mayAsk = page !== undefined || mayAskAnother(error);
  const other = mayAsk ? await tryFirecrawl(fetching) : undefined;
  if (other !== undefined) return other;
  // What went wrong first is what the caller can do something about.
  if (page === undefined) throw error;
  if (page.page.text === "") throw noText(page);
  return page;
}

async function tryDirectly(
  fetching: Fetching,
): Promise<{ readonly page?: CachedPage; readonly error?: unknown }> {
  try {
    return { page: await fetchDirectly(fetching) };
  } catch (error) {
    fetching.call.signal.throwIfAborted();
    return { error };
  }
}

function isReadable({ page }: CachedPage): boolean {
  return page.text !== "" && page.facts.pageKind !== "script-shell";
}

async function fetchDirectly({ call, net, settings }: Fetching): Promise<CachedPage> {
  const { params, ctx, signal } = call;
  const { maxResponseBytes: maxBytes, timeoutMs, maxRedirects } = settings;
  const response = await net.fetch({
    url: params.url,
    headers: toHeaders(settings),
    limits: { maxBytes, timeoutMs, maxRedirects },
    signal,
  });
  assertStatus(response);
  const page = await readPage({
    response,
    mode: params.extractMode ?? "markdown",
    includesHidden: params.includeHidden === true,
    takesMainPart: settings.takesMainPart,
    signal,
    offersBrowser: ctx.offers("browser"),
  });
  const { url, status, headers } = response;
  return toFound({ page, url, status, contentType: headers["content-type"] ?? "", call });
}

/** undefined when it is not configured, may not be asked, or has nothing either. */
async function tryFirecrawl(fetching: Fetching): Promise<CachedPage | undefined> {
  const { call, net, settings } = fetching;
  const { params, signal } = call;
  if (settings.firecrawl === undefined) return undefined;
  try {
    // A name that could not be looked up has not been judged: another's network may know it.
    await net.check(params.url, { signal });
    const answer = await askFirecrawl({
      ...{ net, signal, url: params.url },
      settings: settings.firecrawl,
    });
    if (answer === undefined) return undefined;
    const { text, title, url, status } = answer;
    const page = withoutUnseen({
      ...{ text, title, extractor: "firecrawl", facts: {}, warnings: [] },
    });
    return toFound({ page, url, status, contentType: "text/markdown", call });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function toFound(asked: Omit<CachedPage, "fetchedAtMs"> & { call: WebFetchCall }): CachedPage {
  const { call, ...found } = asked;
  return { ...found, fetchedAtMs: call.ctx.clock.now() };
}

function toHeaders({ headers, userAgent }: FetchSettings): Record<string, string> {
  const further = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name));
  return {
    "accept-language": ACCEPT_LANGUAGE,
    ...Object.fromEntries(further),
    accept: ACCEPT,
    "user-agent": userAgent ?? USER_AGENT,
  };
}

/** What the page says about its failure is not shown: it comes from outside, and an error is ours. */
function assertStatus({ status, url }: NetResponse): void {
  if (status >= 200 && status < 300) return;
  const isMissing = status === 404 || status === 410;
  throw new ToolError(
    isMissing ? "not_found" : "failed",
    `${url.slice(0, 300)} answered with status ${status}.`,
    { reason: isMissing ? "page_missing" : "http_status", details: { httpStatus: status, url } },
  );
}

function noText({ url, page, contentType }: CachedPage): ToolError {
  const why = page.warnings.length === 0 ? "it is empty" : page.warnings.join("; ");
  return new ToolError("failed", `${url.slice(0, 300)} has no text that could be read: ${why}.`, {
    reason: page.facts.pageKind === "script-shell" ? "script_rendered" : "page_empty",
    details: { contentType, ...page.facts },
  });
}

function noNet(): ToolError {
  return new ToolError(
    "unavailable",
    "web_fetch needs net in the context, the port to the network; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["net"] } },
  );
}

function turnedOff(): ToolError {
  return new ToolError("denied", "web_fetch is turned off by tools.web.fetch.enabled.", {
    reason: "tool_disabled",
  });
}
