// A page of HTML: read here when it is small, in a thread when it is large; and what a reader should
// know about it.

import { isToolError } from "../../core/index.js";
import { describePage, findOnward } from "./html/describe-page.js";
import { type Extraction, extractBody, extractHtml } from "./html/extract.js";
import type { TextMode } from "./html/text/markdown.js";
import { runOffThread } from "./off-thread.js";
import type { PageText } from "./page-text.js";
import type { HtmlJob } from "./worker.js";

/** Up to here a page takes some milliseconds. */
const MAX_CHARS_HERE = 300_000;
const LARGE_TIMEOUT_MS = 5_000;
const POOR_CHARS = 100;
const HANDLED = ["timeout", "failed", "limit"];

export interface HtmlRequest {
  readonly source: string;
  readonly url: string;
  readonly mode: TextMode;
  readonly includesHidden: boolean;
  readonly takesMainPart: boolean;
  readonly signal: AbortSignal;
  /** Whether the model has a tool. */
  readonly offers: (toolName: string) => boolean;
}

interface Read {
  readonly extraction: Extraction;
  /** Why a thread did not give its answer. */
  readonly problem?: string;
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

async function extract(request: HtmlRequest): Promise<Read> {
  if (request.source.length > MAX_CHARS_HERE) return extractLarge(request);
  const Tokenizer = await loadTokenizer();
  const asked = { ...request, Tokenizer };
  if (!request.takesMainPart) return { extraction: extractBody(asked) };
  const own = extractHtml(asked);
  const { keptChars, visibleChars } = own;
  const isPoor = keptChars < POOR_CHARS && visibleChars > keptChars * 2;
  if (!isPoor) return { extraction: own };
  const body = extractBody(asked);
  const isBetter = body.keptChars > keptChars * 2;
  return { extraction: isBetter ? { ...body, title: own.title } : own };
}

async function extractLarge(request: HtmlRequest): Promise<Read> {
  try {
    return { extraction: await inThread(request) };
  } catch (error) {
    const isHandled = isToolError(error) && HANDLED.includes(error.code);
    if (request.signal.aborted || !isHandled) throw error;
    const source = request.source.slice(0, MAX_CHARS_HERE);
    const extraction = extractBody({ ...request, source, Tokenizer: await loadTokenizer() });
    return { extraction: { ...extraction, isCut: true }, problem: error.code };
  }
}

async function inThread(request: HtmlRequest): Promise<Extraction> {
  const { source, url, mode, includesHidden, takesMainPart, signal } = request;
  const job: HtmlJob = { kind: "html", source, url, mode, includesHidden, takesMainPart };
  // The thread runs `work` of the same module, so its answer has that shape.
  return (await runOffThread({ job, timeoutMs: LARGE_TIMEOUT_MS, signal })) as Extraction;
}

async function loadTokenizer() {
  const { Tokenizer } = await import("htmlparser2");
  return Tokenizer;
}
