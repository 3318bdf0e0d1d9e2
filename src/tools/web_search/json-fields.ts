// Fields of an answer that no one has checked.

export function field(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  );
}

/** The first of these that is text with something in it. */
export function textOf(value: unknown, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = field(value, key);
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return undefined;
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
