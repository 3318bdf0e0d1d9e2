// What is kept of an output: its start and its end in memory, and what is between them in a log.
// Positions are UTF-8 bytes of the cleaned text.

import type { OutputView, RunOutput } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { createOutputLog, MAX_LOG_HEAD_BYTES, MAX_LOG_TAIL_BYTES } from "./output-log.js";
import { countLineFeeds, type LineMark, readLines } from "./read-lines.js";

export const MAX_HEAD_BYTES = 64 * 1024;
export const MAX_TAIL_CHARS = 200_000;
/** A UTF-16 unit is at most three bytes in UTF-8. */
const MAX_CHAR_BYTES = 3;
const MAX_TAIL_BYTES = MAX_TAIL_CHARS * MAX_CHAR_BYTES;
/** Both parts of the log are multiples of it, so no block crosses their borders. */
const MAX_BLOCK_BYTES = 256 * 1024;
const MIN_BLOCK_BYTES = 4 * 1024;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MARK_EVERY_BYTES = 64 * 1024;
const MAX_MARKS = 2_048;
/** Most errors are at the end. */
const HEAD_SHARE = 0.25;
/** Dropped in order to cut between two lines. */
const MAX_SLACK_CHARS = 1_000;
const NOTICE_CHARS = 80;

export interface TextPlace {
  readonly bytes: number;
  readonly chars: number;
  readonly lines: number;
}

export const TEXT_START: TextPlace = { bytes: 0, chars: 0, lines: 0 };

export interface TextPiece {
  readonly bytes: Uint8Array;
  readonly chars: number;
  readonly lines: number;
}

interface Block {
  readonly start: number;
  readonly buffer: Buffer;
  length: number;
}

interface OpenText {
  /** Text after the kept one that may still change. */
  read(): string;
  /** Makes the open text final before it is returned as news. */
  settle(): void;
}

