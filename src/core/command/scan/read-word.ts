// Reads one word of a command as bash does. Anything that bash would expand is refused.

import { toPrintable } from "../../../lib/printable.js";
import { type CommandRefusal, refuse } from "../plan.js";
import { readBracket } from "./glob-pattern.js";

const ADVICE: Readonly<Record<string, string>> = {
  expansion: "Write out what it means, or put it in single quotes where it is meant as it is.",
  brace_expansion: "Write each word out.",
  comment: "Leave it out, or put it in quotes.",
  line_continuation: "Write it on one line.",
  pattern: "Use only *, ? and sets such as [abc], or name the files.",
  quote: "Close it.",
  redirect: "Write <, >, >>, 2> or &> and the name of a file; a text goes into a file first.",
  shell_syntax: "Write simple commands joined by |, &&, || or ;, or put it into a script.",
};

export interface ScannedWord {
  readonly text: string;
  /** With an unquoted `*`, `?` or `[...]`: the word in which what was quoted has a backslash. */
  readonly pattern?: string;
  readonly isPlain: boolean;
}

export interface WordEnd {
  readonly word: ScannedWord;
  readonly next: number;
}

const ENDS_WORD = /[ \t\n;&|<>()]/;
const ORDINARY = /[^ \t\n;&|<>()'"\\$`*?[~{#]+/y;
const AFTER_DOLLAR = /[" |)]/;
const BEFORE_TILDE = /[=:]/;
const ESCAPED_IN_DOUBLE = /[$`"\\]/;
const PATTERN_SIGNS = /[*?[\]\\]/g;

interface Draft {
  text: string;
  pattern: string;
  hasPattern: boolean;
  isPlain: boolean;
  hasBrace: boolean;
}

export function readWord(source: string, at: number): WordEnd | CommandRefusal {
  const draft = { text: "", pattern: "", hasPattern: false, isPlain: true, hasBrace: false };
  let next = at;
  while (next < source.length && !ENDS_WORD.test(source[next] ?? "")) {
    const step = readPiece({ source, at: next, start: at, draft });
    if (typeof step !== "number") return step;
    next = step;
  }
  if (draft.hasBrace && /,|\.\./.test(draft.text)) {
    return refuseAt("brace_expansion", { text: source, at, what: "braces that expand" });
  }
  if (source[at] === "{" && /[<>]/.test(source[next] ?? "")) {
    return refuseAt("redirect", { text: source, at, what: "a descriptor with a name" });
  }
  const { text, pattern, hasPattern, isPlain } = draft;
  return { word: { text, isPlain, ...(hasPattern ? { pattern } : {}) }, next };
}

interface Place {
  readonly source: string;
  readonly at: number;
  readonly start: number;
  readonly draft: Draft;
}

function readPiece(place: Place): number | CommandRefusal {
  const { source, at, draft } = place;
  ORDINARY.lastIndex = at;
  const run = ORDINARY.exec(source)?.[0];
  if (run !== undefined) {
    add(draft, run);
    return at + run.length;
  }
  const sign = source[at] ?? "";
  const refuse = (kind: string, what: string) => refuseAt(kind, { text: source, at, what });
  if (sign === "'") return readSingle(place);
  if (sign === '"') return readDouble(place);
  if (sign === "\\") return readEscape(place);
  if (sign === "$") return refuse("expansion", "an expansion");
  if (sign === "`") return refuse("expansion", "a command substitution");
  if (sign === "#" && at === place.start) return refuse("comment", "a comment");
  if (sign === "~" && (at === place.start || BEFORE_TILDE.test(source[at - 1] ?? ""))) {
    return refuse("expansion", "a tilde that means a home folder");
  }
  if (sign === "*" || sign === "?" || sign === "[") return readPattern(place);
  if (sign === "{") draft.hasBrace = true;
  add(draft, sign);
  return at + 1;
}

function add(draft: Draft, text: string): void {
  draft.text += text;
  draft.pattern += text.replace(PATTERN_SIGNS, "\\$&");
}

function readSingle({ source, at, draft }: Place): number | CommandRefusal {
  const end = source.indexOf("'", at + 1);
  if (end === -1) return refuseAt("quote", { text: source, at, what: "a quote without an end" });
  draft.isPlain = false;
  add(draft, source.slice(at + 1, end));
  return end + 1;
}

function readDouble({ source, at, draft }: Place): number | CommandRefusal {
  draft.isPlain = false;
  let next = at + 1;
  let from = next;
  for (; next < source.length; next += 1) {
    const sign = source[next] ?? "";
    const after = source[next + 1] ?? "";
    const place = { text: source, at: next };
    if (sign === '"') {
      add(draft, source.slice(from, next));
      return next + 1;
    }
    if (sign === "`") return refuseAt("expansion", { ...place, what: "a command substitution" });
    if (sign === "$" && !AFTER_DOLLAR.test(after)) {
      return refuseAt("expansion", { ...place, what: "an expansion" });
    }
    if (sign !== "\\") continue;
    if (after === "\n") return refuseAt("line_continuation", { ...place, what: "a joined line" });
    if (ESCAPED_IN_DOUBLE.test(after)) {
      add(draft, source.slice(from, next));
      from = next + 1;
    }
    next += 1;
  }
  return refuseAt("quote", { text: source, at, what: "a quote without an end" });
}

function readEscape({ source, at, draft }: Place): number | CommandRefusal {
  const character = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
  if (at + 1 >= source.length) {
    return refuseAt("quote", { text: source, at, what: "a backslash without a character" });
  }
  if (character === "\n") {
    return refuseAt("line_continuation", { text: source, at, what: "a joined line" });
  }
  draft.isPlain = false;
  add(draft, character);
  return at + 1 + character.length;
}

function readPattern({ source, at, start, draft }: Place): number | CommandRefusal {
  if (source[at] !== "[") return addPattern({ draft, at, raw: source[at] ?? "" });
  const bracket = readBracket(source, at);
  if (bracket) return addPattern({ draft, at, raw: source.slice(at, at + bracket.length) });
  const isAlone = at === start && (at + 1 >= source.length || ENDS_WORD.test(source[at + 1] ?? ""));
  if (!isAlone)
    return refuseAt("pattern", { text: source, at, what: "a pattern too rich to read" });
  add(draft, "[");
  return at + 1;
}

function addPattern(piece: { draft: Draft; at: number; raw: string }): number {
  const { draft, at, raw } = piece;
  draft.text += raw;
  draft.pattern += raw;
  draft.hasPattern = true;
  return at + raw.length;
}

export function refuseAt(
  kind: string,
  place: { readonly text: string; readonly at: number; readonly what: string },
): CommandRefusal {
  const { text, at, what } = place;
  const found =
    at < text.length ? `, before ${JSON.stringify(toPrintable(text.slice(at), 20))}` : "";
  const advice = Object.hasOwn(ADVICE, kind) ? ` ${ADVICE[kind]}` : "";
  return refuse(kind, `The command has ${what} at character ${at + 1}${found}.${advice}`);
}
