// Characters that no one sees: a model reads them all the same, so they are left out and counted.
// Of a title also those that would turn or break its line.

const UNSEEN = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]|\udb40[\udc00-\udc7f]/g;

export function dropUnseen(text: string): { readonly text: string; readonly hiddenChars: number } {
  const seen = text.replace(UNSEEN, "");
  return { text: seen, hiddenChars: text.length - seen.length };
}

const NO_LINE = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** Surrogates without their other half, and marks without a look; the two joiners spell words. */
const NO_LETTER = /\p{Surrogate}|[^\P{Cf}\u200C\u200D]/gu;

/** One line, anyone who wrote it. */
export function toTitle(written: string): string {
  return written.replace(NO_LINE, " ").replace(NO_LETTER, "").trim();
}