export function createKeptOutput(logPath: string | undefined) {
  const log = createOutputLog(logPath);
  /** The end of the output; a block leaves when the log has it and the tail does not need it. */
  const blocks: Block[] = [];
  let spare: Buffer | undefined;
  let head: Buffer = Buffer.alloc(0);
  let end = TEXT_START;
  let endsInLine = false;
  let marks: LineMark[] = [{ byte: 0, line: 0 }];
  let writing: Promise<void> | undefined;
  let isRemoved = false;

  const memoryStart = () => blocks[0]?.start ?? 0;
  const waitingBytes = () => end.bytes - memoryStart() - MAX_TAIL_BYTES;

  /** What is neither in memory nor in the log. */
  function findGap() {
    const isBroken = log.problem !== undefined;
    const from = isBroken ? Math.min(log.written, MAX_LOG_HEAD_BYTES) : MAX_LOG_HEAD_BYTES;
    const to = isBroken ? memoryStart() : end.bytes - MAX_LOG_TAIL_BYTES;
    return { from, to: Math.max(from, to) };
  }

  function addBlock(start: number): Block {
    const size = Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, start));
    const buffer = spare?.length === size ? spare : Buffer.allocUnsafeSlow(size);
    spare = undefined;
    const block = { start, buffer, length: 0 };
    blocks.push(block);
    return block;
  }

  function dropBlock(): void {
    if (memoryStart() === 0) head = slice(0, MAX_HEAD_BYTES);
    spare = blocks.shift()?.buffer;
  }

  /** Writes and drops the blocks that the tail does not need. */
  function makeRoom(): void {
    while (!writing && !isRemoved) {
      const [first] = blocks;
      if (first === undefined || waitingBytes() < first.length) return;
      if (log.problem !== undefined) dropBlock();
      else writing = writeBlock(first).then(makeRoom);
    }
  }

  async function writeBlock({ buffer, length }: Block): Promise<void> {
    await log.write(buffer.subarray(0, length));
    writing = undefined;
    dropBlock();
  }

  function slice(from: number, to: number): Buffer {
    const parts = blocks.flatMap(({ start, buffer, length }) => {
      const [first, last] = [Math.max(0, from - start), Math.min(length, to - start)];
      return first < last ? [buffer.subarray(first, last)] : [];
    });
    return Buffer.concat(parts);
  }

  async function read(from: number, to: number): Promise<Buffer> {
    if (from >= memoryStart()) return slice(from, to);
    const bytes = await log.read(from, Math.min(to, log.written));
    // The oldest ones may have been overwritten meanwhile.
    return isKept(from) ? bytes : bytes.subarray(bytes.length);
  }

  function isKept(byte: number): boolean {
    const gap = findGap();
    return byte < gap.from || byte >= gap.to;
  }

  function append({ bytes, chars, lines }: TextPiece): void {
    if (bytes.length === 0) return;
    if (end.bytes - (marks.at(-1)?.byte ?? 0) >= MARK_EVERY_BYTES) {
      if (marks.length >= MAX_MARKS) marks = marks.filter(({ byte }) => isKept(byte));
      marks.push({ byte: end.bytes, line: end.lines });
    }
    for (let rest = bytes; rest.length > 0; ) {
      const last = blocks.at(-1);
      const isFull = last === undefined || last.length === last.buffer.length;
      const block = isFull ? addBlock(end.bytes + bytes.length - rest.length) : last;
      const part = rest.subarray(0, block.buffer.length - block.length);
      block.buffer.set(part, block.length);
      block.length += part.length;
      rest = rest.subarray(part.length);
    }
    end = { bytes: end.bytes + bytes.length, chars: end.chars + chars, lines: end.lines + lines };
    endsInLine = bytes[bytes.length - 1] !== 0x0a;
    makeRoom();
  }

  /** The text from a place on, with its end and, where it is too long, its start. */
  function since(
    from: TextPlace,
    { maxChars, open }: { readonly maxChars: number; readonly open: string },
  ): OutputView {
    const tailStart = Math.max(memoryStart(), end.bytes - MAX_TAIL_BYTES);
    const isWhole = from.bytes >= tailStart;
    const tail = decode(slice(Math.max(from.bytes, tailStart), end.bytes)) + open;
    const start = memoryStart() === 0 ? slice(0, MAX_HEAD_BYTES) : head;
    const totals = countTotals(open);
    const gap = findGap();
    return {
      ...showEnds({
        first: isWhole ? tail : decode(start.subarray(from.bytes)),
        last: tail,
        isWhole,
        rangeChars: totals.totalChars - from.chars,
        firstLine: from.lines,
        maxChars,
      }),
      ...totals,
      lostBytes: gap.to - gap.from,
    };
  }

  function countTotals(open: string) {
    return {
      totalChars: end.chars + open.length,
      totalLines: end.lines + (endsInLine || open !== "" ? 1 : 0),
    };
  }

  return {
    append,
    appendText(text: string) {
      if (text === "") return;
      append({ bytes: Buffer.from(text), chars: text.length, lines: countLineFeeds(text) });
    },
    get end() {
      return end;
    },
    since,
    output({ read: readOpen, settle }: OpenText): RunOutput {
      let taken = TEXT_START;
      return {
        view: (maxChars) => since(TEXT_START, { maxChars, open: readOpen() }),
        tail(maxChars) {
          const text = decode(slice(end.bytes - maxChars * MAX_CHAR_BYTES, end.bytes)) + readOpen();
          return text.length <= maxChars ? text : withoutHalf(text.slice(-maxChars));
        },
        take(maxChars) {
          settle();
          const news = since(taken, { maxChars, open: "" });
          taken = end;
          return news;
        },
        async lines(request) {
          const open = readOpen();
          const totals = countTotals(open);
          const kept = { endByte: end.bytes, marks, findGap, read };
          return { ...(await readLines(kept, { ...request, ...totals, open })), ...totals };
        },
      };
    },
    /** More than the log can take in; the program should wait until `drained()`. */
    get isFull() {
      return waitingBytes() > MAX_WAITING_BYTES;
    },
    async drained() {
      while (writing && waitingBytes() > MAX_WAITING_BYTES / 2) await writing;
    },
    get problem() {
      return log.problem;
    },
    finish,
    async remove() {
      isRemoved = true;
      await finish();
      await log.remove();
    },
  };

  async function finish(): Promise<void> {
    while (writing) await writing;
    await log.close();
  }
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

interface EndsRequest {
  /** The start, as far as it is kept. */
  readonly first: string;
  readonly last: string;
  /** `last` has everything. */
  readonly isWhole: boolean;
  readonly rangeChars: number;
  /** Zero-based. */
  readonly firstLine: number;
  readonly maxChars: number;
}

type Ends = Pick<OutputView, "text" | "omittedChars" | "omittedFromLine">;

function showEnds({ first, last, isWhole, rangeChars, firstLine, maxChars }: EndsRequest): Ends {
  if (isWhole && last.length <= maxChars) {
    return { text: last, omittedChars: 0, omittedFromLine: undefined };
  }
  const room = Math.max(0, maxChars - NOTICE_CHARS);
  const head = takeHead(first, Math.floor(room * HEAD_SHARE));
  const tail = takeTail(isWhole ? last.slice(head.length) : last, room - head.length);
  const omittedChars = rangeChars - head.length - tail.length;
  const notice = `[${omittedChars} characters left out here]`;
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return {
    text: `${before}${notice}\n${tail}`,
    omittedChars,
    omittedFromLine: firstLine + countLineFeeds(head),
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
