// The words in which a wrong value is described: what was expected, what is there.
import { toPrintable } from "../lib/printable.js";
import { showName } from "./problem.js";
import type { SchemaNode } from "./schema.js";

const MAX_SHOWN_TEXT_CHARS = 60;
const MAX_SHOWN_KEYS = 12;

const KIND_WORDS = {
  string: wordsForText,
  integer: (node) => `a whole number${wordsForRange(node)}`,
  number: (node) => `a number${wordsForRange(node)}`,
  boolean: () => "true or false",
  array: (node) => wordsForList(node.items ?? {}),
  object: () => "an object",
} satisfies Record<NonNullable<SchemaNode["type"]>, (node: SchemaNode) => string>;

export function wordsForNode(node: SchemaNode): string {
  if (node.anyOf) return [...new Set(node.anyOf.map(wordsForNode))].join(" or ");
  if (node.enum) return wordsForChoice(node.enum);
  return node.type === undefined ? "any value" : KIND_WORDS[node.type](node);
}

export function wordsForReceived(value: unknown, options: { hidden: boolean }): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (options.hidden) return `a ${typeof value} that is not shown`;
  if (typeof value !== "string") return `${typeof value} ${String(value)}`;
  const text = JSON.stringify(value.slice(0, MAX_SHOWN_TEXT_CHARS + 1)).slice(1, -1);
  return `"${toPrintable(text, MAX_SHOWN_TEXT_CHARS)}"`;
}

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN_KEYS).map(showName).join(", ");
  const rest = names.length - MAX_SHOWN_KEYS;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function wordsForChoice(words: readonly string[]): string {
  return words.length === 1
    ? `"${words[0]}"`
    : `one of ${words.map((word) => `"${word}"`).join(", ")}`;
}

function wordsForText(node: SchemaNode): string {
  if (node.pattern !== undefined) return `text that matches ${node.pattern}`;
  if (node.maxLength !== undefined) {
    return `text of ${node.minLength ?? 0} to ${node.maxLength} characters`;
  }
  return node.minLength === 1 ? "non-empty text" : "text";
}

function wordsForRange({ minimum, maximum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, ${minimum} or more`;
  return maximum === undefined ? "" : `, ${maximum} or less`;
}

function wordsForList(items: SchemaNode): string {
  if (items.anyOf === undefined && items.enum === undefined) {
    if (items.type === "string") return "a list of texts";
    if (items.type === "object") return "a list of objects";
  }
  return `a list, each ${wordsForNode(items)}`;
}
