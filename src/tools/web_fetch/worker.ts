// What is done in a thread of its own: large pages and JSON, PDF. The thread imports this file by its
// address and calls `work`.

import { type Extraction, extractBody, extractHtml } from "./html/extract.js";
import type { TextMode } from "./html/text/markdown.js";
import { formatJson } from "./json.js";
import { MAX_KEPT_CHARS } from "./settings.js";

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

type PdfDocument = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

export interface PdfText {
  readonly text: string;
  readonly title: string;
  readonly pages: number;
}

async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import("unpdf");
  const document = await getDocumentProxy(bytes);
  const { numPages } = document;
  const { info } = await document.getMetadata();
  const title: unknown = Reflect.get(info, "Title");
  let text = "";
  let isBlank = true;
  for (let number = 1; number <= numPages && text.length < MAX_KEPT_CHARS; number++) {
    const page = (await readPageText(document, number)).trim();
    isBlank &&= page === "";
    text += `${number === 1 ? "" : "\n\n"}[Page ${number} of ${numPages}]\n\n${page}`;
  }
  return {
    text: isBlank ? "" : text.slice(0, MAX_KEPT_CHARS),
    title: typeof title === "string" ? title.trim() : "",
    pages: numPages,
  };
}

/** Read in pieces, so that no more of it is made than is kept. */
async function readPageText(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number);
  let text = "";
  for await (const { items } of page.streamTextContent()) {
    for (const item of items) text += `${item.str ?? ""}${item.hasEOL ? "\n" : ""}`;
    if (text.length >= MAX_KEPT_CHARS) break;
  }
  page.cleanup();
  return text;
}
