// One field of a value that was stored and read back: of the right kind, or undefined.

export function readField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

export function readText(value: unknown, name: string): string | undefined {
  const found = readField(value, name);
  return typeof found === "string" ? found : undefined;
}

/** Empty unless a list is there. */
export function readList(value: unknown, name: string): readonly unknown[] {
  const found = readField(value, name);
  return Array.isArray(found) ? found : [];
}

export function readNumber(value: unknown, name: string): number | undefined {
  const found = readField(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
