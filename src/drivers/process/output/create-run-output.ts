// The recorder of a run with a pipe: bytes become text, without escape sequences.

import { createEscapeFilter } from "./escape-filter.js";
import { createLineEditor, type LineEditor } from "./line-editor.js";
import { createOutputText, type OutputText } from "./output-text.js";
import { countPlainLines } from "./plain-bytes.js";
import type { RunRecorder } from "./run-recorder.js";
import { createUtf8Stream } from "./utf8-stream.js";

/** Up to here it is cheaper to make text of a line without an end than to pass it by. */
const MAX_OPEN_BYTES = 1_024;

export interface RunOutputOptions {
  /** Absolute; made when more comes than a few blocks of memory hold. */
  readonly logPath: string | undefined;
}

export function createRunOutput({ logPath }: RunOutputOptions): RunRecorder {
  const text = createOutputText({ path: logPath });
  const settled = createGathering((gathered) => text.appendText(gathered));
  const editor = createLineEditor(settled.add);
  const decoder = createUtf8Stream();
  const filter = createEscapeFilter(editor);
  function settle(): void {
    editor.settle();
    settled.pass();
  }
  const output = text.output({ read: () => editor.open, settle });

  return {
    output,
    onChunk(bytes) {
      const isCalm = decoder.isWhole && filter.isIdle && !editor.isReturned;
      const lines = isCalm ? countPlainLines(bytes) : -1;
      if (lines < 0) filter.push(decoder.decode(bytes));
      else addPlain({ text, editor, settled }, { bytes, lines });
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

interface Gathering {
  readonly add: (text: string) => void;
  pass(): void;
}

/** Many small texts become one. */
function createGathering(use: (text: string) => void): Gathering {
  let gathered = "";
  return {
    add(text) {
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

/** Whole lines go on as the bytes they are; only an unfinished line becomes text. */
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
