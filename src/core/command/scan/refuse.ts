// Why a command is outside the grammar, in one shape for all parts of the scanner.

import { toPrintable } from "../../../lib/printable.js";
import type { CommandRefusal } from "../plan.js";

/** What to write instead. */
const ADVICE: Readonly<Record<string, string>> = {
  expansion:
    "Write out what it stands for, or put it in single quotes where it is meant as it stands.",
  brace_expansion: "Write each word out.",
  comment: "Leave it out, or put it in quotes.",
  line_continuation: "Write it on one line.",
  pattern: "Use only *, ? and sets such as [abc], or name the files.",
  quote: "Close it.",
  redirect: "Write <, >, >>, 2> or &> and the name of a file; a text goes into a file first.",
  shell_syntax: "Write simple commands joined by |, &&, || or ;, or put it into a script.",
};

export function refuse(kind: string, message: string): CommandRefusal {
  return { reason: kind, message };
}

/** `at` counts from 0; people count from 1. */
export function refuseAt(
  kind: string,
  place: { readonly text: string; readonly at: number; readonly what: string },
): CommandRefusal {
  const { text, at, what } = place;
  const found =
    at < text.length ? `, before ${JSON.stringify(toPrintable(text.slice(at), 20))}` : "";
  const advice = Object.hasOwn(ADVICE, kind) ? ` ${ADVICE[kind]}` : "";
  const message = `The command has ${what} at character ${at + 1}${found}.${advice}`;
  return { reason: kind, message };
}

export function isRefusal(value: object): value is CommandRefusal {
  return "reason" in value && "message" in value;
}
