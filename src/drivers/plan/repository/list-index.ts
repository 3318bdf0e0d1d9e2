// The names in the index of a repository, as git itself would read them. Only the usual form is read:
// not one that is split, sparse, compressed (version 4) or has tables for threads.

import { isUtf8 } from "node:buffer";

const HEADER_BYTES = 12;
/** Of an entry, before the hash of its content. */
const STAT_BYTES = 40;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;
/** Caches, and conflicts that were resolved: none of them adds a name. */
const EXTENSION = /^(?:TREE|REUC|UNTR|FSMN)$/;

/** Throws for an index that is not understood to its end. */
export function listIndex(bytes: Buffer, hashBytes: number): readonly string[] {
  const version = bytes.readUInt32BE(4);
  const isKnown = bytes.toString("latin1", 0, 4) === "DIRC" && (version === 2 || version === 3);
  const end = bytes.length - hashBytes;
  const names: string[] = [];
  let at = HEADER_BYTES;
  for (let left = isKnown ? bytes.readUInt32BE(8) : 0; left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(at + STAT_BYTES + hashBytes);
    const start = at + STAT_BYTES + hashBytes + ((flags & EXTENDED) === 0 ? 2 : 4);
    const name = bytes.subarray(start, bytes.indexOf(0, start));
    // git goes by the length that is written, not by the end of the text.
    const isWhole = (flags & LENGTH) === Math.min(name.length, LENGTH) && isUtf8(name);
    if (!isWhole) throw new Error("name of the index not understood");
    names.push(name.toString());
    at += (start - at + name.length + 8) & ~7;
  }
  while (at < end && EXTENSION.test(bytes.toString("latin1", at, at + 4))) {
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  if (!isKnown || at !== end) throw new Error("index not understood");
  return names;
}
