// What memory keeps of an output: its beginning and its end, and how much there was in all.
// Positions are bytes of the cleaned text in UTF-8.

import type { OutputView } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type ByteRing, createByteRing } from "./byte-ring.js";
import { showEnds } from "./show-ends.js";

export const MAX_HEAD_BYTES = 64 * 1024;
export const MAX_TAIL_CHARS = 200_000;
/** A UTF-16 unit is at most three bytes in UTF-8. */
const MAX_CHAR_BYTES = 3;
const MAX_TAIL_BYTES = MAX_TAIL_CHARS * MAX_CHAR_BYTES;

export interface TextPiece {
  readonly bytes: Uint8Array;
  readonly chars: number;
  readonly lines: number;
}

export interface ShowRequest {
  readonly from: TextPlace;
  readonly maxChars: number;
  /** What follows the kept text and may still change. */
  readonly open: string;
  readonly lostBytes: number;
}

/** How much text is before a place. */
export interface TextPlace {
  readonly bytes: number;
  readonly chars: number;
  readonly lines: number;
}

export const TEXT_START: TextPlace = { bytes: 0, chars: 0, lines: 0 };

export interface KeptText {
  readonly end: TextPlace;
  readonly endsInLine: boolean;
  readonly tail: Pick<ByteRing, "start" | "slice">;
  append(piece: TextPiece): void;
  show(request: ShowRequest): OutputView;
  last(maxChars: number, open: string): string;
}

export function createKeptText(): KeptText {
  const tail = createByteRing(MAX_TAIL_BYTES);
  let head: Buffer = Buffer.alloc(0);
  let end = TEXT_START;
  let endsInLine = false;

  /** The text from `from` on, as far as it is kept: all of it, or what its ends are. */
  function read(from: number): { readonly first: string; readonly rest: string } {
    if (from >= tail.start) return { first: "", rest: decode(tail.slice(from, tail.end)) };
    return {
      first: from < head.length ? decode(head.subarray(from)) : "",
      rest: decode(tail.slice(tail.start, tail.end)),
    };
  }

  function readHead(next: Uint8Array): Buffer {
    const known = tail.slice(0, MAX_HEAD_BYTES);
    return Buffer.concat([known, next.subarray(0, MAX_HEAD_BYTES - known.length)]);
  }

  return {
    get end() {
      return end;
    },
    get endsInLine() {
      return endsInLine;
    },
    tail,
    append({ bytes, chars, lines }) {
      if (bytes.length === 0) return;
      // As long as the tail has everything, it has the head too.
      if (head.length === 0 && tail.end + bytes.length > MAX_TAIL_BYTES) head = readHead(bytes);
      tail.append(bytes);
      end = { bytes: end.bytes + bytes.length, chars: end.chars + chars, lines: end.lines + lines };
      endsInLine = bytes[bytes.length - 1] !== 0x0a;
    },
    show({ from, maxChars, open, lostBytes }) {
      const isWhole = from.bytes >= tail.start;
      const { first, rest } = read(from.bytes);
      const totalChars = end.chars + open.length;
      const shown = showEnds({
        first,
        rest: rest + open,
        isWhole,
        rangeChars: totalChars - from.chars,
        firstLine: from.lines,
        maxChars,
      });
      const totalLines = end.lines + (endsInLine || open !== "" ? 1 : 0);
      return { ...shown, totalChars, totalLines, lostBytes };
    },
    last(maxChars, open) {
      const bytes = maxChars * MAX_CHAR_BYTES;
      const text = decode(tail.slice(tail.end - bytes, tail.end)) + open;
      return text.length <= maxChars ? text : withoutHalf(text.slice(-maxChars));
    },
  };
}

/** Bytes may begin or end inside a character; such a half is left out. */
function decode(bytes: Buffer): string {
  let start = 0;
  while (start < bytes.length && start < MAX_CHAR_BYTES && isContinuation(bytes[start])) start++;
  const text = bytes.toString("utf8", start);
  return text.endsWith("\uFFFD") ? cutChars(text, text.length - 1) : text;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function withoutHalf(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "");
}
