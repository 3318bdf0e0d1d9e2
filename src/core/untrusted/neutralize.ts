// Makes untrusted text harmless: drops or shows unseen characters, breaks forged boundaries.

import { lazy } from "../../lib/lazy.js";
import { findBoundaryBreaks } from "./boundary-names.js";
import { BREAK, type FoldedText, foldText, textOfUnits, UNKNOWN } from "./fold.js";

const TAGS = [
  ...["start_of_turn", "end_of_turn", "bos", "eos", "sop", "bos_token", "eos_token"],
  ...["start_function_call", "end_function_call", "start_function_response"],
  ...["end_function_response", "start_function_declaration", "end_function_declaration"],
  ...["function_call", "function_calls", "function_response", "function_result"],
  ...["function_results", "invoke", "tool_call", "tool_calls", "tool_output", "tool_response"],
  ...["tool_result", "tool_results", "tool_use", "arg_key", "arg_value"],
  ...["im_start", "im_end", "im_sep"],
  ...["think", "thinking", "system", "assistant"],
  ...["system-reminder", "system_reminder", "system-prompt", "system_prompt"],
];
const VENDOR_TAGS = ["tool_call", "tool_calls", "tool_response", "tool_result", "function_call"];
const VALUE_TAGS = ["function", "parameter"];
const HALF_PIPES = ["turn", "channel", "tool", "tool_call", "tool_response", "think"];
const SQUARE_NAMES = [
  ...["inst", "tool_calls", "tool_results", "tool_content", "available_tools"],
  ...["system_prompt", "model_settings", "think"],
];

const GAP = String.raw`\s{0,3}`;
const CLOSING = `${GAP}/?${GAP}`;
const TOKENS = lazy(
  () =>
    new RegExp(
      [
        String.raw`(?<pipe>[<‹]${GAP}\|${GAP}[^\s<>‹›|]{1,48}${GAP}\|${GAP}[>›])`,
        `<${CLOSING}(?:[a-z]{1,12}:)?(?:${anyOf(TAGS)})(?=[\\s/>]|$)`,
        `<${CLOSING}[a-z]{1,16}[_-](?:${anyOf(VENDOR_TAGS)})(?=[\\s/>]|$)`,
        `<${GAP}(?:${anyOf(VALUE_TAGS)})(?:=|\\s{1,3}name${GAP}=)`,
        // Digits are folded to letters where they look like one.
        `<${GAP}unused[oi2-9]{1,4}${GAP}>`,
        `<(?:\\|(?:${anyOf(HALF_PIPES)})|(?:${anyOf(HALF_PIPES)})\\|)>`,
        `<${GAP}<${CLOSING}sys${GAP}>${GAP}>`,
        `(?<sequence><${GAP}s${GAP}>)|<${GAP}/${GAP}s${GAP}>`,
        `(?<square>\\[${GAP}(?:${anyOf(SQUARE_NAMES)})${GAP}\\])`,
        `\\[${GAP}/${GAP}(?:${anyOf(SQUARE_NAMES)})${GAP}\\]`,
        String.raw`\[gmask\]|\]~!?b[\[\]]|\[e~\[`,
      ].join("|"),
      "g",
    ),
);
const NAME_SIGN = new RegExp(`[a-z0-9${UNKNOWN}]`);

function findTokenBreaks(folded: FoldedText, text: string): number[] {
  const breaks: number[] = [];
  for (const match of folded.text.matchAll(TOKENS())) {
    const end = match.index + match[0].length;
    const original = text.slice(folded.origins[match.index], folded.origins[end] ?? text.length);
    if (!isToken(match.groups ?? {}, original)) continue;
    const offset = folded.origins[match.index + 1];
    if (offset !== undefined) breaks.push(offset);
  }
  return breaks;
}

function isToken(groups: Readonly<Record<string, string>>, original: string): boolean {
  if (groups.pipe !== undefined) return isPipeToken(groups.pipe);
  // `Stream<S>` is a type.
  if (groups.sequence !== undefined) return !/\p{Lu}/u.test(original);
  // `cache[inst]` is an element.
  return groups.square === undefined || !/[a-z]/.test(original);
}

function isPipeToken(folded: string): boolean {
  return (!/\s/.test(folded) || folded.includes("_")) && NAME_SIGN.test(folded);
}

function anyOf(names: readonly string[]): string {
  return names.map((name) => foldText(name).text).join("|");
}

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

export function neutralizeText(text: string): string {
  const seen = showUnseen(text);
  const folded = foldText(seen);
  const breaks = [...findBoundaryBreaks(folded), ...findTokenBreaks(folded, seen)];
  // A break may part a joiner from the letter it was kept for.
  return breaks.length === 0 ? seen : showUnseen(insertBreaks(seen, breaks));
}

function insertBreaks(text: string, breaks: readonly number[]): string {
  const pieces: string[] = [];
  let from = 0;
  // A typed array sorts by number, and fast enough for a break at every third character.
  for (const offset of Int32Array.from(breaks).sort()) {
    pieces.push(text.slice(from, offset));
    from = offset;
  }
  pieces.push(text.slice(from));
  return pieces.join(BREAK);
}
