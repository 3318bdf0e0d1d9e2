// Counts wrong tokens of each address: too many, and for a while its wrong ones are answered with 429.
// The right token is let in all the same, so nobody can lock its owner out.

const MAX_WRONG = 10;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 1_000;

export interface WrongTokens {
  /** One more; how many seconds this address is to wait, 0 while it may try again. */
  count(address: string): number;
}

export function createWrongTokens(now: () => number = () => performance.now()): WrongTokens {
  const windows = new Map<string, { readonly endsAtMs: number; count: number }>();

  function windowOf(address: string) {
    const known = windows.get(address);
    if (known && known.endsAtMs > now()) return known;
    const [oldest] = windows.keys();
    windows.delete(address);
    if (windows.size >= MAX_ADDRESSES && oldest !== undefined) windows.delete(oldest);
    const fresh = { endsAtMs: now() + WINDOW_MS, count: 0 };
    windows.set(address, fresh);
    return fresh;
  }

  return {
    count(address) {
      const window = windowOf(address);
      window.count++;
      if (window.count <= MAX_WRONG) return 0;
      return Math.ceil((window.endsAtMs - now()) / 1000);
    },
  };
}
