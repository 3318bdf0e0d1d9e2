// Records a run with pipes: bytes become text without escape sequences.

import { StringDecoder } from "node:string_decoder";
import type { RunOutput } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { createEscapeFilter } from "./escape-filter.js";
import { createKeptOutput } from "./kept-output.js";

/** Longer than any progress bar. */
const MAX_OPEN_CHARS = 4_096;

const WORD_BYTES = 4;
const HIGH_BITS = 0x80808080;
const LOW_BITS = 0x7f7f7f7f;
const ONES = 0x01010101;
/** Sets the high bit of bytes below 0x80 that are not control characters. */
const ABOVE_CONTROLS = 0x60606060;
const LINE_FEEDS = 0x0a0a0a0a;
const TABS = 0x09090909;
const NOT_PLAIN = -1;
const MAX_ASCII = 0x7f;
const MAX_BYTE = 0xff;
/** Longer unfinished lines stay bytes. */
const MAX_OPEN_BYTES = 1_024;

export interface RunRecorder {
  readonly output: RunOutput;
  /** Copies what it keeps. */
  onChunk(bytes: Uint8Array): void;
  /** Stop reading until `drained()`. */
  readonly isFull: boolean;
  /** Never rejected. */
  drained(): Promise<void>;
  /** A failure of the log, as a sentence. */
  readonly problem: string | undefined;
  /** After the last bytes. Never rejected. */
  finish(): Promise<void>;
  /** Never rejected. */
  remove(): Promise<void>;
}

export function createRunOutput(logPath: string | undefined): RunRecorder {
  const kept = createKeptOutput(logPath);
  const editor = createLineEditor();
  const decoder = new StringDecoder("utf8");
  const filter = lazy(() => createEscapeFilter(editor));
  /** False when the last chunk may have ended inside a character or a sequence. */
  let isWhole = true;
  const keepSettled = () => kept.appendText(editor.takeSettled());
  const settle = () => {
    editor.settle();
    keepSettled();
  };
  const output = kept.output({ read: () => editor.open, settle });

  /** Whole lines stay bytes; only an unfinished line becomes text. */
  function addPlain(bytes: Uint8Array, lines: number): void {
    const behind = lines === 0 ? 0 : bytes.lastIndexOf(0x0a) + 1;
    if (behind > 0) {
      kept.appendText(editor.takeOpen());
      kept.append({ bytes: bytes.subarray(0, behind), chars: behind, lines });
    }
    const rest = bytes.subarray(behind);
    if (rest.length <= MAX_OPEN_BYTES) {
      editor.text(Buffer.from(rest.buffer, rest.byteOffset, rest.length).toString("latin1"));
      return;
    }
    editor.passBy();
    keepSettled();
    kept.append({ bytes: rest, chars: rest.length, lines: 0 });
  }

  return {
    output,
    onChunk(bytes) {
      const lines = isWhole && !editor.isReturned ? countPlainLines(bytes) : NOT_PLAIN;
      if (lines === NOT_PLAIN) {
        const text = decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
        isWhole = filter().push(text) && (bytes[bytes.length - 1] ?? MAX_BYTE) <= MAX_ASCII;
      } else {
        addPlain(bytes, lines);
      }
      keepSettled();
    },
    get isFull() {
      return kept.isFull;
    },
    drained: kept.drained,
    get problem() {
      return kept.problem;
    },
    async finish() {
      if (!isWhole) filter().push(decoder.end());
      settle();
      await kept.finish();
    },
    remove: kept.remove,
  };
}

/** Line feeds in them; -1 when they are not plain. */
function countPlainLines(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes;
  if (length < 2 * WORD_BYTES) return countSingly(bytes);
  const lead = -byteOffset & (WORD_BYTES - 1);
  const wordCount = (length - lead) >>> 2;
  const begin = countSingly(bytes.subarray(0, lead));
  const middle = countInWords(new Uint32Array(buffer, byteOffset + lead, wordCount));
  const end = countSingly(bytes.subarray(lead + wordCount * WORD_BYTES));
  return begin < 0 || middle < 0 || end < 0 ? NOT_PLAIN : begin + middle + end;
}

function countInWords(words: Uint32Array): number {
  let lines = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0;
    // The second sum finds 0x7f.
    if (((word | (word + ONES)) & HIGH_BITS) !== 0) return NOT_PLAIN;
    const controls = ~(word + ABOVE_CONTROLS) & HIGH_BITS;
    if (controls === 0) continue;
    const feeds = zeroBytes(word ^ LINE_FEEDS);
    if ((controls & ~(feeds | zeroBytes(word ^ TABS))) !== 0) return NOT_PLAIN;
    lines += Math.imul(feeds >>> 7, ONES) >>> 24;
  }
  return lines;
}

/** Sets the high bit of each zero byte; all bytes are below 0x80. */
function zeroBytes(word: number): number {
  return ~(word + LOW_BITS) & HIGH_BITS;
}

function countSingly(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) {
    if (byte === 0x0a) lines++;
    else if ((byte < 0x20 && byte !== 0x09) || byte >= 0x7f) return NOT_PLAIN;
  }
  return lines;
}

/** The last line, which a carriage return or a backspace may still change. */
function createLineEditor() {
  let open = "";
  let settled = "";
  let isReturned = false;
  let isInLine = false;

  function settle(): void {
    if (open === "") return;
    settled += open;
    open = "";
    isInLine = true;
  }

  function replaceLine(): void {
    open = "";
    if (isInLine) settled += "\n";
    isInLine = false;
  }

  return {
    get open() {
      return open;
    },
    /** The next text replaces the line unless it begins with a line feed. */
    get isReturned() {
      return isReturned;
    },
    settle,
    /** Text that nothing changes any more. */
    takeSettled() {
      const text = settled;
      settled = "";
      return text;
    },
    /** The rest of the line bypasses this editor. */
    passBy() {
      settle();
      isInLine = true;
    },
    /** The caller continues with whole lines. */
    takeOpen() {
      const text = open;
      open = "";
      isInLine = false;
      return text;
    },
    text(run: string) {
      if (run === "") return;
      if (isReturned && !run.startsWith("\n")) replaceLine();
      isReturned = false;
      const behind = run.lastIndexOf("\n") + 1;
      if (behind > 0) {
        settled += open + run.slice(0, behind);
        isInLine = false;
      }
      open = behind > 0 ? run.slice(behind) : open + run;
      if (open.length > MAX_OPEN_CHARS) settle();
    },
    carriageReturn() {
      isReturned = open !== "" || isInLine;
    },
    backspace() {
      if (!isReturned) open = cutChars(open, open.length - 1);
    },
    eraseLine() {
      open = "";
    },
  };
}
