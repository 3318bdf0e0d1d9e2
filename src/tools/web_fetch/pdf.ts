// The text of a PDF, page by page. Parsing can take long, so it belongs into a thread with a
// deadline.

import { MAX_KEPT_CHARS } from "./limits.js";
import { unavailable } from "./packages.js";

export interface PdfText {
  readonly text: string;
  readonly title: string;
  readonly pages: number;
}

export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { extractText, getDocumentProxy, getMeta } = await import("unpdf").catch(
    unavailable("unpdf"),
  );
  const document = await getDocumentProxy(bytes);
  const { totalPages, text } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document);
  const title: unknown = info?.Title;
  const pages = text.map((page, index) => `[Page ${index + 1} of ${totalPages}]\n\n${page.trim()}`);
  const isBlank = text.every((page) => page.trim() === "");
  return {
    text: isBlank ? "" : pages.join("\n\n").slice(0, MAX_KEPT_CHARS),
    title: typeof title === "string" ? title.trim() : "",
    pages: totalPages,
  };
}
