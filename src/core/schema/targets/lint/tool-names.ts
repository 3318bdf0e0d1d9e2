// Which names of tools a target takes.

import { showReceived } from "../../show-value.js";
import type { SchemaTarget } from "../target.js";

interface NameRule {
  readonly pattern: RegExp;
  readonly words: string;
}

const COMMON: NameRule = {
  pattern: /^[a-zA-Z0-9_-]{1,64}$/,
  words: '1 to 64 letters, digits, "_" or "-"',
};

const NAME_RULES: Readonly<Record<SchemaTarget, NameRule>> = {
  generic: COMMON,
  openai: COMMON,
  "openai-strict": COMMON,
  anthropic: COMMON,
  gemini: {
    pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    words: 'a letter or "_", then at most 63 letters, digits, "_", ".", ":" or "-"',
  },
  mcp: {
    pattern: /^[a-zA-Z0-9_.-]{1,128}$/,
    words: '1 to 128 letters, digits, "_", "." or "-"',
  },
};

/** Why the target refuses the name; undefined when it takes it. */
export function explainToolName(name: unknown, target: SchemaTarget): string | undefined {
  const { pattern, words } = NAME_RULES[target];
  if (typeof name === "string" && pattern.test(name)) return undefined;
  return `The tool name ${showReceived(name)} is refused by ${target}: use ${words}.`;
}
