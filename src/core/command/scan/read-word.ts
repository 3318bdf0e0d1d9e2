// Reads one word of a command as bash does. Anything that bash would expand is refused.

import { toPrintable } from "../../../lib/printable.js";
import { refuse } from "../plan.js";
import { readBracket } from "./glob-pattern.js";

const ADVICE = {
  expansion: "Write out what it means, or put it in single quotes where it is meant as it is.",
  brace_expansion: "Write each word out.",
  comment: "Leave it out, or put it in quotes.",
  control_character: "",
  line_continuation: "Write it on one line.",
  pattern: "Use only *, ? and sets such as [abc], or name the files.",
  quote: "Close it.",
  redirect: "Write <, >, >>, 2> or &> and the name of a file; a text goes into a file first.",
  shell_syntax: "Write simple commands joined by |, &&, || or ;, or put it into a script.",
} as const;

/** A command and the place where it is read next. */
export interface Cursor {
  readonly source: string;
  at: number;
}

export interface ScannedWord {
  readonly text: string;
  /** With an unquoted `*`, `?` or `[...]`: the word in which what was quoted has a backslash. */
  readonly pattern?: string;
  readonly isPlain: boolean;
}

const ENDS_WORD = /[ \t\n;&|<>()]/;
const ORDINARY = /[^ \t\n;&|<>()'"\\$`*?[~{#]+/y;
const AFTER_DOLLAR = /[" |)]/;
const BEFORE_TILDE = /[=:]/;
const ESCAPED_IN_DOUBLE = /[$`"\\]/;
const PATTERN_SIGNS = /[*?[\]\\]/g;

interface Draft {
  readonly start: number;
  text: string;
  pattern: string;
  hasPattern: boolean;
  isPlain: boolean;
  hasBrace: boolean;
}

const READERS: ReadonlyMap<string, (cursor: Cursor, draft: Draft) => void> = new Map([
  ["'", readSingle],
  ['"', readDouble],
  ["\\", readEscape],
  ["*", readPattern],
  ["?", readPattern],
  ["[", readPattern],
]);

/** The text that a sticky pattern matches here; the cursor goes behind it. */
export function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const text = pattern.exec(cursor.source)?.[0] ?? "";
  cursor.at += text.length;
  return text;
}

export function readWord(cursor: Cursor): ScannedWord {
  const { source, at: start } = cursor;
  const draft = {
    ...{ start, text: "", pattern: "" },
    ...{ hasPattern: false, isPlain: true, hasBrace: false },
  };
  while (!isWordEnd(source, cursor.at)) readPiece(cursor, draft);
  if (draft.hasBrace && /,|\.\./.test(draft.text)) {
    refuseAt("brace_expansion", { source, at: start }, "braces that expand");
  }
  if (source[start] === "{" && /[<>]/.test(source[cursor.at] ?? "")) {
    refuseAt("redirect", { source, at: start }, "a descriptor with a name");
  }
  const { text, pattern, hasPattern, isPlain } = draft;
  return { text, isPlain, ...(hasPattern ? { pattern } : {}) };
}

function isWordEnd(source: string, at: number): boolean {
  return at >= source.length || ENDS_WORD.test(source[at] ?? "");
}

function readPiece(cursor: Cursor, draft: Draft): void {
  const { source, at } = cursor;
  const run = take(cursor, ORDINARY);
  const sign = source[at] ?? "";
  const read = READERS.get(sign);
  if (run !== "") add(draft, run);
  else if (read !== undefined) read(cursor, draft);
  else readSign(cursor, draft);
}

/** What means itself in some places only. */
function readSign(cursor: Cursor, draft: Draft): void {
  const { source, at } = cursor;
  const sign = source[at] ?? "";
  if (sign === "$") refuseAt("expansion", cursor, "an expansion");
  if (sign === "`") refuseAt("expansion", cursor, "a command substitution");
  if (sign === "#" && at === draft.start) refuseAt("comment", cursor, "a comment");
  if (sign === "~" && (at === draft.start || BEFORE_TILDE.test(source[at - 1] ?? ""))) {
    refuseAt("expansion", cursor, "a tilde that means a home folder");
  }
  if (sign === "{") draft.hasBrace = true;
  cursor.at += 1;
  add(draft, sign);
}

function add(draft: Draft, text: string): void {
  draft.text += text;
  draft.pattern += text.replace(PATTERN_SIGNS, "\\$&");
}

function readSingle(cursor: Cursor, draft: Draft): void {
  const { source, at } = cursor;
  const end = source.indexOf("'", at + 1);
  if (end === -1) refuseAt("quote", cursor, "a quote without an end");
  draft.isPlain = false;
  add(draft, source.slice(at + 1, end));
  cursor.at = end + 1;
}

function readDouble(cursor: Cursor, draft: Draft): void {
  const { source } = cursor;
  draft.isPlain = false;
  let from = cursor.at + 1;
  for (let at = from; at < source.length; at += 1) {
    const sign = source[at] ?? "";
    const after = source[at + 1] ?? "";
    if (sign === '"') {
      add(draft, source.slice(from, at));
      cursor.at = at + 1;
      return;
    }
    if (sign === "`") refuseAt("expansion", { source, at }, "a command substitution");
    if (sign === "$" && !AFTER_DOLLAR.test(after)) {
      refuseAt("expansion", { source, at }, "an expansion");
    }
    if (sign !== "\\") continue;
    if (after === "\n") refuseAt("line_continuation", { source, at }, "a joined line");
    if (ESCAPED_IN_DOUBLE.test(after)) {
      add(draft, source.slice(from, at));
      from = at + 1;
    }
    at += 1;
  }
  refuseAt("quote", cursor, "a quote without an end");
}

function readEscape(cursor: Cursor, draft: Draft): void {
  const { source, at } = cursor;
  if (at + 1 >= source.length) refuseAt("quote", cursor, "a backslash without a character");
  const character = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
  if (character === "\n") refuseAt("line_continuation", cursor, "a joined line");
  draft.isPlain = false;
  add(draft, character);
  cursor.at += 1 + character.length;
}

/** `*`, `?`, a set such as `[abc]`, or `[` alone. */
function readPattern(cursor: Cursor, draft: Draft): void {
  const { source, at } = cursor;
  const isSet = source[at] === "[";
  const bracket = isSet ? readBracket(source, at) : undefined;
  const text = source.slice(at, at + (bracket?.length ?? 1));
  cursor.at += text.length;
  if (isSet && bracket === undefined) {
    const isAlone = at === draft.start && isWordEnd(source, at + 1);
    if (!isAlone) refuseAt("pattern", { source, at }, "a pattern too rich to read");
    add(draft, text);
    return;
  }
  draft.text += text;
  draft.pattern += text;
  draft.hasPattern = true;
}

export function refuseAt(
  kind: keyof typeof ADVICE,
  { source, at }: Readonly<Cursor>,
  what: string,
): never {
  const shown = JSON.stringify(toPrintable(source.slice(at), 20));
  const before = at < source.length ? `, before ${shown}` : "";
  const advice = ADVICE[kind] && ` ${ADVICE[kind]}`;
  return refuse(kind, `The command has ${what} at character ${at + 1}${before}.${advice}`);
}
