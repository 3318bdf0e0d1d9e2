// Questions about single values that the compiled check and the explanation must answer alike.

import { toJsonKey } from "../json-value.js";

/** A quotient this near to a whole number is one: 0.3 is a multiple of 0.1. */
const RATIO_TOLERANCE = 1e-9;

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return Number.isFinite(value);
  return kindOf(value) === type;
}

export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const ratio = value / divisor;
  const tolerance = Math.max(RATIO_TOLERANCE, Math.abs(ratio) * Number.EPSILON);
  return Math.abs(ratio - Math.round(ratio)) <= tolerance;
}

/** Characters as JSON Schema counts them: code points. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    count += 1;
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
  }
  return count;
}

/** The places of the first two equal items. */
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
