// Parses simple commands joined by `|`, `&&`, `||`, `;` and new lines; all other syntax is refused.

import { hasLoneSurrogate } from "../../../lib/unicode-text.js";
import { type CommandRefusal, Refused, refuse, type StepJoin } from "../plan.js";
import { type Cursor, readWord, refuseAt, type ScannedWord, take } from "./read-word.js";

const MAX_COMMAND_BYTES = 16_384;
const MAX_COMMANDS = 50;
const BLANKS = /[ \t]*/y;
const OPERATOR = /&&|\|\||\||;|\n/y;
const DUPLICATE = />&([12])(?=[ \t\n;|&]|$)/y;
const REDIRECT_OPERATOR = /&>>|&>|>>|>|</y;
const AFTER_OPERATOR = /[<>&|(]/;
const CONTROL = /[^\P{Cc}\t\n]/u;
const INPUT = 0;
const OUTPUT = 1;
const ERRORS = 2;
const RESERVED: ReadonlySet<string> = new Set(
  "! case coproc do done elif else esac fi for function if in select then time until while { } [[ ]]".split(
    " ",
  ),
);

export type ScannedRedirect =
  | {
      readonly kind: "read" | "write" | "append";
      readonly fd: number;
      readonly target: ScannedWord;
    }
  | { readonly kind: "duplicate"; readonly fd: number; readonly target: number };

export interface ScannedStep {
  readonly words: readonly [ScannedWord, ...ScannedWord[]];
  readonly redirects: readonly ScannedRedirect[];
  readonly join?: StepJoin;
}

type ScannedCommand =
  | { readonly ok: true; readonly steps: readonly ScannedStep[] }
  | { readonly ok: false; readonly refusal: CommandRefusal };

interface Draft {
  readonly words: ScannedWord[];
  readonly redirects: ScannedRedirect[];
}

export function scanCommand(command: string): ScannedCommand {
  try {
    assertText(command);
    return { ok: true, steps: scanSteps({ source: command, at: 0 }) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function assertText(command: string): void {
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    const message = `The command is longer than ${MAX_COMMAND_BYTES} bytes; put it into a script.`;
    refuse("command_too_long", message);
  }
  const control = CONTROL.exec(command);
  if (control !== null) {
    const place = { source: command, at: control.index };
    refuseAt("control_character", place, "a control character");
  }
  if (hasLoneSurrogate(command)) {
    refuse("broken_text", "The command holds half of a surrogate pair.");
  }
}

function scanSteps(cursor: Cursor): readonly ScannedStep[] {
  const { source } = cursor;
  const steps: ScannedStep[] = [];
  let draft: Draft = { words: [], redirects: [] };
  for (take(cursor, BLANKS); cursor.at < source.length; take(cursor, BLANKS)) {
    const operator = take(cursor, OPERATOR);
    if (operator === "") {
      readPart(cursor, draft);
      continue;
    }
    if (operator !== "\n" && source[cursor.at] === "&") {
      refuseAt("shell_syntax", cursor, "an operator that is not read here");
    }
    if (operator === "\n" && isEmpty(draft)) continue;
    steps.push({ ...toStep(draft, cursor), join: toJoin(operator) });
    if (steps.length > MAX_COMMANDS) refuseMany();
    draft = { words: [], redirects: [] };
  }
  if (isEmpty(draft)) return withoutLastJoin(steps, cursor);
  const last = toStep(draft, cursor);
  if (steps.length >= MAX_COMMANDS) refuseMany();
  return [...steps, last];
}

function readPart(cursor: Cursor, draft: Draft): void {
  const { source, at } = cursor;
  const sign = source[at] ?? "";
  if (sign === "(" || sign === ")") refuseAt("shell_syntax", cursor, "a parenthesis");
  if (sign === "&" && source[at + 1] !== ">") {
    refuseAt("shell_syntax", cursor, "a command sent to the background");
  }
  if (sign === "<" || sign === ">" || sign === "&") {
    draft.redirects.push(...readRedirect(cursor));
    return;
  }
  const word = readWord(cursor);
  if (!isDescriptor(word, cursor)) {
    draft.words.push(word);
    return;
  }
  if (!/^[012]$/.test(word.text)) {
    refuseAt("redirect", { source, at }, "a redirect of an unusual descriptor");
  }
  draft.redirects.push(...readRedirect(cursor, Number(word.text)));
}

function isDescriptor({ text, isPlain }: ScannedWord, { source, at }: Cursor): boolean {
  return isPlain && /^[0-9]+$/.test(text) && /[<>]/.test(source[at] ?? "");
}

function readRedirect(cursor: Cursor, fd?: number): readonly ScannedRedirect[] {
  const { source, at } = cursor;
  const place = { source, at };
  const duplicate = take(cursor, DUPLICATE);
  if (duplicate !== "") {
    if (fd === INPUT) refuseAt("redirect", place, "a redirect of the input to an output");
    return [{ kind: "duplicate", fd: fd ?? OUTPUT, target: Number(duplicate.slice(-1)) }];
  }
  const operator = take(cursor, REDIRECT_OPERATOR);
  if (operator === "" || AFTER_OPERATOR.test(source[cursor.at] ?? "")) {
    refuseAt("redirect", place, "a redirect that is not read here");
  }
  if (fd !== undefined && (operator === "<") !== (fd === INPUT)) {
    refuseAt("redirect", place, "a redirect of an unusual descriptor");
  }
  const target = readTarget(cursor);
  if (operator === "<") return [{ kind: "read", fd: INPUT, target }];
  const kind = operator.endsWith(">>") ? "append" : "write";
  const file: ScannedRedirect = { kind, fd: fd ?? OUTPUT, target };
  return operator.startsWith("&")
    ? [file, { kind: "duplicate", fd: ERRORS, target: OUTPUT }]
    : [file];
}

function readTarget(cursor: Cursor): ScannedWord {
  take(cursor, BLANKS);
  const start = { ...cursor };
  const word = readWord(cursor);
  if (word.pattern !== undefined) refuseAt("redirect", start, "a redirect to a pattern");
  if (word.text === "" || isDescriptor(word, cursor)) {
    refuseAt("redirect", start, "a redirect without a file");
  }
  return word;
}

function toJoin(operator: string): StepJoin {
  return operator === "|" || operator === "&&" || operator === "||" ? operator : ";";
}

function isEmpty({ words, redirects }: Draft): boolean {
  return words.length === 0 && redirects.length === 0;
}

function toStep({ words, redirects }: Draft, cursor: Cursor): ScannedStep {
  const [name, ...rest] = words;
  if (name === undefined) {
    return refuseAt("shell_syntax", cursor, "an operator or redirect without a command");
  }
  const why = refuseName(name);
  if (why) refuse("program_name", `"${name.text}" cannot name a program here: ${why}.`);
  return { words: [name, ...rest], redirects };
}

function refuseName({ text, pattern, isPlain }: ScannedWord): string | undefined {
  if (text === "") return "it is empty";
  if (pattern !== undefined) return "it is a pattern";
  if (text.includes("=")) return "it is an assignment; variables go into env";
  if (text.startsWith("%")) return "it names a job";
  return isPlain && RESERVED.has(text) ? "it is a word of the shell" : undefined;
}

/** A line may end with `;`, not with another operator. */
function withoutLastJoin(steps: readonly ScannedStep[], cursor: Cursor): readonly ScannedStep[] {
  const last = steps.at(-1);
  if (last === undefined) return refuse("empty_command", "The command is empty.");
  const { join, ...open } = last;
  if (join !== ";") refuseAt("shell_syntax", cursor, `"${join}" without a command behind it`);
  return [...steps.slice(0, -1), open];
}

function refuseMany(): never {
  return refuse("too_many_commands", `The command line has more than ${MAX_COMMANDS} commands.`);
}
