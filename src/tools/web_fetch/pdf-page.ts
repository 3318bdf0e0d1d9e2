// A PDF as a page: read in a thread, with what is to be said when there is no text in it.

import { type NetResponse, ToolError } from "../../core/index.js";
import { runOffThread } from "./off-thread.js";
import type { PageText } from "./page-text.js";
import type { PdfText } from "./pdf.js";

const PDF_TIMEOUT_MS = 20_000;

export async function readPdfPage(request: {
  readonly response: NetResponse;
  readonly signal: AbortSignal;
}): Promise<PageText> {
  const { response, signal } = request;
  if (response.isCut) {
    throw new ToolError(
      "limit",
      `The PDF is larger than the ${response.body.length} bytes that are read; raise tools.web.fetch.maxResponseBytes.`,
      { reason: "page_too_large" },
    );
  }
  const job = { kind: "pdf", bytes: response.body };
  // The thread runs `work` of the same module, so its answer has that shape.
  const { text, title, pages } = (await runOffThread({
    job,
    timeoutMs: PDF_TIMEOUT_MS,
    signal,
  })) as PdfText;
  const warnings =
    text === "" ? [`none of its ${pages} pages holds text; they may be scanned pictures`] : [];
  return { text, title, extractor: "pdf", facts: { pages }, warnings };
}
