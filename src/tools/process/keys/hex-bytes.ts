// Bytes written in hex, sent as they are.

const HEX = /^(?:0x)?((?:[0-9a-f]{2})+)$/i;

export interface EncodedInput {
  readonly bytes: Uint8Array;
  /** A sentence for each entry that means nothing. */
  readonly problems: readonly string[];
}

export function parseHexBytes(entries: readonly string[]): EncodedInput {
  const bytes: number[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const digits = HEX.exec(entry.trim())?.[1];
    if (digits === undefined) {
      problems.push(`hex "${entry}" is no byte: write two digits each, such as 1b.`);
      continue;
    }
    for (let at = 0; at < digits.length; at += 2) {
      bytes.push(Number.parseInt(digits.slice(at, at + 2), 16));
    }
  }
  return { bytes: Uint8Array.from(bytes), problems };
}
