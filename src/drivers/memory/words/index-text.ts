// Text as the index is given it, and queries as words: both by the same rules, so that they meet.
// Stems and letter case are left to the tokenizer of the database.

const NOT_ASCII = /[^\0-\x7f]/;
const CJK_CHAR =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc\\u3005";
const CJK_RUN = new RegExp(`[${CJK_CHAR}]+`, "gu");
const HAS_CJK = new RegExp(`[${CJK_CHAR}]`, "u");
const IS_CJK = new RegExp(`^[${CJK_CHAR}]+$`, "u");
/** `parseRetryCount`, `HTTPServer`. */
const CAMEL_WORD = /\b[A-Za-z]*(?:[a-z][A-Z]|[A-Z]{2}[a-z])[A-Za-z]*/g;
const HAS_CAMEL = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
const CAMEL_BORDER = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** `wi-fi`, `time-lapse`: found when written as one word too. */
const HYPHENED = /\b[A-Za-z]{2,}(?:-[A-Za-z]{2,}){1,2}\b/g;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const MARKS = /\p{M}+/gu;

/** What the tokenizer is given for a text. */
export function toIndexText(text: string): string {
  const plain = NOT_ASCII.test(text) ? splitCjk(text.normalize("NFKC")) : text;
  const extra = [...listCamelParts(plain), ...listJoined(plain)];
  return extra.length === 0 ? plain : `${plain} ${extra.join(" ")}`;
}

/** Letters without marks, in lower case: what words are compared by. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(MARKS, "").normalize("NFKC").toLowerCase();
}

export function isCjk(word: string): boolean {
  return IS_CJK.test(word);
}

/** The words of a query in their order, CJK ones as the pairs of characters that are indexed. */
export function listQueryWords(query: string): string[] {
  const text = toIndexText(query);
  return [...text.matchAll(WORD)].map(([word]) => (isCjk(word) ? word : foldText(word)));
}

/** Words of a text as they are compared, without those of the index alone. */
export function listWords(folded: string): string[] {
  return folded.match(WORD) ?? [];
}

/**
 * Splits a run of such characters into pairs, because no spaces separate words. The last character
 * is also a term of its own, so that every character begins one.
 */
function splitCjk(text: string): string {
  if (!HAS_CJK.test(text)) return text;
  return text.replace(CJK_RUN, (run) => ` ${listPairs(run).join(" ")} `);
}

function listPairs(run: string): string[] {
  const chars = [...run];
  const pairs = chars.slice(1).map((char, index) => `${chars[index]}${char}`);
  return [...pairs, chars.at(-1) ?? ""];
}

function listCamelParts(text: string): string[] {
  if (!HAS_CAMEL.test(text)) return [];
  const words = text.match(CAMEL_WORD) ?? [];
  return words.flatMap((word) => word.split(CAMEL_BORDER));
}

function listJoined(text: string): string[] {
  if (!text.includes("-")) return [];
  return (text.match(HYPHENED) ?? []).map((word) => word.replaceAll("-", ""));
}
