// The screen of a terminal, by a package that is loaded at the first one: it resolves cursor moves,
// colours and clearing, answers the program's questions, and hands over lines that scroll away.

/** Bytes parsed at a time, and so the most lines that can scroll away unseen. */
const PIECE_BYTES = 1_024;
/** A few more, so that the last mark is never pushed out. */
const SCROLLBACK_LINES = PIECE_BYTES + 100;

export interface ScreenOptions {
  readonly columns: number;
  readonly rows: number;
  /** What the terminal itself says to the program. */
  readonly answer: (bytes: Uint8Array) => void;
  /** Text that has scrolled away and cannot change any more. */
  readonly settled: (text: string) => void;
}

export interface Screen {
  /** Copies what it needs. */
  push(bytes: Uint8Array): void;
  /** Bytes that are not parsed yet. */
  readonly waitingBytes: number;
  /** Fulfilled when everything pushed so far is parsed. */
  parsed(): Promise<void>;
  /** What can be seen now, without blank lines at its end. */
  read(): string;
  /** A program draws on a screen of its own, which does not scroll. */
  readonly isAlternate: boolean;
  readonly applicationCursor: boolean;
  close(): void;
}

type XtermModule = typeof import("@xterm/headless");
type Terminal = InstanceType<XtermModule["Terminal"]>;
type ScreenBuffer = Terminal["buffer"]["active"];

export async function createScreen(options: ScreenOptions): Promise<Screen> {
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
  /** The first line that was not handed over yet. */
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
    push(bytes) {
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
    parsed: () => new Promise((resolve) => terminal.write("", resolve)),
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

/** A line that was too wide for the screen is one line again. */
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
