// An answer as typed to a value of the config, or why it cannot be one.

import { findKey, parseKeyPath } from "../../config/edit/index.js";
import type { Question } from "./sections.js";

export type Answer = { readonly value: unknown } | { readonly fault: string };

const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;
const SWITCHES: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  y: true,
  true: true,
  off: false,
  no: false,
  n: false,
  false: false,
};

export function readAnswer(
  question: Question,
  options: { readonly key: string; readonly typed: string },
): Answer {
  const { key, typed } = options;
  if (question.kind === "switch") {
    const word = typed.toLowerCase();
    const value = Object.hasOwn(SWITCHES, word) ? SWITCHES[word] : undefined;
    return value === undefined ? { fault: "must be on or off" } : { value };
  }
  if (question.kind === "number") {
    const value = Number(typed);
    return /^\d+$/.test(typed) ? { value } : { fault: "must be a whole number" };
  }
  if (question.kind === "secret") {
    return VARIABLE.test(typed)
      ? { value: `\${${typed}}` }
      : { fault: "must be the name of a variable, such as BRAVE_API_KEY" };
  }
  const choices = listChoices(key);
  return choices.length === 0 || choices.includes(typed)
    ? { value: typed }
    : { fault: `must be one of ${choices.join(", ")}` };
}

/** What the schema allows; nothing when it is any text. */
export function listChoices(key: string): readonly string[] {
  const found = findKey(parseKeyPath(key));
  return found.status === "known" ? (found.node.enum ?? []) : [];
}
