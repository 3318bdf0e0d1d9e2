// The second opinion on a page: Readability over a document of linkedom, of which our own writer
// makes the text. It can be slow and may never end, so it belongs into a thread with a deadline.

import { type Extraction, type ExtractRequest, extractBody, extractHtml } from "./extract.js";
import { scanHtml } from "./tree/scan.js";

/** Much shorter than ours with as many links, it has lost something. */
const MIN_SHARE = 0.5;
const SAME_LINKS = 0.1;

/** The better of the two; ours when there is no other. Rejects when a package is missing. */
async function takeSecondOpinion(request: ExtractRequest, own: Extraction): Promise<Extraction> {
  const [{ Readability }, { parseHTML }] = await Promise.all([
    import("@mozilla/readability"),
    import("linkedom"),
  ]);
  const { document } = parseHTML(toDocument(request.source));
  const article = new Readability(document, { charThreshold: 0, keepClasses: true }).parse();
  if (!article?.content) return own;
  // What the page hides by a rule stays hidden in what was taken of it.
  const { styles } = scanHtml(request.source, request.Tokenizer);
  const source = `<title></title><style>${styles}</style>${article.content}`;
  const other = extractBody({ ...request, source });
  const isPoor =
    other.keptChars < own.keptChars * MIN_SHARE &&
    Math.abs(other.linkShare - own.linkShare) < SAME_LINKS;
  if (isPoor || other.keptChars === 0) return own;
  const coverage = own.visibleChars === 0 ? 0 : Math.min(1, other.keptChars / own.visibleChars);
  return {
    ...own,
    text: other.text,
    title: own.title === "" ? (article.title ?? "") : own.title,
    extractor: "readability",
    keptChars: other.keptChars,
    leftChars: Math.max(0, own.leftChars + own.keptChars - other.keptChars),
    coverage: Math.round(coverage * 100) / 100,
    linkShare: other.linkShare,
    isCut: other.isCut,
    wantsSecond: false,
  };
}

/** linkedom takes the first element for the whole document, whatever it is. */
function toDocument(source: string): string {
  return /<html[\s>]/i.test(source) ? source : `<html><body>${source}</body></html>`;
}

/** Everything in one go, for a thread of its own. */
export async function extractWithSecond(request: ExtractRequest): Promise<Extraction> {
  const own = extractHtml(request);
  return own.wantsSecond ? takeSecondOpinion(request, own) : own;
}
