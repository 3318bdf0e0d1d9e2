// What memory keeps of an output: its start and its end. Positions are UTF-8 bytes.

import type { OutputView } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";

/** Most errors are at the end. */
const HEAD_SHARE = 0.25;
/** Dropped in order to cut between two lines. */
const MAX_SLACK_CHARS = 1_000;
const NOTICE_CHARS = 80;
const FIRST_BYTES = 4 * 1024;
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
  /** Text after it that may still change. */
  readonly open: string;
  readonly lostBytes: number;
}

export interface TextPlace {
  readonly bytes: number;
  readonly chars: number;
  readonly lines: number;
}

export const TEXT_START: TextPlace = { bytes: 0, chars: 0, lines: 0 };

export function createKeptText() {
  const tail = createByteRing(MAX_TAIL_BYTES);
  let head: Buffer = Buffer.alloc(0);
  let end = TEXT_START;
  let endsInLine = false;

  /** The kept text from a position on. */
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
    append({ bytes, chars, lines }: TextPiece) {
      if (bytes.length === 0) return;
      // Until then the tail holds everything.
      if (head.length === 0 && tail.end + bytes.length > MAX_TAIL_BYTES) head = readHead(bytes);
      tail.append(bytes);
      end = { bytes: end.bytes + bytes.length, chars: end.chars + chars, lines: end.lines + lines };
      endsInLine = bytes[bytes.length - 1] !== 0x0a;
    },
    show({ from, maxChars, open, lostBytes }: ShowRequest): OutputView {
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
    last(maxChars: number, open: string) {
      const bytes = maxChars * MAX_CHAR_BYTES;
      const text = decode(tail.slice(tail.end - bytes, tail.end)) + open;
      return text.length <= maxChars ? text : withoutHalf(text.slice(-maxChars));
    },
  };
}

/** Drops halves of characters at both ends. */
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

function createByteRing(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let end = 0;

  /** Grows only before it wraps around, so positions stay valid. */
  function makeRoom(wanted: number): void {
    if (wanted <= buffer.length || buffer.length === maxBytes) return;
    const size = Math.min(maxBytes, Math.max(FIRST_BYTES, buffer.length * 2, wanted));
    const larger = Buffer.allocUnsafeSlow(size);
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }

  const start = () => Math.max(0, end - buffer.length);

  return {
    /** Position of the first kept byte. */
    get start() {
      return start();
    },
    get end() {
      return end;
    },
    append(bytes: Uint8Array) {
      makeRoom(end + bytes.length);
      const kept = bytes.subarray(Math.max(0, bytes.length - buffer.length));
      end += bytes.length - kept.length;
      const place = buffer.length === 0 ? 0 : end % buffer.length;
      const first = kept.subarray(0, buffer.length - place);
      buffer.set(first, place);
      buffer.set(kept.subarray(first.length), 0);
      end += kept.length;
    },
    slice(from: number, to: number) {
      const [first, last] = [Math.max(from, start()), Math.min(to, end)];
      if (last <= first) return Buffer.alloc(0);
      const [place, length] = [first % buffer.length, last - first];
      const part = buffer.subarray(place, place + length);
      return Buffer.concat([part, buffer.subarray(0, length - part.length)], length);
    },
  };
}

interface EndsRequest {
  /** The start, when `rest` begins later. */
  readonly first: string;
  readonly rest: string;
  readonly isWhole: boolean;
  readonly rangeChars: number;
  /** Zero-based. */
  readonly firstLine: number;
  readonly maxChars: number;
}

type Ends = Pick<OutputView, "text" | "omittedChars" | "omittedFromLine">;

function showEnds(request: EndsRequest): Ends {
  const { first, rest, isWhole, rangeChars, maxChars } = request;
  if (isWhole && rest.length <= maxChars) {
    return { text: rest, omittedChars: 0, omittedFromLine: undefined };
  }
  const room = Math.max(0, maxChars - NOTICE_CHARS);
  const head = takeHead(isWhole ? rest : first, Math.floor(room * HEAD_SHARE));
  const tail = takeTail(isWhole ? rest.slice(head.length) : rest, room - head.length);
  const omittedChars = rangeChars - head.length - tail.length;
  const notice = `[${omittedChars} characters left out here]`;
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return {
    text: `${before}${notice}\n${tail}`,
    omittedChars,
    omittedFromLine: request.firstLine + countLineFeeds(head),
  };
}

function takeHead(text: string, maxChars: number): string {
  const cut = cutChars(text, maxChars);
  const border = cut.lastIndexOf("\n") + 1;
  return border > 0 && cut.length - border <= MAX_SLACK_CHARS ? cut.slice(0, border) : cut;
}

function takeTail(text: string, maxChars: number): string {
  if (maxChars <= 0) return "";
  const cut = withoutHalf(text.slice(-maxChars));
  if (cut.length === text.length) return cut;
  const border = cut.indexOf("\n") + 1;
  return border > 0 && border < cut.length && border <= MAX_SLACK_CHARS ? cut.slice(border) : cut;
}

export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
