// Fields of a form that came under their names instead of refs: nothing is filled by a name, since
// several may have it, but the answer says what to send.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { isRecord } from "./read-value.js";

const MAX_SHOWN_CHARS = 60;
const MAX_NAMED = 10;
const IS_REF = /^@?e?\d+$/i;
/** Of a field that says what to put in, and not where. */
const NAMES = ["name", "label", "field"] as const;
/** What is in a field next to that. */
const PARTS: ReadonlySet<string> = new Set([
  "value",
  "values",
  "text",
  "checked",
  "type",
  ...NAMES,
]);

/** Those under which a field came; none of one that has a ref. */
export function namesOf(field: unknown): readonly string[] {
  if (!isRecord(field) || field.ref !== undefined) return [];
  const said = NAMES.flatMap((key) => (typeof field[key] === "string" ? [field[key]] : []));
  const hasValue = ["value", "values", "text", "checked"].some((key) => field[key] !== undefined);
  if (said.length > 0 && hasValue) return said.slice(0, 1);
  return Object.keys(field).filter((key) => !PARTS.has(key) && !IS_REF.test(key));
}

/** An object of values by their refs is as many fields. */
export function byRefs(one: unknown): readonly unknown[] {
  if (!isRecord(one) || one.ref !== undefined) return [one];
  const entries = Object.entries(one);
  const isByRefs = entries.length > 0 && entries.every(([name]) => IS_REF.test(name));
  return isByRefs ? entries.map(([ref, value]) => ({ ref, value })) : [one];
}

/** `refs`: of the elements that have these names, where someone looked. */
export function namesNoRefs(
  names: readonly string[],
  refs: ReadonlyMap<string, readonly string[]> = new Map(),
): ToolInputError {
  const shown = names.slice(0, MAX_NAMED).map(quote);
  const found = names.flatMap((name) => {
    const [first, ...others] = refs.get(name) ?? [];
    return first === undefined ? [] : [`${quote(name)} is ${[first, ...others].join(" or ")}`];
  });
  const next = found.length === 0 ? "take a snapshot for them" : `here ${found.join(", ")}`;
  const are = shown.length === 1 ? "is not a ref" : "are not refs";
  return new ToolInputError(
    `${shown.join(", ")} ${are}: fields takes refs of a snapshot, such as {"e12":"text"}; ${next}.`,
    { reason: "arguments_invalid", details: { missing: "ref", names } },
  );
}

function quote(name: string): string {
  return `"${toPrintable(name, MAX_SHOWN_CHARS)}"`;
}
