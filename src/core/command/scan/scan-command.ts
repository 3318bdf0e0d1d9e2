// Reads a command line by a small closed grammar: simple commands joined by `|`, `&&`, `||`, `;` and
// new lines, quotes, plain patterns, redirects. All else is refused. Which program a name means, and
// which files a pattern, is left to the driver.

import { hasLoneSurrogate } from "../../../lib/unicode-text.js";
import type { CommandRefusal, StepJoin } from "../plan.js";
import { readRedirect, type ScannedRedirect } from "./read-redirect.js";
import { isRefusal, readWord, refuse, refuseAt, type ScannedWord } from "./read-word.js";

const MAX_COMMAND_BYTES = 16_384;
const MAX_COMMANDS = 50;

export interface ScannedStep {
  /** The first is the name of the program. */
  readonly words: readonly [ScannedWord, ...ScannedWord[]];
  readonly redirects: readonly ScannedRedirect[];
  readonly join?: StepJoin;
}

export type ScannedCommand =
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
