// Records a run with pipes: bytes become text without escape sequences.

import { StringDecoder } from "node:string_decoder";
import { cutChars } from "../../../lib/unicode-text.js";
import { createEscapeFilter } from "./escape-filter.js";
import { createOutputText, type OutputText, type RunRecorder } from "./output-text.js";

/** Longer than any progress bar. */
const MAX_OPEN_CHARS = 4_096;

type LineEditor = ReturnType<typeof createLineEditor>;

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

export interface RunOutputOptions {
  readonly logPath: string | undefined;
}

export function createRunOutput({ logPath }: RunOutputOptions): RunRecorder {
  const text = createOutputText({ path: logPath });
  const settled = createGathering((gathered) => text.appendText(gathered));
  const editor = createLineEditor(settled.add);
  const decoder = new StringDecoder("utf8");
  /** False when the last chunk may have ended inside a character. */
  let isWhole = true;
  const filter = createEscapeFilter(editor);
  function settle(): void {
    editor.settle();
    settled.pass();
  }
  const output = text.output({ read: () => editor.open, settle });

  return {
    output,
    onChunk(bytes) {
      const isCalm = isWhole && filter.isIdle && !editor.isReturned;
      const lines = isCalm ? countPlainLines(bytes) : NOT_PLAIN;
      if (lines === NOT_PLAIN) {
        filter.push(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)));
        isWhole = (bytes[bytes.length - 1] ?? MAX_BYTE) <= MAX_ASCII;
      } else {
        addPlain({ text, editor, settled }, { bytes, lines });
      }
      settled.pass();
    },
    get isFull() {
      return text.log.isFull;
    },
    drained: () => text.log.drained(),
    get problem() {
      return text.log.problem;
    },
    async finish() {
      filter.push(decoder.end());
      settle();
      await text.log.finish();
    },
    remove: () => text.log.remove(),
  };
}

type Gathering = ReturnType<typeof createGathering>;

function createGathering(use: (text: string) => void) {
  let gathered = "";
  return {
    add(text: string) {
      gathered += text;
    },
    pass() {
      if (gathered === "") return;
      use(gathered);
      gathered = "";
    },
  };
}

interface PlainTarget {
  readonly text: OutputText;
  readonly editor: LineEditor;
  readonly settled: Gathering;
}

/** Whole lines stay bytes; only an unfinished line becomes text. */
function addPlain(
  { text, editor, settled }: PlainTarget,
  { bytes, lines }: { readonly bytes: Uint8Array; readonly lines: number },
): void {
  const behind = lines === 0 ? 0 : bytes.lastIndexOf(0x0a) + 1;
  if (behind > 0) {
    const before = editor.takeOpen();
    if (before !== "") text.appendText(before);
    text.append({ bytes: bytes.subarray(0, behind), chars: behind, lines });
  }
  const rest = bytes.subarray(behind);
  if (rest.length <= MAX_OPEN_BYTES) {
    editor.text(Buffer.from(rest.buffer, rest.byteOffset, rest.length).toString("latin1"));
    return;
  }
  editor.passBy();
  settled.pass();
  text.append({ bytes: rest, chars: rest.length, lines: 0 });
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

function createLineEditor(give: (text: string) => void) {
  let open = "";
  let isReturned = false;
  let isInLine = false;

  function settle(): void {
    if (open === "") return;
    give(open);
    open = "";
    isInLine = true;
  }

  function replaceLine(): void {
    open = "";
    if (isInLine) give("\n");
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
        give(open + run.slice(0, behind));
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
