// Parses simple commands joined by `|`, `&&`, `||`, `;` and new lines; all other syntax is refused.

import { hasLoneSurrogate } from "../../../lib/unicode-text.js";
import { type CommandRefusal, isRefusal, refuse, type StepJoin } from "../plan.js";
import { readWord, refuseAt, type ScannedWord } from "./read-word.js";

export type ScannedRedirect =
  | {
      readonly kind: "read" | "write" | "append";
      readonly fd: number;
      readonly target: ScannedWord;
    }
  | { readonly kind: "duplicate"; readonly fd: number; readonly target: number };

interface RedirectEnd {
  readonly redirects: readonly ScannedRedirect[];
  readonly next: number;
}

const BLANKS = /[ \t]*/y;
const DUPLICATE = />&([12])(?=[ \t\n;|&]|$)/y;
const REDIRECT_OPERATOR = /&>>|&>|>>|>|</y;
const AFTER_OPERATOR = /[<>&|(]/;
const INPUT = 0;
const OUTPUT = 1;
const ERRORS = 2;

function readRedirect(
  source: string,
  place: { readonly at: number; readonly fd?: number },
): RedirectEnd | CommandRefusal {
  const { at, fd } = place;
  const refuse = (what: string) => refuseAt("redirect", { text: source, at, what });
  DUPLICATE.lastIndex = at;
  const duplicate = DUPLICATE.exec(source);
  if (duplicate !== null) {
    if (fd === INPUT) return refuse("a redirect of the input to an output");
    const redirect = { kind: "duplicate", fd: fd ?? OUTPUT, target: Number(duplicate[1]) } as const;
    return { redirects: [redirect], next: at + duplicate[0].length };
  }
  REDIRECT_OPERATOR.lastIndex = at;
  const operator = REDIRECT_OPERATOR.exec(source)?.[0] ?? "";
  if (operator === "" || AFTER_OPERATOR.test(source[at + operator.length] ?? "")) {
    return refuse("a redirect that is not read here");
  }
  if (fd !== undefined && (operator === "<") !== (fd === INPUT)) {
    return refuse("a redirect of an unusual descriptor");
  }
  const target = readTarget(source, at + operator.length);
  if (isRefusal(target)) return target;
  return { redirects: toRedirects({ operator, fd, target: target.word }), next: target.next };
}

function toRedirects(found: {
  readonly operator: string;
  readonly fd: number | undefined;
  readonly target: ScannedWord;
}): readonly ScannedRedirect[] {
  const { operator, fd, target } = found;
  if (operator === "<") return [{ kind: "read", fd: INPUT, target }];
  const kind = operator.endsWith(">>") ? "append" : "write";
  const file: ScannedRedirect = { kind, fd: fd ?? OUTPUT, target };
  return operator.startsWith("&")
    ? [file, { kind: "duplicate", fd: ERRORS, target: OUTPUT }]
    : [file];
}

function readTarget(source: string, at: number) {
  BLANKS.lastIndex = at;
  const start = at + (BLANKS.exec(source)?.[0].length ?? 0);
  const refuse = (what: string) => refuseAt("redirect", { text: source, at: start, what });
  const end = readWord(source, start);
  if (isRefusal(end)) return end;
  const { word, next } = end;
  if (word.text === "") return refuse("a redirect without a file");
  if (word.pattern !== undefined) return refuse("a redirect to a pattern");
  const isDescriptor = word.isPlain && /^[0-9]+$/.test(word.text);
  if (isDescriptor && /[<>]/.test(source[next] ?? "")) return refuse("a redirect without a file");
  return end;
}

const MAX_COMMAND_BYTES = 16_384;
const MAX_COMMANDS = 50;

export interface ScannedStep {
  readonly words: readonly [ScannedWord, ...ScannedWord[]];
  readonly redirects: readonly ScannedRedirect[];
  readonly join?: StepJoin;
}

type ScannedCommand =
  | { readonly ok: true; readonly steps: readonly ScannedStep[] }
  | { readonly ok: false; readonly refusal: CommandRefusal };

const CONTROL = /[^\P{Cc}\t\n]/u;
const OPERATOR = /&&|\|\||\||;|\n/y;
const RESERVED: ReadonlySet<string> = new Set(
  "! case coproc do done elif else esac fi for function if in select then time until while { } [[ ]]".split(
    " ",
  ),
);

interface Draft {
  words: ScannedWord[];
  redirects: ScannedRedirect[];
}

export function scanCommand(command: string): ScannedCommand {
  const refusal = refuseText(command);
  if (refusal) return { ok: false, refusal };
  const steps: ScannedStep[] = [];
  let draft: Draft = { words: [], redirects: [] };
  let at = 0;
  while (at < command.length) {
    const sign = command[at] ?? "";
    if (sign === " " || sign === "\t") {
      at += 1;
      continue;
    }
    OPERATOR.lastIndex = at;
    const operator = OPERATOR.exec(command)?.[0];
    if (operator === undefined) {
      const next = readPart(command, { at, draft });
      if (typeof next !== "number") return { ok: false, refusal: next };
      at = next;
      continue;
    }
    at += operator.length;
    if (operator !== "\n" && command[at] === "&")
      return { ok: false, refusal: otherOperator(command, at) };
    if (operator === "\n" && isEmpty(draft)) continue;
    const step = finish(draft, { command, at });
    if (isRefusal(step)) return { ok: false, refusal: step };
    steps.push({ ...step, join: toJoin(operator) });
    if (steps.length > MAX_COMMANDS) return { ok: false, refusal: tooMany() };
    draft = { words: [], redirects: [] };
  }
  return end(steps, { command, draft });
}

function refuseText(command: string): CommandRefusal | undefined {
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    const message = `The command is longer than ${MAX_COMMAND_BYTES} bytes; put it into a script.`;
    return refuse("command_too_long", message);
  }
  const control = CONTROL.exec(command);
  if (control !== null) {
    const place = { text: command, at: control.index, what: "a control character" };
    return refuseAt("control_character", place);
  }
  if (!hasLoneSurrogate(command)) return undefined;
  return refuse("broken_text", "The command holds half of a surrogate pair.");
}

