// A page of HTML: read here when it is small and clear, in a thread when it is large or when a
// second opinion is wanted; and what a reader should know about it.

import { isToolError } from "../../core/index.js";
import { type Extraction, extractBody, extractHtml } from "./html/extract.js";
import type { TextMode } from "./html/text/markdown.js";
import { runOffThread } from "./off-thread.js";
import { unavailable } from "./packages.js";
import type { PageText } from "./page-text.js";
import type { HtmlJob } from "./worker.js";

/** Up to here a page takes some milliseconds. */
const MAX_CHARS_HERE = 300_000;
const LARGE_TIMEOUT_MS = 5_000;
const SECOND_TIMEOUT_MS = 1_500;
const POOR_CHARS = 100;
const LOW_COVERAGE = 0.25;
const MANY_HIDDEN_CHARS = 200;
const FEW_CHARS = 250;
const REFRESH_WITHIN_CHARS = 20_000;
const MAX_SHOWN_URL_CHARS = 500;
const REFRESH =
  /<meta\s[^<>]{0,200}?http-equiv\s*=\s*["']?refresh\b[^<>]{0,200}?\burl\s*=\s*['"]?([^"'<>\s]{1,2000})/i;

export interface HtmlRequest {
  readonly source: string;
  readonly url: string;
  readonly mode: TextMode;
  readonly includesHidden: boolean;
  readonly takesMainPart: boolean;
  readonly signal: AbortSignal;
  readonly offersBrowser: boolean;
}

interface Read {
  readonly extraction: Extraction;
  /** Why a thread did not give its answer. */
  readonly problem?: string;
}

export async function readHtml(request: HtmlRequest): Promise<PageText> {
  const { extraction, problem } = await extract(request);
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
      ...(problem === undefined ? {} : { secondOpinion: problem }),
    },
    warnings: describe(extraction, request),
  };
}

async function extract(request: HtmlRequest): Promise<Read> {
  if (request.source.length > MAX_CHARS_HERE) return extractLarge(request);
  const Tokenizer = await loadTokenizer();
  const asked = { ...request, Tokenizer };
  if (!request.takesMainPart) return { extraction: extractBody(asked) };
  const own = extractHtml(asked);
  const read = own.wantsSecond ? await askSecond(request, own) : { extraction: own };
  const { keptChars, visibleChars } = read.extraction;
  const isPoor = keptChars < POOR_CHARS && visibleChars > keptChars * 2;
  if (!isPoor) return read;
  const body = extractBody(asked);
  return body.keptChars > keptChars * 2
    ? { ...read, extraction: { ...body, title: own.title } }
    : read;
}

async function askSecond(request: HtmlRequest, own: Extraction): Promise<Read> {
  try {
    return { extraction: await inThread(request, SECOND_TIMEOUT_MS) };
  } catch (error) {
    if (request.signal.aborted || !isToolError(error)) throw error;
    return { extraction: own, problem: error.code };
  }
}

async function extractLarge(request: HtmlRequest): Promise<Read> {
  try {
    return { extraction: await inThread(request, LARGE_TIMEOUT_MS) };
  } catch (error) {
    const isHandled = isToolError(error) && (error.code === "timeout" || error.code === "failed");
    if (request.signal.aborted || !isHandled) throw error;
    const source = request.source.slice(0, MAX_CHARS_HERE);
    const extraction = extractBody({ ...request, source, Tokenizer: await loadTokenizer() });
    return { extraction: { ...extraction, isCut: true }, problem: error.code };
  }
}

async function inThread(request: HtmlRequest, timeoutMs: number): Promise<Extraction> {
  const { source, url, mode, includesHidden, takesMainPart, signal } = request;
  const job: HtmlJob = { kind: "html", source, url, mode, includesHidden, takesMainPart };
  // The thread runs `work` of the same module, so its answer has that shape.
  return (await runOffThread({ job, timeoutMs, signal })) as Extraction;
}

async function loadTokenizer() {
  const { Tokenizer } = await import("htmlparser2").catch(unavailable("htmlparser2"));
  return Tokenizer;
}

const KIND_WARNINGS: Readonly<Partial<Record<Extraction["pageKind"], string>>> = {
  "script-shell": "it is rendered by scripts, which web_fetch does not run",
  "script-shell-data": "it is rendered by scripts; this text comes from the data inside it",
  paywall: "it seems to be behind a paywall, so the text may end early",
  "consent-wall": "it seems to show a question about cookies instead of its content",
  index: "it is a list of links rather than an article",
};

function describe(
  extraction: Extraction,
  { offersBrowser, includesHidden, source, url }: HtmlRequest,
): readonly string[] {
  const { pageKind, coverage, hiddenChars, visibleChars, isCut } = extraction;
  const kind = KIND_WARNINGS[pageKind];
  const warnings = kind === undefined ? [] : [kind];
  if (pageKind.startsWith("script-shell") && offersBrowser) warnings.push("use browser to see it");
  const isPlain = pageKind === "article" || pageKind === "docs";
  if (isPlain && coverage < LOW_COVERAGE && visibleChars > 0) {
    warnings.push(
      `only ${Math.round(coverage * 100)} % of its visible text was taken for its content`,
    );
  }
  if (!includesHidden && hiddenChars > MANY_HIDDEN_CHARS && hiddenChars > visibleChars) {
    warnings.push(`${hiddenChars} characters of it are hidden; includeHidden: true shows them`);
  }
  if (isCut) warnings.push("it was too large to be read to its end");
  const onward = visibleChars < FEW_CHARS ? findRefresh(source, url) : undefined;
  if (onward !== undefined) warnings.push(`it sends its readers on to ${onward}`);
  return warnings;
}

/** Where a page without much text leads by itself; it is named and not followed. */
function findRefresh(source: string, url: string): string | undefined {
  const [, written] = REFRESH.exec(source.slice(0, REFRESH_WITHIN_CHARS)) ?? [];
  if (written === undefined || !URL.canParse(written, url)) return undefined;
  const { href, protocol } = new URL(written, url);
  const isWeb = protocol === "http:" || protocol === "https:";
  return isWeb && href.length <= MAX_SHOWN_URL_CHARS ? href : undefined;
}
