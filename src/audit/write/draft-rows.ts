// Rows as the bytes that are appended: what is owed first, then as many as the file has room for.

import { type Link, type RowBody, writeRow } from "../chain/row.js";
import type { OpenFile } from "./open-file.js";

export interface Draft {
  readonly bytes: Buffer;
  /** Of the last row in it, or of the file when it has none. */
  readonly last: Link;
  /** Of each body that is in it, in their order. */
  readonly ends: readonly Link[];
}

export function draftRows(
  file: Pick<OpenFile, "sizeBytes" | "last" | "owed" | "owesLineFeed">,
  { bodies, maxBytes }: { readonly bodies: readonly RowBody[]; readonly maxBytes: number },
): Draft {
  const parts = file.owesLineFeed ? ["\n"] : [];
  const ends: Link[] = [];
  let roomBytes = maxBytes - file.sizeBytes;
  let { last } = file;
  const add = (line: Link & { readonly text: string }) => {
    parts.push(line.text, "\n");
    last = { sequence: line.sequence, hash: line.hash };
    roomBytes -= Buffer.byteLength(line.text) + 1;
  };
  for (const body of file.owed) add(writeRow(body, last));
  for (const body of bodies) {
    const line = writeRow(body, last);
    // A new file takes one in any case, or there would be no end of new files.
    const mustFit = ends.length > 0 || file.owed.length === 0;
    if (mustFit && Buffer.byteLength(line.text) + 1 > roomBytes) break;
    add(line);
    ends.push(last);
  }
  return { bytes: Buffer.from(parts.join("")), last, ends };
}
