// What is shown of a page: its title, one line of warning, as much of the text as may be, and where
// the rest is.

import type { ToolResult } from "../../core/index.js";
import { cutChars } from "../../lib/unicode-text.js";
import type { CachedPage } from "./cache.js";
import type { WebFetchCall } from "./index.js";

/** Room for the notice about what is left. */
const NOTICE_CHARS = 240;
/** The same without the call that continues, for little room. */
const SHORT_NOTICE_CHARS = 44;
const MAX_TITLE_CHARS = 256;
/** Of what may be shown, the title and the notes on the page take no more. */
const HEAD_SHARE = 0.5;
const MAX_URL_CHARS = 2_048;
/** A cut is moved back to the end of a line when that costs no more than this share. */
const LINE_SHARE = 0.2;

export interface ShowRequest {
  readonly call: WebFetchCall;
  readonly found: CachedPage;
  readonly maxChars: number;
  readonly isCached: boolean;
  readonly tookMs: number;
}

export function showPage({ call, found, maxChars, isCached, tookMs }: ShowRequest): ToolResult {
  const { page, status, contentType, fetchedAtMs } = found;
  const { params } = call;
  const finalUrl = found.url.length > MAX_URL_CHARS ? params.url : found.url;
  const whole = writeHead({ found, finalUrl, askedUrl: params.url });
  const head = fitHead(whole, Math.floor(maxChars * HEAD_SHARE));
  const body = cutBody({ call, found, maxChars: Math.max(0, maxChars - head.length) });
  return {
    content: [{ type: "text", text: head + body.text }],
    details: {
      url: params.url,
      finalUrl,
      status,
      contentType,
      title: page.title,
      extractMode: params.extractMode ?? "markdown",
      extractor: page.extractor,
      ...page.facts,
      truncated: body.isCut,
      length: page.text.length,
      ...(body.artifact === undefined ? {} : { artifact: body.artifact }),
      fetchedAt: new Date(fetchedAtMs).toISOString(),
      tookMs,
      cached: isCached,
      ...(page.warnings.length === 0 ? {} : { warning: page.warnings.join("; ") }),
    },
    untrusted: { source: finalUrl },
  };
}

function writeHead(asked: { found: CachedPage; finalUrl: string; askedUrl: string }): string {
  const { title, warnings } = asked.found.page;
  const lines = title === "" ? [] : [`# ${cutChars(title, MAX_TITLE_CHARS)}`];
  if (asked.finalUrl !== asked.askedUrl) lines.push(`[From ${asked.finalUrl}]`);
  if (warnings.length > 0) lines.push(`[Note on this page: ${warnings.join("; ")}.]`);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
}

function fitHead(head: string, maxChars: number): string {
  return head.length <= maxChars ? head : `${cutChars(head, Math.max(0, maxChars - 3))}…\n\n`;
}

interface Body {
  readonly text: string;
  readonly isCut: boolean;
  readonly artifact?: string | undefined;
}

function cutBody(asked: { call: WebFetchCall; found: CachedPage; maxChars: number }): Body {
  const { call, found, maxChars } = asked;
  const { text } = found.page;
  if (text.length <= maxChars) return { text, isCut: false };
  const isNarrow = maxChars < NOTICE_CHARS * 2;
  const room = maxChars - (isNarrow ? SHORT_NOTICE_CHARS : NOTICE_CHARS);
  const shown = cutAtLine(text, Math.max(0, room));
  const { artifacts, sessionKey } = call.ctx;
  const id = artifacts?.put({ sessionKey, text, untrusted: { source: found.url } });
  const artifact = id === undefined ? undefined : `artifact://${id}`;
  const range = `Characters 1-${shown.length} of ${text.length}.`;
  const next = isNarrow ? "" : ` ${describeNext({ call, artifact, shown })}`;
  return { text: `${shown}\n\n[${range}${next}]`, isCut: true, artifact };
}

function cutAtLine(text: string, maxChars: number): string {
  const whole = cutChars(text, maxChars);
  const end = whole.lastIndexOf("\n");
  return end >= maxChars * (1 - LINE_SHARE) ? whole.slice(0, end) : whole;
}

function describeNext(asked: {
  call: WebFetchCall;
  artifact: string | undefined;
  shown: string;
}): string {
  const { call, artifact, shown } = asked;
  if (artifact === undefined || !call.ctx.offers("read")) {
    return "The rest is not shown; a larger maxChars shows more, up to tools.web.fetch.maxCharsCap.";
  }
  const lines = shown.split("\n");
  const cursor = lines.at(-1)?.length ?? 0;
  const place = cursor === 0 ? "" : `, cursor=${cursor}`;
  return `Continue with read, path="${artifact}", offset=${lines.length}${place}.`;
}
