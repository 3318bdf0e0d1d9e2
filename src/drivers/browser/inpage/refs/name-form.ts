// Whether a pressed element still has its name: a count, an added word, or "Saving" for "Save".

/** In scripts without spaces, each letter counts as a word. */
const TOKENS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|\p{L}[\p{L}\p{M}]*|\p{N}+(?:[.,:]\p{N}+)*/gu;
/** "Cart (2)". */
const COUNTS = /[([]\s*\p{N}[\p{N}.,+]*\s*[)\]]/gu;
const ENDING = /^(.*[aeiouy].*)(?:ing|ed)$/u;
const MIN_STEM_CHARS = 2;

export function isFormOf(before: string, now: string): boolean {
  const [words, others] = [wordsOf(before), wordsOf(now)];
  if (others.length === 0) return true;
  if (words.length === 0) return now.includes(before);
  let at = 0;
  return words.every((word) => {
    const found = others.slice(at).findIndex((other) => isSameVerb(word, other));
    at += found + 1;
    return found >= 0;
  });
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().replace(COUNTS, " ").match(TOKENS) ?? [];
}

/** "save", "saving", "saved"; "submit", "submitting"; "copy", "copied". */
function isSameVerb(word: string, other: string): boolean {
  if (word === other) return true;
  const [stem, otherStem] = [stemOf(word), stemOf(other)];
  if (stem === undefined) return otherStem !== undefined && isStemOf(otherStem, word);
  return otherStem === undefined ? isStemOf(stem, other) : stem === otherStem;
}

function stemOf(word: string): string | undefined {
  const [, stem = ""] = ENDING.exec(word) ?? [];
  return stem.length < MIN_STEM_CHARS ? undefined : stem.replace(/y$/u, "i");
}

function isStemOf(stem: string, word: string): boolean {
  return [word, word.replace(/e$/u, ""), word.replace(/y$/u, "i"), word + word.at(-1)].includes(
    stem,
  );
}
