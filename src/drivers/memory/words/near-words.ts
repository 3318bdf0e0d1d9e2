// Finds the written words that a mistyped one may have meant. Kept in memory by length, with the set
// of letters of each: comparing two numbers rules out almost all of them.
const MIN_CHARS = 4;
const MAX_CHARS = 32;
const REPLACED_FROM_CHARS = 5;
const LONG_WORD_CHARS = 8;
const LETTERS = 26;
const CODE_A = 97;
const PLAIN_WORD = /^\p{L}+$/u;

interface NearWord {
  readonly word: string;
  readonly letters: number;
}

export interface NearWords {
  find(word: string): NearWord[];
}

interface Shelf {
  readonly words: string[];
  masks: Int32Array;
}

export function createNearWords(words: Iterable<string>): NearWords {
  const shelves = new Map<number, Shelf>();
  for (const word of words) {
    const shelf = shelves.get(word.length) ?? { words: [], masks: new Int32Array() };
    shelf.words.push(word);
    shelves.set(word.length, shelf);
  }
  for (const shelf of shelves.values()) shelf.masks = Int32Array.from(shelf.words, maskOf);
  return {
    find(word) {
      if (!canBeMistyped(word)) return [];
      const maxLetters = word.length < LONG_WORD_CHARS ? 1 : 2;
      const found: NearWord[] = [];
      for (let length = word.length - maxLetters; length <= word.length + maxLetters; length++) {
        const shelf = shelves.get(length);
        if (shelf) found.push(...searchShelf(shelf, { word, maxLetters }));
      }
      return found;
    },
  };
}

export function canBeMistyped(word: string): boolean {
  return word.length >= MIN_CHARS && word.length <= MAX_CHARS && PLAIN_WORD.test(word);
}

function* searchShelf(
  { words, masks }: Shelf,
  { word, maxLetters }: { readonly word: string; readonly maxLetters: number },
) {
  const mask = maskOf(word);
  const [first] = word;
  for (let index = 0; index < masks.length; index++) {
    // One change touches two letters of the set at most.
    if (countBits((masks[index] ?? 0) ^ mask) > 2 * maxLetters) continue;
    const known = words[index] ?? "";
    const letters = countChanges(word, known);
    // Slips at the first letter are rare, and other words with another first letter are not.
    const most = known[0] === first ? maxLetters : Number(word.length >= REPLACED_FROM_CHARS);
    if (letters <= most && !isOtherWord(word, known)) yield { word: known, letters };
  }
}

/** A short one of the same length with other letters; neighbours that are swapped stay a slip. */
function isOtherWord(word: string, known: string): boolean {
  if (word.length >= REPLACED_FROM_CHARS || word.length !== known.length) return false;
  return maskOf(word) !== maskOf(known);
}

function maskOf(word: string): number {
  let mask = 0;
  for (let index = 0; index < word.length; index++) {
    const letter = word.charCodeAt(index) - CODE_A;
    // Letters of other scripts share bits: it only lets more through.
    mask |= 1 << (((letter % LETTERS) + LETTERS) % LETTERS);
  }
  return mask;
}

function countBits(value: number): number {
  let rest = value;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count++;
  }
  return count;
}

export function countChanges(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && isSwap) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

const NOT_ASCII = /[^\0-\x7f]/;
const CJK_CHAR =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc\\u3005";
const CJK_RUN = new RegExp(`[${CJK_CHAR}]+`, "gu");
const HAS_CJK = new RegExp(`[${CJK_CHAR}]`, "u");
const IS_CJK = new RegExp(`^[${CJK_CHAR}]+$`, "u");
const CAMEL_WORD = /\b[A-Za-z]*(?:[a-z][A-Z]|[A-Z]{2}[a-z])[A-Za-z]*/g;
const HAS_CAMEL = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
const CAMEL_BORDER = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** `wi-fi`, `time-lapse`: found when written as one word too. */
const HYPHENED = /\b[A-Za-z]{2,}(?:-[A-Za-z]{2,}){1,2}\b/g;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const MARKS = /\p{M}+/gu;

export function toIndexText(text: string): string {
  const plain = NOT_ASCII.test(text) ? splitCjk(text.normalize("NFKC")) : text;
  const extra = [...listCamelParts(plain), ...listJoined(plain)];
  return extra.length === 0 ? plain : `${plain} ${extra.join(" ")}`;
}

export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(MARKS, "").normalize("NFKC").toLowerCase();
}

export function isCjk(word: string): boolean {
  return IS_CJK.test(word);
}

export function listQueryWords(query: string): string[] {
  const text = toIndexText(query);
  return [...text.matchAll(WORD)].map(([word]) => (isCjk(word) ? word : foldText(word)));
}

export function listWords(folded: string): string[] {
  return folded.match(WORD) ?? [];
}

/** No spaces separate such words: pairs are indexed, and the last character alone. */
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