function readPart(
  command: string,
  place: { readonly at: number; readonly draft: Draft },
): number | CommandRefusal {
  const { at, draft } = place;
  const sign = command[at] ?? "";
  const what = describeSyntax(command.slice(at, at + 2));
  if (what) return refuseAt("shell_syntax", { text: command, at, what });
  if (sign === "<" || sign === ">" || sign === "&") return addRedirect(command, { at, draft });
  const end = readWord(command, at);
  if (isRefusal(end)) return end;
  const { word, next } = end;
  const isDescriptor = word.isPlain && /^[0-9]+$/.test(word.text);
  if (!isDescriptor || !/[<>]/.test(command[next] ?? "")) {
    draft.words.push(word);
    return next;
  }
  if (/^[012]$/.test(word.text)) {
    return addRedirect(command, { at: next, draft, fd: Number(word.text) });
  }
  return refuseAt("redirect", { text: command, at, what: "a redirect of an unusual descriptor" });
}

function describeSyntax(signs: string): string | undefined {
  if (signs.startsWith("(") || signs.startsWith(")")) return "a parenthesis";
  if (signs.startsWith("&") && signs !== "&>") return "a command sent to the background";
  return undefined;
}

function addRedirect(
  command: string,
  place: { readonly at: number; readonly draft: Draft; readonly fd?: number },
): number | CommandRefusal {
  const end = readRedirect(command, place);
  if (isRefusal(end)) return end;
  place.draft.redirects.push(...end.redirects);
  return end.next;
}

function otherOperator(command: string, at: number): CommandRefusal {
  return refuseAt("shell_syntax", { text: command, at, what: "an operator that is not read here" });
}

function toJoin(operator: string): StepJoin {
  return operator === "|" || operator === "&&" || operator === "||" ? operator : ";";
}

function isEmpty({ words, redirects }: Draft): boolean {
  return words.length === 0 && redirects.length === 0;
}

function finish(
  draft: Draft,
  place: { readonly command: string; readonly at: number },
): ScannedStep | CommandRefusal {
  const [name, ...rest] = draft.words;
  if (name === undefined) {
    const what = "an operator or redirect without a command";
    return refuseAt("shell_syntax", { text: place.command, at: place.at, what });
  }
  const why = refuseName(name);
  if (why) return refuse("program_name", `"${name.text}" cannot name a program here: ${why}.`);
  return { words: [name, ...rest], redirects: draft.redirects };
}

function refuseName({ text, pattern, isPlain }: ScannedWord): string | undefined {
  if (text === "") return "it is empty";
  if (pattern !== undefined) return "it is a pattern";
  if (text.includes("=")) return "it is an assignment; variables go into env";
  if (text.startsWith("%")) return "it names a job";
  return isPlain && RESERVED.has(text) ? "it is a word of the shell" : undefined;
}

function end(
  steps: readonly ScannedStep[],
  rest: { readonly command: string; readonly draft: Draft },
): ScannedCommand {
  const { command, draft } = rest;
  const last = steps.at(-1);
  if (!isEmpty(draft)) {
    const step = finish(draft, { command, at: command.length });
    if (isRefusal(step)) return { ok: false, refusal: step };
    if (steps.length >= MAX_COMMANDS) return { ok: false, refusal: tooMany() };
    return { ok: true, steps: [...steps, step] };
  }
  if (last === undefined) {
    return { ok: false, refusal: refuse("empty_command", "The command is empty.") };
  }
  if (last.join !== ";") {
    const what = `"${last.join}" without a command behind it`;
    const place = { text: command, at: command.length, what };
    return { ok: false, refusal: refuseAt("shell_syntax", place) };
  }
  const { join: _, ...open } = last;
  return { ok: true, steps: [...steps.slice(0, -1), open] };
}

function tooMany(): CommandRefusal {
  return refuse("too_many_commands", `The command line has more than ${MAX_COMMANDS} commands.`);
}
