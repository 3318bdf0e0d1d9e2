// An answer as typed to a value of the config, or why it cannot be one.

import { findKey, parseKeyPath } from "../../../config/edit/index.js";
import type { ClawtoolsConfig } from "../../../config/index.js";
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
  options: { readonly key: string; readonly typed: string; readonly config: ClawtoolsConfig },
): Answer {
  const { key, typed, config } = options;
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
  const fault = question.findFault?.(typed, config);
  if (fault !== undefined) return { fault };
  const choices = listChoices(key);
  return choices.length === 0 || choices.includes(typed)
    ? { value: typed }
    : { fault: `must be one of ${choices.join(", ")}` };
}

/** What the schema allows; nothing when it is any text. */
export function listChoices(key: string): readonly string[] {
  return readNode(key)?.enum ?? [];
}

/** What the schema says of a key: what it is for, and what holds where it is not set. */
export function describeKey(key: string): {
  readonly about: string | undefined;
  readonly preset: unknown;
} {
  const node = readNode(key);
  return { about: node?.description, preset: node?.default };
}

function readNode(key: string) {
  const found = findKey(parseKeyPath(key));
  return found.status === "known" ? found.node : undefined;
}
