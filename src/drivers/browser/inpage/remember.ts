// What is read once for a key, and what is gathered under one.

interface Memory<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** As it is known, else as it is read now. */
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
