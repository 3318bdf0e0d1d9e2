// Inspects what needs no walk: the type, the allowed values, the bounds of texts and numbers.

import {
  isOfType,
  isSameJson,
  plural,
  showLiteral,
  showReceived,
  showText,
  toJsonKey,
} from "../json-value.js";
import type { Bounds, LinkedDocument, LinkedNode, LinkedSchema, LiteralList } from "./link.js";
import { addFinding, type Fault, type Report } from "./report.js";

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

const RATIO_TOLERANCE = 1e-9;

export function inspectKind(schema: LinkedSchema, value: unknown, report?: Report): boolean {
  const refusing = schema.literals.find((list) => !isListed(list, value));
  if (refusing) {
    return refuse(report, "literal", () => expected(wordsForValues(refusing.values), value));
  }
  const { types } = schema;
  if (types === undefined || types.some((type) => isOfType(value, type))) return true;
  return refuse(report, "kind", () => expected(wordsForTypes(types), value));
}

export function isListed(list: LiteralList, value: unknown): boolean {
  return list.leaves.has(value) || list.others.some((listed) => isSameJson(listed, value));
}

export function inspectText(schema: LinkedSchema, value: string, report?: Report): boolean {
  const { bounds, pattern } = schema;
  const lengthFits = inspectLength(bounds, value, report);
  if (pattern === undefined || pattern.expression.test(value)) return lengthFits;
  return refuse(report, "other", () =>
    expected(`text that matches the pattern ${showText(pattern.source)}`, value),
  );
}

function inspectLength(bounds: Bounds, value: string, report?: Report): boolean {
  const { minLength: least = 0, maxLength: most } = bounds;
  // A character has one place or two, so most lengths fit without a count.
  if (value.length >= least * 2 && (most === undefined || value.length <= most)) return true;
  return inspectCount(report, { count: countCodePoints(value), least, most, thing: "character" });
}

export interface CountRule {
  readonly count: number;
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly thing: string;
}

export function inspectCount(report: Report | undefined, rule: CountRule): boolean {
  const { count, least, most, thing } = rule;
  if (least !== undefined && count < least) {
    return refuse(
      report,
      "other",
      () => `expected at least ${wordsForCount(least, thing)}, received ${count}`,
    );
  }
  if (most !== undefined && count > most) {
    return refuse(
      report,
      "other",
      () => `expected at most ${wordsForCount(most, thing)}, received ${count}`,
    );
  }
  return true;
}

type NumberRule = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf";

const NUMBER_RULES = {
  minimum: { words: "at least", holds: (value, bound) => value >= bound },
  maximum: { words: "at most", holds: (value, bound) => value <= bound },
  exclusiveMinimum: { words: "above", holds: (value, bound) => value > bound },
  exclusiveMaximum: { words: "below", holds: (value, bound) => value < bound },
  multipleOf: { words: "that is a multiple of", holds: isMultipleOf },
} as const satisfies Record<
  NumberRule,
  { words: string; holds: (value: number, bound: number) => boolean }
>;

export function inspectNumber(schema: LinkedSchema, value: number, report?: Report): boolean {
  let fits = true;
  for (const [name, rule] of Object.entries(NUMBER_RULES)) {
    // Object.entries widens the names; they are the keys of the table.
    const bound = schema.bounds[name as NumberRule];
    if (bound === undefined || rule.holds(value, bound)) continue;
    fits = refuse(report, "other", () => expected(`a number ${rule.words} ${bound}`, value));
  }
  return fits;
}

export function expected(words: string, value: unknown): string {
  return `expected ${words}, received ${showReceived(value)}`;
}

/** Always false, so that a rule can answer with it. */
export function refuse(report: Report | undefined, fault: Fault, message: () => string): false {
  if (report) addFinding(report, { fault, message });
  return false;
}

export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const ratio = value / divisor;
  const tolerance = Math.max(RATIO_TOLERANCE, Math.abs(ratio) * Number.EPSILON);
  return Math.abs(ratio - Math.round(ratio)) <= tolerance;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    count += 1;
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
  }
  return count;
}

export function findRepeat(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const key = toJsonKey(item);
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return undefined;
}

function wordsForTypes(types: readonly string[]): string {
  return joinWords(types.map((type) => TYPE_WORDS.get(type) ?? type));
}

function wordsForValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED_VALUES).map(showLiteral).join(", ");
  if (values.length === 1) return shown;
  const rest = values.length - MAX_LISTED_VALUES;
  return rest > 0 ? `one of ${shown} and ${rest} more` : `one of ${shown}`;
}

export function wordsForNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  return listSome(names.map(showName));
}

function wordsForCount(least: number, thing: string): string {
  return `${least} ${plural(thing, least)}`;
}

export function wordsForVariants(
  variants: readonly LinkedNode[],
  definitions: LinkedDocument["definitions"],
): string {
  const words = listVariantWords(variants, definitions);
  const shown = words.slice(0, MAX_LISTED_VARIANTS);
  const rest = words.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} or ${rest} other forms` : joinWords(shown);
}

export function listVariantWords(
  variants: readonly LinkedNode[],
  definitions: LinkedDocument["definitions"],
): string[] {
  return [...new Set(variants.map((variant) => wordsForNode(variant, definitions)))];
}

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
