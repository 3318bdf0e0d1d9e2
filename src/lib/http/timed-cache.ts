// A cache for answers from outside: the oldest leave when there are too many, or when they are too large
// together. How long an answer is good is up to the reader.

interface Limits<Value> {
  readonly maxEntries: number;
  readonly maxSize?: number;
  readonly sizeOf?: (value: Value) => number;
}

export type TimedCache<Value> = ReturnType<typeof createTimedCache<Value>>;

export function createTimedCache<Value>(limits: Limits<Value>) {
  const { maxEntries, maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = limits;
  const entries = new Map<string, { readonly value: Value; readonly writtenMs: number }>();
  let size = 0;
  const drop = (key: string) => {
    const entry = entries.get(key);
    if (entry !== undefined) size -= sizeOf(entry.value);
    entries.delete(key);
  };
  return {
    read(key: string, { nowMs, maxAgeMs }: { nowMs: number; maxAgeMs: number }) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (nowMs - entry.writtenMs < maxAgeMs) return entry.value;
      drop(key);
      return undefined;
    },
    write(key: string, { value, nowMs }: { value: Value; nowMs: number }): void {
      drop(key);
      entries.set(key, { value, writtenMs: nowMs });
      size += sizeOf(value);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && size <= maxSize) break;
        drop(oldest);
      }
    },
  };
}
