// Small helpers for maps, word lists and spaces.

interface Memory<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

export function remember<Key, Value>(
  memory: Memory<Key, Value>,
  key: Key,
  read: (key: Key) => Value,
): Value {
  let value = memory.get(key);
  if (value === undefined) {
    value = read(key);
    memory.set(key, value);
  }
  return value;
}

export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  remember<Key, Value[]>(lists, key, () => []).push(value);
}

export function words(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}

const SPACES = /\s+/gu;
const BREAKS = /[\u200b\u00ad]/gu;

export function squeeze(text: string): string {
  return text.replace(BREAKS, "").replace(SPACES, " ").trim();
}
