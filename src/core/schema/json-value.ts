// Small pieces for plain JSON values: telling them apart, copying, comparing, freezing.
// All of them recurse, so what they are given has passed the limits of limits.ts.

/** A JSON object; its values are unknown. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * A deep copy with what JSON would keep: no functions, no undefined, own enumerable keys only.
 * `onNode` is called once for each value that is copied, and may throw to stop.
 */
export function copyJson(value: unknown, onNode?: () => void): unknown {
  onNode?.();
  if (Array.isArray(value)) return value.map((item) => copyJson(item ?? null, onNode));
  if (!isRecord(value)) return isJsonLeaf(value) ? value : null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => isJsonLeaf(item) || typeof item === "object")
      .map(([key, item]) => [key, copyJson(item, onNode)]),
  );
}

export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isSameJson(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]));
}

/** Texts, numbers and the like come first. */
export function withoutSameJson(values: readonly unknown[]): unknown[] {
  const leaves = new Set<unknown>();
  const others = new Map<unknown, unknown>();
  for (const value of values) {
    const key = toJsonKey(value);
    if (typeof value !== "object" || value === null) leaves.add(value);
    else if (!others.has(key)) others.set(key, value);
  }
  return [...leaves, ...others.values()];
}

/** Something to look a value up by: the same for equal values, whatever the order of their keys. */
export function toJsonKey(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return toCanonicalText(value);
  // Texts are marked, so that none equals the canonical text of an object.
  return typeof value === "string" ? `"${value}` : value;
}

function toCanonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalText).join(",")}]`;
  if (typeof value === "bigint") return `${value}n`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toCanonicalText(value[key])}`).join(",")}}`;
}

/** Freezes what can be frozen: of a view of bytes the engine freezes nothing. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
}

function isJsonLeaf(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}
