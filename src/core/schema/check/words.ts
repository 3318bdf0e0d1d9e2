// The words by which a model is told what was expected.

import { plural, showLiteral, showText } from "../show-value.js";
import type { LinkedDocument, LinkedNode, LinkedSchema } from "./link.js";

/** The longest list of words of a tool of ours has 24. */
const MAX_LISTED_VALUES = 24;
const MAX_LISTED_VARIANTS = 8;
const MAX_FOLLOWED_REFS = 8;

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ["array", "an array"],
  ["boolean", "true or false"],
  ["integer", "an integer"],
  ["null", "null"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a string"],
]);

export function wordsForTypes(types: readonly string[]): string {
  return joinWords(types.map((type) => TYPE_WORDS.get(type) ?? type));
}

/** `one of "a", "b"`, at most MAX_LISTED_VALUES of them. */
export function wordsForValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED_VALUES).map(showLiteral).join(", ");
  if (values.length === 1) return shown;
  const rest = values.length - MAX_LISTED_VALUES;
  return rest > 0 ? `one of ${shown} and ${rest} more` : `one of ${shown}`;
}

export function wordsForNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  return listSome(names.map(showName));
}

export function wordsForCount(least: number, thing: string): string {
  return `${least} ${plural(thing, least)}`;
}

/** What the variants of a union take: "a string, null or an object with path". */
export function wordsForVariants(
  variants: readonly LinkedNode[],
  definitions: LinkedDocument["definitions"],
): string {
  const words = listVariantWords(variants, definitions);
  const shown = words.slice(0, MAX_LISTED_VARIANTS);
  const rest = words.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} or ${rest} other forms` : joinWords(shown);
}

/** Each different wording once. */
export function listVariantWords(
  variants: readonly LinkedNode[],
  definitions: LinkedDocument["definitions"],
): string[] {
  return [...new Set(variants.map((variant) => wordsForNode(variant, definitions)))];
}

/** The schema behind a bare reference. */
export function followNode(
  node: LinkedNode,
  definitions: LinkedDocument["definitions"],
): LinkedNode {
  let followed = node;
  for (let hops = 0; hops < MAX_FOLLOWED_REFS; hops += 1) {
    if (typeof followed === "boolean" || followed.ref === undefined) break;
    if (followed.types !== undefined || followed.literals.length > 0) break;
    followed = definitions[followed.ref] ?? true;
  }
  return followed;
}

function wordsForNode(node: LinkedNode, definitions: LinkedDocument["definitions"]): string {
  const schema = followNode(node, definitions);
  if (typeof schema === "boolean") return schema ? "anything" : "nothing";
  const [list] = schema.literals;
  if (list) return wordsForValues(list.values);
  if (schema.types === undefined) return wordsForKeys("a value", schema);
  const words = wordsForTypes(schema.types);
  return schema.types.includes("object") ? wordsForKeys(words, schema) : words;
}

function wordsForKeys(words: string, schema: LinkedSchema): string {
  if (schema.required.length === 0) return words;
  const keys = schema.required.map((key) => {
    const property = schema.properties.get(key);
    const literals = typeof property === "object" ? property.literals[0]?.values : undefined;
    const name = showName(key);
    return literals?.length === 1 ? `${name} ${showLiteral(literals[0])}` : name;
  });
  return `${words} with ${listSome(keys)}`;
}

function showName(name: string): string {
  return showText(name).slice(1, -1);
}

function listSome(words: readonly string[]): string {
  const rest = words.length - MAX_LISTED_VALUES;
  const shown = words.slice(0, MAX_LISTED_VALUES).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function joinWords(words: readonly string[]): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
