// A page of HTML: read here when it is small and clear, in a thread when it is large or when a
// second opinion is wanted; and what a reader should know about it.

import { isToolError } from "../../core/index.js";
import { describePage, findOnward } from "./html/describe-page.js";
import { type Extraction, extractBody, extractHtml } from "./html/extract.js";
import type { TextMode } from "./html/text/markdown.js";
import { type OffThreadRequest, runOffThread } from "./off-thread.js";
import { unavailable } from "./packages.js";
import type { PageText } from "./page-text.js";
import type { HtmlJob } from "./worker.js";

/** Up to here a page takes some milliseconds. */
const MAX_CHARS_HERE = 300_000;
const LARGE_TIMEOUT_MS = 5_000;
const SECOND_TIMEOUT_MS = 1_500;
const POOR_CHARS = 100;

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
      ...(problem === undefined ? {} : { secondOpinion: problem }),
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
    const limits = { timeoutMs: SECOND_TIMEOUT_MS, maxWaitMs: SECOND_TIMEOUT_MS };
    return { extraction: await inThread(request, limits) };
  } catch (error) {
    if (request.signal.aborted || !isToolError(error)) throw error;
    return { extraction: own, problem: error.code };
  }
}

async function extractLarge(request: HtmlRequest): Promise<Read> {
  try {
    return { extraction: await inThread(request, { timeoutMs: LARGE_TIMEOUT_MS }) };
  } catch (error) {
    const isHandled = isToolError(error) && (error.code === "timeout" || error.code === "failed");
    if (request.signal.aborted || !isHandled) throw error;
    const source = request.source.slice(0, MAX_CHARS_HERE);
    const extraction = extractBody({ ...request, source, Tokenizer: await loadTokenizer() });
    return { extraction: { ...extraction, isCut: true }, problem: error.code };
  }
}

async function inThread(
  request: HtmlRequest,
  limits: Pick<OffThreadRequest, "timeoutMs" | "maxWaitMs">,
): Promise<Extraction> {
  const { source, url, mode, includesHidden, takesMainPart, signal } = request;
  const job: HtmlJob = { kind: "html", source, url, mode, includesHidden, takesMainPart };
  // The thread runs `work` of the same module, so its answer has that shape.
  return (await runOffThread({ job, ...limits, signal })) as Extraction;
}

async function loadTokenizer() {
  const { Tokenizer } = await import("htmlparser2").catch(unavailable("htmlparser2"));
  return Tokenizer;
}
