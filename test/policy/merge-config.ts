// A patch put over a config the way its readers are told: objects are merged, the rest is replaced.
type Config = Record<string, unknown>;

export function mergeConfig(config: Config, patch: Config): Config {
  const merged = structuredClone(config);
  for (const [key, value] of Object.entries(patch)) {
    const before = Object.getOwnPropertyDescriptor(merged, key)?.value;
    const next = isObject(value) ? mergeConfig(isObject(before) ? before : {}, value) : value;
    Object.defineProperty(merged, key, {
      value: next,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return merged;
}

function isObject(value: unknown): value is Config {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
