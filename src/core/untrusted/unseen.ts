// Characters that a reader does not see: those that hide or turn text are dropped, those that
// steer a terminal are shown. What a script or an emoji is spelled with stays.

import { lazy } from "../../lib/lazy.js";
import { textOfUnits } from "./utf16-units.js";

const REPLACEMENT = "\uFFFD";
const DELETE = 0x7f;
const DELETE_PICTURE = 0x2421;
const CONTROL_PICTURES = 0x2400;
const FIRST_PRINTABLE = 0x20;
const PLAIN_CONTROLS = [0x09, 0x0a, 0x0d];

// Classes of Unicode are dear to make, and the start of every program would pay: made at first use.

const BROKEN = lazy(() => /[\u0080-\u009F\p{Surrogate}]/gu);
const CONTROL = lazy(() => /[^\P{Cc}\t\n\r]/u);
const HIDDEN_RUN = lazy(() => /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]+/gu);

const FLAG = "\u{1F3F4}";
const FLAG_TAGS =
  /^\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u;
const JOINER = /[\u200C\u200D]/u;
const SELECTOR = /[\uFE00-\uFE0F]/u;
const IDEOGRAPH_SELECTOR = /[\u{E0100}-\u{E01EF}]/u;
const MONGOLIAN_SELECTOR = /[\u180B-\u180D\u180F]/u;

const EMOJI = lazy(() => /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u);
const IDEOGRAPH = lazy(() => /^\p{Script=Han}$/u);
const MONGOLIAN = lazy(() => /^[\p{scx=Mongolian}\p{scx=Phags_Pa}]$/u);
const TAKES_SELECTOR = lazy(
  () => /^(?![\p{ASCII}\uFFFD])[\p{S}\p{scx=Han}\p{scx=Myanmar}\p{Emoji}]$/u,
);
const KEYCAP_BASE = /^[0-9#*]$/;
const KEYCAP = "\u20E3";
/** Ranges, because a pattern of thirty scripts would be dear to make. */
const JOINED_BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x0600, 0x08ff], // Arabic, Syriac, N'Ko, Mandaic
  [0x0900, 0x0dff], // Devanagari to Sinhala
  [0x0f00, 0x109f], // Tibetan, Myanmar
  [0x1780, 0x18af], // Khmer, Mongolian
  [0x1b00, 0x1bbf], // Balinese, Sundanese
  [0x1cd0, 0x1cff], // Vedic signs
  [0xa840, 0xa87f], // Phags-pa
  [0xa8e0, 0xa8ff], // more Devanagari
  [0xa980, 0xa9ff], // Javanese, more Myanmar
  [0xaa60, 0xaa7f], // more Myanmar
  [0xfb50, 0xfdff], // forms of Arabic letters
  [0xfe70, 0xfefe],
  [0x10ac0, 0x10aff], // Manichaean
  [0x10d00, 0x10d3f], // Rohingya
  [0x11000, 0x114df], // Brahmi to Tirhuta
  [0x1e900, 0x1e95f], // Adlam
];

export function showUnseen(text: string): string {
  // Halves first: to drop what is between two of them would make a character of them.
  return showControls(dropHidden(text.replace(BROKEN(), REPLACEMENT)));
}

function showControls(text: string): string {
  if (!CONTROL().test(text)) return text;
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1) units[index] = show(text.charCodeAt(index));
  return textOfUnits(units);
}

function show(code: number): number {
  if (code === DELETE) return DELETE_PICTURE;
  const isShown = code < FIRST_PRINTABLE && !PLAIN_CONTROLS.includes(code);
  return isShown ? CONTROL_PICTURES + code : code;
}

function dropHidden(text: string): string {
  return text.replace(HIDDEN_RUN(), (run: string, offset: number) => {
    const before = characterBefore(text, offset);
    return keepSpelling(run, { before, after: characterAt(text, offset + run.length) });
  });
}

function keepSpelling(run: string, around: { before: string; after: string }): string {
  const { before, after } = around;
  if (before === FLAG && FLAG_TAGS.test(run)) return FLAG_TAGS.exec(run)?.[0] ?? "";
  const selector = keptSelector(run, around);
  const joiner = JOINER.exec(run)?.[0] ?? "";
  const joinsEmoji = joiner === "\u200D" && EMOJI().test(after) && EMOJI().test(before);
  const joinsLetters = isJoinedScript(before) || isJoinedScript(after);
  return selector + (joinsEmoji || joinsLetters ? joiner : "");
}

function isJoinedScript(character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return JOINED_BLOCKS.some(([first, last]) => codePoint >= first && codePoint <= last);
}

function keptSelector(run: string, around: { before: string; after: string }): string {
  const { before, after } = around;
  if (IDEOGRAPH().test(before)) {
    const selector = IDEOGRAPH_SELECTOR.exec(run)?.[0];
    if (selector !== undefined) return selector;
  }
  if (MONGOLIAN().test(before)) return MONGOLIAN_SELECTOR.exec(run)?.[0] ?? "";
  const isKeycap = KEYCAP_BASE.test(before) && after === KEYCAP;
  return isKeycap || TAKES_SELECTOR().test(before) ? (SELECTOR.exec(run)?.[0] ?? "") : "";
}

function characterAt(text: string, index: number): string {
  const codePoint = text.codePointAt(index);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

function characterBefore(text: string, index: number): string {
  const isPair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(0, index - 2), index));
  return index === 0 ? "" : characterAt(text, index - (isPair ? 2 : 1));
}
