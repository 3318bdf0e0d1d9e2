// Fetches a page through the network port and shows its text; a page read lately comes from the
// cache. Which addresses may be reached is decided behind the port.

import { clampOption, type Net, ToolError, ToolInputError } from "../../core/index.js";
import { findBaseUrlFault } from "../../lib/base-url.js";
import { createTimedCache, type TimedCache } from "../../lib/http/timed-cache.js";
import { toPrintable } from "../../lib/printable.js";
import { toTitle } from "./charset.js";
import type { WebFetchCall } from "./index.js";
import { type PageText, readPage, withoutUnseen } from "./page-text.js";
import { askFirecrawl, assertStatus, mayAskAnother } from "./request.js";
import { type FetchSettings, MIN_MAX_CHARS, readSettings } from "./settings.js";
import { showPage } from "./show.js";

const HOST_FIRST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?(?:[/?#]\S*)?$/i;
const USER_AGENT = "Mozilla/5.0 (compatible; clawtools)";
const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5";
const ACCEPT_LANGUAGE = "en-US,en;q=0.9";
/** Set by this tool or by the connection, not by the configuration. */
const OWN_HEADERS =
  /^(?:accept|user-agent|host|connection|content-length|transfer-encoding|te|upgrade)$/i;

export async function execute(call: WebFetchCall) {
  const { params, ctx } = call;
  const { net } = ctx;
  if (net === undefined) throw noNet();
  const settings = readSettings(ctx.config, ctx.environment);
  if (!settings.isEnabled) throw turnedOff();
  const startMs = ctx.clock.now();
  const url = completeUrl(params.url);
  const asked = clampOption(params.maxChars, {
    name: "maxChars",
    least: MIN_MAX_CHARS,
    most: Math.max(MIN_MAX_CHARS, settings.maxCharsCap),
  });
  const wanted = Math.min(asked.value ?? settings.maxChars, settings.maxCharsCap);
  const maxChars = Math.min(wanted, ctx.limits.resultChars);
  const view = { call, url, maxChars, isLimited: maxChars < wanted, notes: asked.notes };
  const key = cacheKey(url, params);
  const cache = cacheOf(net);
  const limits = { nowMs: startMs, maxAgeMs: settings.cacheMs };
  const kept = key === undefined ? undefined : cache.read(key, limits);
  if (kept !== undefined) return showPage({ ...view, found: kept, isCached: true, tookMs: 0 });
  const found = await fetchPage({ call, url, net, settings });
  const isKept = settings.cacheMs > 0 && found.page.facts.pageKind !== "robot-check";
  if (key !== undefined && isKept) cache.write(key, { value: found, nowMs: found.fetchedAtMs });
  const tookMs = ctx.clock.now() - startMs;
  return showPage({ ...view, found, isCached: false, tookMs });
}

interface Fetching {
  readonly call: WebFetchCall;
  readonly url: string;
  readonly net: Net;
  readonly settings: FetchSettings;
}

async function fetchPage(fetching: Fetching): Promise<CachedPage> {
  let page: CachedPage;
  try {
    page = await fetchDirectly(fetching);
  } catch (error) {
    fetching.call.signal.throwIfAborted();
    const other = mayAskAnother(error) ? await tryFirecrawl(fetching) : undefined;
    if (other !== undefined) return other;
    // What went wrong first is what the caller can do something about.
    throw error;
  }
  if (isReadable(page)) return withOnward(page);
  const shown = (await tryFirecrawl(fetching)) ?? withOnward(page);
  if (shown.page.text === "") throw noText(fetching.url, shown);
  return shown;
}

/** An address that the page wrote belongs into its text, among what is marked as from outside. */
function withOnward(found: CachedPage): CachedPage {
  const { onward, text } = found.page;
  if (onward === undefined) return found;
  const leads = {
    refresh: "This page sends its readers on to",
    frame: "This page shows a frame of",
  };
  const all = `${text}\n\n${leads[onward.kind]} ${onward.url}`.trim();
  return { ...found, page: { ...found.page, text: all } };
}

function isReadable({ page }: CachedPage): boolean {
  const { pageKind } = page.facts;
  return page.text !== "" && pageKind !== "script-shell" && pageKind !== "robot-check";
}

async function fetchDirectly({ call, url: asked, net, settings }: Fetching): Promise<CachedPage> {
  const { params, ctx, signal } = call;
  const { maxResponseBytes: maxBytes, timeoutMs, maxRedirects } = settings;
  const response = await net.fetch({
    url: asked,
    headers: toHeaders(settings),
    limits: { maxBytes, timeoutMs, maxRedirects },
    signal,
  });
  assertStatus(response, { asked, nowMs: ctx.clock.now(), offers: ctx.offers });
  const page = await readPage({
    response,
    asked,
    mode: params.extractMode ?? "markdown",
    includesHidden: params.includeHidden === true,
    takesMainPart: settings.takesMainPart,
    signal,
    offers: ctx.offers,
  });
  const { url, status, headers } = response;
  return toFound({ page, url, status, contentType: headers["content-type"] ?? "", call });
}

async function tryFirecrawl(fetching: Fetching): Promise<CachedPage | undefined> {
  const { call, url: asked, net, settings } = fetching;
  const { signal } = call;
  if (settings.firecrawl === undefined) return undefined;
  assertFirecrawlAddress(settings.firecrawl.baseUrl);
  try {
    // A name that could not be looked up has not been judged: another's network may know it.
    await net.check(asked, { signal });
    const answer = await askFirecrawl({
      ...{ net, signal, url: asked },
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
  const { call, page, ...found } = asked;
  const title = toTitle(page.title);
  return { ...found, page: { ...page, title }, fetchedAtMs: call.ctx.clock.now() };
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

function noText(asked: string, { url, page, contentType }: CachedPage): ToolError {
  const why = page.warnings.length === 0 ? "it is empty" : page.warnings.join("; ");
  return new ToolError("failed", `${toPrintable(asked)} has no text that could be read: ${why}.`, {
    reason: page.facts.pageKind === "script-shell" ? "script_rendered" : "page_empty",
    details: { url, contentType, ...page.facts },
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

/** Throws `invalid_input` for an address that cannot be asked, or would show the key to everybody. */
function assertFirecrawlAddress(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const fault = findBaseUrlFault(baseUrl, "https://firecrawl.example.com");
  if (fault === undefined) return;
  throw new ToolInputError(`tools.web.fetch.firecrawl.baseUrl ${fault}`, {
    reason: "firecrawl_address_invalid",
  });
}

function completeUrl(written: string): string {
  const url = written.trim();
  const completed = `https://${url}`;
  return HOST_FIRST.test(url) && URL.canParse(completed) ? completed : written;
}

const MAX_ENTRIES = 100;
const MAX_TOTAL_CHARS = 20_000_000;

export interface CachedPage {
  readonly page: PageText;
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly fetchedAtMs: number;
}

const CACHES = new WeakMap<Net, TimedCache<CachedPage>>();

function cacheOf(net: Net): TimedCache<CachedPage> {
  const known = CACHES.get(net);
  if (known !== undefined) return known;
  const made = createTimedCache<CachedPage>({
    maxEntries: MAX_ENTRIES,
    maxSize: MAX_TOTAL_CHARS,
    sizeOf: ({ page }) => page.text.length,
  });
  CACHES.set(net, made);
  return made;
}

function cacheKey(
  address: string,
  { extractMode = "markdown", includeHidden = false }: WebFetchCall["params"],
): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.hash = "";
  return `${extractMode} ${includeHidden ? "all" : "seen"} ${url.href}`;
}
