// The names in the index of a repository, as git itself would read them. An index with anything beyond
// the usual parts (split, sparse, with tables for threads) is not read.

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
  const isKnown = bytes.toString("latin1", 0, 4) === "DIRC" && version >= 2 && version <= 4;
  const end = bytes.length - hashBytes;
  const names: string[] = [];
  let name = Buffer.alloc(0);
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(at + STAT_BYTES + hashBytes);
    const from = at + STAT_BYTES + hashBytes + ((flags & EXTENDED) === 0 ? 2 : 4);
    const { kept, start } =
      version === 4 ? readKept(bytes, { from, before: name.length }) : { kept: 0, start: from };
    const stop = bytes.indexOf(0, start);
    name = Buffer.concat([name.subarray(0, kept), bytes.subarray(start, stop)]);
    // git goes by the length that is written, not by the end of the text.
    const isWhole = stop !== -1 && (flags & LENGTH) === Math.min(name.length, LENGTH);
    if (!isKnown || !isWhole || !isUtf8(name)) throw notUnderstood();
    names.push(name.toString());
    at = version === 4 ? stop + 1 : at + ((start - at + name.length + 8) & ~7);
  }
  while (at < end && EXTENSION.test(bytes.toString("latin1", at, at + 4))) {
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  if (!isKnown || at !== end) throw notUnderstood();
  return names;
}

/** How much of the name before is the beginning of this one. */
function readKept(
  bytes: Buffer,
  { from, before }: { readonly from: number; readonly before: number },
): { readonly kept: number; readonly start: number } {
  let start = from;
  let byte = bytes.readUInt8(start++);
  let cut = byte & 127;
  while (byte > 127) {
    byte = bytes.readUInt8(start++);
    cut = (cut + 1) * 128 + (byte & 127);
  }
  if (cut > before) throw notUnderstood();
  return { kept: before - cut, start };
}

function notUnderstood(): Error {
  return new Error("index not understood");
}
