// What is shown of a page: its title, as much of the text as may be, and outside of what comes from
// the page our own notices: where it came from, what is to be known of it, where the rest is.

import { quoteForeign } from "../../core/index.js";
import { cutChars } from "../../lib/unicode-text.js";
import type { CachedPage } from "./execute.js";
import type { WebFetchCall } from "./index.js";

const MAX_TITLE_CHARS = 256;
const HEAD_SHARE = 0.5;
const MAX_URL_CHARS = 2_048;
const LINE_SHARE = 0.2;

export interface ShowRequest {
  readonly call: WebFetchCall;
  readonly url: string;
  readonly found: CachedPage;
  readonly maxChars: number;
  /** `limits.resultChars` allows less than maxChars. */
  readonly isLimited: boolean;
  readonly notes: readonly string[];
  readonly isCached: boolean;
  readonly tookMs: number;
}

export function showPage(request: ShowRequest) {
  const { call, url, found, maxChars, isCached, tookMs } = request;
  const { page, status, contentType, fetchedAtMs } = found;
  const { params } = call;
  const finalUrl = found.url.length > MAX_URL_CHARS ? url : found.url;
  const head = fitHead(writeHead(page.title), Math.floor(maxChars * HEAD_SHARE));
  const { isLimited } = request;
  const body = cutBody({ call, found, isLimited, maxChars: Math.max(0, maxChars - head.length) });
  return {
    content: [{ type: "text" as const, text: head + body.text }],
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
    notices: [...writeNotices(request, finalUrl), ...body.notices],
  };
}

function writeNotices(
  { call, url, found, notes }: ShowRequest,
  finalUrl: string,
): readonly string[] {
  const { warnings } = found.page;
  return [
    ...notes,
    ...(url === call.params.url ? [] : [`The address had no scheme; ${url} was fetched.`]),
    ...(isSamePage(url, finalUrl)
      ? []
      : [
          `Redirected to ${quoteForeign(new URL(finalUrl).origin)}; the whole address is the source above.`,
        ]),
    ...(warnings.length === 0 ? [] : [`Note on this page: ${warnings.join("; ")}.`]),
  ];
}

function isSamePage(asked: string, found: string): boolean {
  const [one, other] = [asked, found].map((address) => {
    if (!URL.canParse(address)) return address;
    const url = new URL(address);
    url.hash = "";
    return url.href;
  });
  return one === other;
}

function writeHead(title: string): string {
  return title === "" ? "" : `# ${cutChars(title, MAX_TITLE_CHARS)}\n\n`;
}

function fitHead(head: string, maxChars: number): string {
  return head.length <= maxChars ? head : `${cutChars(head, Math.max(0, maxChars - 3))}…\n\n`;
}

interface Body {
  readonly text: string;
  readonly isCut: boolean;
  readonly artifact?: string | undefined;
  readonly notices: readonly string[];
}

function cutBody(asked: Pick<ShowRequest, "call" | "found" | "maxChars" | "isLimited">): Body {
  const { call, found, maxChars, isLimited } = asked;
  const { text } = found.page;
  if (text.length <= maxChars) return { text, isCut: false, notices: [] };
  const shown = cutAtLine(text, maxChars);
  const { artifacts, sessionKey } = call.ctx;
  const id = artifacts?.put({ sessionKey, text, untrusted: { source: found.url } });
  const artifact = id === undefined ? undefined : `artifact://${id}`;
  const range = `Characters 1-${shown.length} of ${text.length}.`;
  const limit = isLimited ? " limits.resultChars allows no more in one result." : "";
  const notices = [`${range}${limit} ${describeNext({ call, artifact, shown, isLimited })}`];
  return { text: shown, isCut: true, artifact, notices };
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
  isLimited: boolean;
}): string {
  const { call, artifact, shown, isLimited } = asked;
  if (artifact === undefined || !call.ctx.offers("read")) {
    if (isLimited) return "The rest is not shown; raise limits.resultChars to see more.";
    return "The rest is not shown; a larger maxChars shows more, up to tools.web.fetch.maxCharsCap.";
  }
  const lines = shown.split("\n");
  const cursor = lines.at(-1)?.length ?? 0;
  const place = cursor === 0 ? "" : `, cursor=${cursor}`;
  return `Continue with read, path="${artifact}", offset=${lines.length}${place}.`;
}
