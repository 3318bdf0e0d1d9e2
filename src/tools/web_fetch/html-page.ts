// A page of HTML: read here when it is small, in a thread when it is large; and what a reader should
// know about it.

import type { Extraction } from "./html/extract.js";
import { tryOffThread } from "./off-thread.js";
import type { PageText } from "./page-text.js";
import type { HtmlJob } from "./worker.js";

const MAX_CHARS_HERE = 300_000;
const LARGE_TIMEOUT_MS = 5_000;

export interface HtmlRequest extends Omit<HtmlJob, "kind"> {
  readonly signal: AbortSignal;
  readonly offers: (toolName: string) => boolean;
}

export async function readHtml(request: HtmlRequest): Promise<PageText> {
  const { extraction, problem } = await extract(request);
  const onward = findOnward(extraction, request);
  const { text, title, extractor, pageKind, coverage, hiddenChars, visibleChars } = extraction;
  return {
    text,
    title,
    extractor,
    facts: {
      pageKind,
      coverage,
      hiddenChars,
      visibleChars,
      ...(problem === undefined ? {} : { threadProblem: problem }),
    },
    warnings: describePage(extraction, { ...request, onward }),
    ...(onward === undefined ? {} : { onward }),
  };
}

async function extract(
  request: HtmlRequest,
): Promise<{ readonly extraction: Extraction; readonly problem?: string }> {
  const { source, url, mode, includesHidden, takesMainPart, signal } = request;
  const job: HtmlJob = { kind: "html", source, url, mode, includesHidden, takesMainPart };
  const { thread } = await import("./worker.js");
  if (source.length <= MAX_CHARS_HERE) return { extraction: await thread.html(job) };
  const tried = await tryOffThread({ job, timeoutMs: LARGE_TIMEOUT_MS, signal });
  // The thread runs `html` of the same module, so its answer has that shape.
  if ("answer" in tried) return { extraction: tried.answer as Extraction };
  const start = { ...job, source: source.slice(0, MAX_CHARS_HERE), takesMainPart: false };
  const extraction = { ...(await thread.html(start)), isCut: true };
  return { extraction, problem: tried.problem };
}

const FAIR_SHARE = 0.8;
const MANY_LEFT_CHARS = 200;
const MANY_HIDDEN_CHARS = 200;
const FEW_CHARS = 250;

interface PageView {
  readonly onward: Onward | undefined;
  readonly includesHidden: boolean;
  readonly offers: (toolName: string) => boolean;
}

const KIND_WARNINGS: Readonly<Partial<Record<Extraction["pageKind"], string>>> = {
  "script-shell": "it is rendered by scripts, which web_fetch does not run",
  "script-shell-data": "it is rendered by scripts; this text comes from the data inside it",
  "robot-check":
    "it asks whether a person is reading (a robot check) instead of showing its content",
  paywall: "it seems to be behind a paywall, so the text may end early",
  "consent-wall": "it seems to show a question about cookies instead of its content",
  index: "it is a list of links rather than an article",
};

/** Without the address, which the page wrote: that is in its text. */
const ONWARD_WARNINGS: Readonly<Record<Onward["kind"], string>> = {
  refresh: "it sends its readers on to the address at the end of its text",
  frame: "its content is in a frame; fetch the address at the end of its text",
};

function findOnward(
  { visibleChars }: Extraction,
  page: { readonly source: string; readonly url: string },
): Onward | undefined {
  if (visibleChars >= FEW_CHARS) return undefined;
  const refresh = findRefresh(page.source, page.url);
  if (refresh !== undefined) return { kind: "refresh", url: refresh };
  const frame = findFrame(page.source, page.url);
  return frame === undefined ? undefined : { kind: "frame", url: frame };
}

function describePage(extraction: Extraction, view: PageView): readonly string[] {
  const { pageKind, hiddenChars, visibleChars, isCut } = extraction;
  const kind = KIND_WARNINGS[pageKind];
  const warnings = kind === undefined ? [] : [kind];
  if (pageKind === "script-shell" || pageKind === "robot-check") {
    if (view.onward === undefined) warnings.push(adviseOn(view));
  } else if (pageKind === "script-shell-data" && view.offers("browser")) {
    warnings.push("use browser to see it");
  }
  warnings.push(...describeLeft(extraction));
  if (!view.includesHidden && hiddenChars > MANY_HIDDEN_CHARS && hiddenChars > visibleChars) {
    warnings.push(`${hiddenChars} characters of it are hidden; includeHidden: true shows them`);
  }
  if (isCut) warnings.push("it was too large to be read to its end");
  if (view.onward !== undefined) warnings.push(ONWARD_WARNINGS[view.onward.kind]);
  return warnings;
}

function adviseOn({ offers }: PageView): string {
  if (offers("browser")) return "use browser to see it";
  const other = "the same content may stand at another address, such as a feed, an API or a file";
  return offers("web_search") ? `${other}; web_search may find one` : other;
}

function describeLeft({ pageKind, keptChars, leftChars }: Extraction): readonly string[] {
  const isPlain = pageKind === "article" || pageKind === "docs" || pageKind === "forum";
  const all = keptChars + leftChars;
  if (!isPlain || leftChars < MANY_LEFT_CHARS || keptChars >= all * FAIR_SHARE) return [];
  const share = Math.max(1, Math.round((100 * keptChars) / all));
  return [`only ${share} % of its text outside of menus was taken for its content`];
}

const WITHIN_CHARS = 20_000;
const MAX_SHOWN_URL_CHARS = 500;
const REFRESH =
  /<meta\s[^<>]{0,200}?http-equiv\s*=\s*["']?refresh\b[^<>]{0,200}?\burl\s*=\s*['"]?([^"'<>\s]{1,2000})/i;
const FRAMES = /<i?frame\s[^<>]{1,3000}>/gi;
const FRAME_SOURCE = /\ssrc\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|([^"'<>\s]{1,2000}))/i;
const UNSEEN_FRAME =
  /display\s*:\s*none|visibility\s*:\s*hidden|\shidden\b|\s(?:width|height)\s*=\s*["']?[01](?:px)?["'\s>]/i;

export interface Onward {
  readonly kind: "refresh" | "frame";
  readonly url: string;
}

function findRefresh(source: string, url: string): string | undefined {
  const [, written] = REFRESH.exec(source.slice(0, WITHIN_CHARS)) ?? [];
  return written === undefined ? undefined : toWebAddress(written, url);
}

function findFrame(source: string, url: string): string | undefined {
  for (const [tag] of source.slice(0, WITHIN_CHARS).matchAll(FRAMES)) {
    if (UNSEEN_FRAME.test(tag)) continue;
    const [, quoted, single, bare] = FRAME_SOURCE.exec(tag) ?? [];
    const address = toWebAddress((quoted ?? single ?? bare ?? "").trim(), url);
    if (address !== undefined) return address;
  }
  return undefined;
}

function toWebAddress(written: string, url: string): string | undefined {
  const address = written.replaceAll("&amp;", "&");
  if (address === "" || !URL.canParse(address, url)) return undefined;
  const { href, protocol } = new URL(address, url);
  const isWeb = protocol === "http:" || protocol === "https:";
  return isWeb && href.length <= MAX_SHOWN_URL_CHARS ? href : undefined;
}
