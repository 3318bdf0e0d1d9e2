// Records a run in a terminal: scrolled-off text is final, the screen may still change.

import type { OutputView } from "../../../core/index.js";
import type { RunRecorder } from "../output/create-run-output.js";
import { createKeptOutput, TEXT_START } from "../output/kept-output.js";

/** Limits how many lines can scroll away unseen. */
const PIECE_BYTES = 1_024;
const SCROLLBACK_LINES = PIECE_BYTES + 100;

type ScreenBuffer = InstanceType<typeof import("@xterm/headless")["Terminal"]>["buffer"]["active"];

/** Pauses the program when parsing is behind. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface ScreenOutputOptions {
  readonly columns: number;
  readonly rows: number;
  readonly logPath: string | undefined;
  /** Answers of the terminal to the program. */
  readonly answer: (bytes: Uint8Array) => void;
}

interface ScreenOptions extends Omit<ScreenOutputOptions, "logPath"> {
  /** Text that scrolled off. */
  readonly settled: (text: string) => void;
}

export interface ScreenRecorder extends RunRecorder {
  readonly applicationCursor: boolean;
}

export async function createScreenOutput(options: ScreenOutputOptions): Promise<ScreenRecorder> {
  const { columns, rows, logPath, answer } = options;
  const kept = createKeptOutput(logPath);
  const screen = await createScreen({
    columns,
    rows,
    answer,
    settled: kept.appendText,
  });
  let isFinished = false;
  let taken = { place: TEXT_START, screen: "", isAlternate: false };

  const read = () => (isFinished ? "" : screen.read());

  function take(maxChars: number): OutputView {
    const now = { place: kept.end, screen: read(), isAlternate: !isFinished && screen.isAlternate };
    const view = kept.since(taken.place, { maxChars, open: now.screen });
    const news = view.omittedChars > 0 ? view.text : newsBehind(taken, { ...now, text: view.text });
    taken = now;
    return { ...view, text: news };
  }

  return {
    output: { ...kept.output({ read, settle: () => undefined }), take },
    onChunk: (bytes) => screen.push(bytes),
    get isFull() {
      return screen.waitingBytes > MAX_WAITING_BYTES || kept.isFull;
    },
    async drained() {
      await screen.parsed();
      await kept.drained();
    },
    get problem() {
      return kept.problem;
    },
    get applicationCursor() {
      return !isFinished && screen.applicationCursor;
    },
    async finish() {
      if (isFinished) return;
      await screen.parsed();
      const last = screen.read();
      isFinished = true;
      if (last !== "") kept.appendText(`${last}\n`);
      screen.close();
      await kept.finish();
    },
    remove: kept.remove,
  };
}

interface ShownScreen {
  readonly screen: string;
  readonly isAlternate: boolean;
}

/** `text` starts at the top of the earlier screen; a full-screen program shows all of it again. */
function newsBehind(before: ShownScreen, now: ShownScreen & { readonly text: string }): string {
  if (now.isAlternate) {
    return before.isAlternate && before.screen === now.screen ? "" : now.text;
  }
  if (before.isAlternate || before.screen === "") return now.text;
  if (now.text.startsWith(before.screen)) return withoutBreak(now.text.slice(before.screen.length));
  return now.text.slice(sharedLines(before.screen, now.text));
}

function withoutBreak(text: string): string {
  return text.startsWith("\n") ? text.slice(1) : text;
}

function sharedLines(left: string, right: string): number {
  let end = 0;
  for (let feed = right.indexOf("\n"); feed !== -1; feed = right.indexOf("\n", end)) {
    if (left.slice(end, feed + 1) !== right.slice(end, feed + 1)) return end;
    end = feed + 1;
  }
  return end;
}

async function createScreen(options: ScreenOptions) {
  const loaded = await import("@xterm/headless");
  const { Terminal } = loaded.default ?? loaded;
  const terminal = new Terminal({
    cols: options.columns,
    rows: options.rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
  });
  terminal.onData((text) => options.answer(Buffer.from(text)));
  terminal.onBinary((text) => options.answer(Buffer.from(text, "latin1")));
  /** The first line that is not settled. */
  let mark = terminal.registerMarker(0);
  let waitingBytes = 0;

  function settle(): void {
    const buffer = terminal.buffer.active;
    if (buffer.type !== "normal") return;
    const text = readRows(buffer, { from: Math.max(0, mark?.line ?? 0), to: buffer.baseY });
    if (text !== "") options.settled(text);
    mark?.dispose();
    mark = terminal.registerMarker(-buffer.cursorY);
  }

  return {
    push(bytes: Uint8Array) {
      const copy = Buffer.from(bytes);
      waitingBytes += copy.length;
      for (let start = 0; start < copy.length; start += PIECE_BYTES) {
        const piece = copy.subarray(start, start + PIECE_BYTES);
        terminal.write(piece, () => {
          waitingBytes -= piece.length;
          settle();
        });
      }
    },
    get waitingBytes() {
      return waitingBytes;
    },
    parsed: () => new Promise<void>((resolve) => terminal.write("", resolve)),
    read() {
      const buffer = terminal.buffer.active;
      const from = buffer.baseY;
      return readRows(buffer, { from, to: from + terminal.rows }).trimEnd();
    },
    get isAlternate() {
      return terminal.buffer.active.type === "alternate";
    },
    get applicationCursor() {
      return terminal.modes.applicationCursorKeysMode;
    },
    close: () => terminal.dispose(),
  };
}

/** Joins wrapped lines. */
function readRows(
  buffer: ScreenBuffer,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  let text = "";
  for (let row = from; row < to; row++) {
    const isContinued = buffer.getLine(row + 1)?.isWrapped === true;
    const line = buffer.getLine(row)?.translateToString(!isContinued) ?? "";
    text += isContinued ? line : `${line}\n`;
  }
  return text;
}
