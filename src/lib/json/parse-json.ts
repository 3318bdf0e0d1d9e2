// JSON from outside, which may be no JSON at all.

/** Undefined for text that is not JSON, which JSON itself cannot give. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
