// A patch put over a config the way its readers are told: objects are merged, entries of a list that
// have an id with the entry of that id, and the rest is replaced.
type Config = Record<string, unknown>;

export function mergeConfig(config: Config, patch: Config): Config {
  const merged = structuredClone(config);
  for (const [key, value] of Object.entries(patch)) {
    const before = Object.getOwnPropertyDescriptor(merged, key)?.value;
    const next = mergeItem(before, value);
    Object.defineProperty(merged, key, {
      value: next,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return merged;
}

function mergeItem(before: unknown, value: unknown): unknown {
  if (isObject(value)) return mergeConfig(isObject(before) ? before : {}, value);
  const hasIds = (list: readonly unknown[]) => list.length > 0 && list.every((item) => idOf(item));
  if (!Array.isArray(value) || !Array.isArray(before) || !hasIds(value)) return value;
  const added = value.filter((item) => !before.some((other) => idOf(other) === idOf(item)));
  const changed = before.map((item: unknown) => {
    const change: unknown = value.find((other) => idOf(other) === idOf(item));
    return change === undefined ? item : mergeItem(item, change);
  });
  return [...changed, ...added];
}

function idOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.id === "string" ? value.id : undefined;
}

export function isObject(value: unknown): value is Config {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
