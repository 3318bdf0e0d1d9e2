// What is done in a thread of its own: large pages and JSON, PDF. The thread imports this file by its
// address and calls `work`.

import { type Extraction, extractBody, extractHtml } from "./html/extract.js";
import type { TextMode } from "./html/text/markdown.js";
import { formatJson } from "./json.js";
import { type PdfText, readPdf } from "./pdf.js";

export interface HtmlJob {
  readonly kind: "html";
  readonly source: string;
  readonly url: string;
  readonly mode: TextMode;
  readonly includesHidden: boolean;
  readonly takesMainPart: boolean;
}

export interface PdfJob {
  readonly kind: "pdf";
  readonly bytes: Uint8Array;
}

export interface JsonJob {
  readonly kind: "json";
  readonly source: string;
}

/** For `off-thread.ts`, on both sides of it. */
export const thread = { moduleUrl: import.meta.url, work } as const;

async function work(
  job: HtmlJob | PdfJob | JsonJob,
): Promise<Extraction | PdfText | { readonly text: string | undefined }> {
  if (job.kind === "pdf") return readPdf(job.bytes);
  if (job.kind === "json") return { text: formatJson(job.source) };
  const { Tokenizer } = await import("htmlparser2");
  const request = { ...job, Tokenizer };
  return job.takesMainPart ? extractHtml(request) : extractBody(request);
}
