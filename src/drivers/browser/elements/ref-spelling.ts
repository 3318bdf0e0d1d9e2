// Refs as models write them: e12, E12, @e12, ref=e12, [ref=e12], 12, ax12, f1e12.

const SPELLING = /^\[?\s*(?:ref\s*[=:]\s*)?["']?@?(?:f[0-9]+)?(?:e|ax)?([0-9]{1,9})["']?\s*\]?$/iu;

/** undefined for what is not a ref. */
export function parseRef(text: string): number | undefined {
  const [, digits] = SPELLING.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function formatRef(ref: number): string {
  return `e${ref}`;
}
