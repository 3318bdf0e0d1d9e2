// What is done in a thread of its own: large pages and JSON, PDF. The thread imports this file by its
// address and calls the function named like the kind of its job.

import { type Extraction, type ExtractRequest, extractBody, extractHtml } from "./html/extract.js";
import { formatJson } from "./json.js";
import { MAX_KEPT_CHARS } from "./settings.js";

export interface HtmlJob extends Omit<ExtractRequest, "Tokenizer"> {
  readonly kind: "html";
  readonly takesMainPart: boolean;
}

interface PdfJob {
  readonly kind: "pdf";
  readonly bytes: Uint8Array;
}

interface JsonJob {
  readonly kind: "json";
  readonly source: string;
}

export type ThreadJob = HtmlJob | PdfJob | JsonJob;

export const thread = { moduleUrl: import.meta.url, html, json, pdf } as const;

async function html(job: HtmlJob): Promise<Extraction> {
  const { Tokenizer } = await import("htmlparser2");
  const request = { ...job, Tokenizer };
  return job.takesMainPart ? extractHtml(request) : extractBody(request);
}

/** Without a text when it is not valid JSON. */
export interface JsonText {
  readonly text: string | undefined;
}

async function json({ source }: JsonJob): Promise<JsonText> {
  return { text: formatJson(source) };
}

type PdfDocument = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

export interface PdfText {
  readonly text: string;
  readonly title: string;
  readonly pages: number;
}

async function pdf({ bytes }: PdfJob): Promise<PdfText> {
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
