// A key that stands twice in one object of a JSON text. Readers differ in which of the two counts, so
// a list with one cannot be taken for what a person saw in it.

const TOKENS = /"(?:\\.|[^"\\])*"|[{}[\],:]/g;

interface OpenValue {
  /** Keys so far; undefined for an array. */
  readonly keys: Set<string> | undefined;
  isKeyNext: boolean;
}

/** The first one; `text` is valid JSON. */
export function findDuplicateKey(text: string): string | undefined {
  const open: OpenValue[] = [];
  for (const [token] of text.matchAll(TOKENS)) {
    const inner = open.at(-1);
    if (token === "{") open.push({ keys: new Set(), isKeyNext: true });
    else if (token === "[") open.push({ keys: undefined, isKeyNext: false });
    else if (token === "}" || token === "]") open.pop();
    else if (inner?.keys === undefined) continue;
    else if (token === ",") inner.isKeyNext = true;
    else if (token === ":") inner.isKeyNext = false;
    else if (inner.isKeyNext) {
      const key = String(JSON.parse(token));
      if (inner.keys.has(key)) return key;
      inner.keys.add(key);
    }
  }
  return undefined;
}
