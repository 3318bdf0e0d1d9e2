// Finds the control tokens of chat templates in a folded text: the words by which models tell
// who speaks, where a turn ends and what is a call. Says where to break them.

import { lazy } from "../../lib/lazy.js";
import { type FoldedText, foldText, UNKNOWN } from "./fold.js";

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

export function findTokenBreaks(folded: FoldedText, text: string): number[] {
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
