// The text of a PDF, page by page, until enough is kept. Parsing can take long, so it belongs into a
// thread with a deadline.

import { MAX_KEPT_CHARS } from "./limits.js";

type PdfDocument = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

export interface PdfText {
  readonly text: string;
  readonly title: string;
  readonly pages: number;
}

export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
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
