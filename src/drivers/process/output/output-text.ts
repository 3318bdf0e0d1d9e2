// The cleaned text of a run, kept in memory at both ends and in a log.
import type { OutputLines, RunOutput } from "../../../core/index.js";
import {
  countLineFeeds,
  createKeptText,
  TEXT_START,
  type TextPiece,
  type TextPlace,
} from "./kept-text.js";
import { createLineIndex, readLines } from "./read-lines.js";
import { type ByteRange, createRunLog, type RunLogOptions } from "./run-log.js";

type LinesRequest = Parameters<RunOutput["lines"]>[0];

export type OutputText = ReturnType<typeof createOutputText>;

interface OpenText {
  read(): string;
  /** Makes the open text final before it is returned as news. */
  settle(): void;
}

export function createOutputText(options: RunLogOptions) {
  const kept = createKeptText();
  const log = createRunLog(options);
  const index = createLineIndex((byte) =>
    ranges().some(({ from, to }) => byte >= from && byte <= to),
  );

  function ranges(): readonly ByteRange[] {
    const memory = { from: kept.tail.start, to: kept.end.bytes };
    const logged = log.ranges();
    const last = logged.at(-1);
    if (last && last.to >= memory.from) {
      return [...logged.slice(0, -1), { from: Math.min(last.from, memory.from), to: memory.to }];
    }
    return [...logged, memory];
  }

  function lostBytes(): number {
    return kept.end.bytes - ranges().reduce((sum, { from, to }) => sum + to - from, 0);
  }

  async function read({ from, to }: ByteRange): Promise<Buffer> {
    if (from >= kept.tail.start) return kept.tail.slice(from, to);
    return log.read({ from, to: Math.min(to, log.ranges().at(-1)?.to ?? 0) });
  }

  function append(piece: TextPiece): void {
    index.note({ byte: kept.end.bytes, line: kept.end.lines });
    kept.append(piece);
    log.append(piece.bytes);
  }

  async function lines(request: LinesRequest, open: string): Promise<OutputLines> {
    const totalLines = kept.end.lines + (kept.endsInLine || open !== "" ? 1 : 0);
    const totalChars = kept.end.chars + open.length;
    const { limit, column = 0 } = request;
    const line = request.offset ?? Math.max(0, totalLines - limit);
    if (line >= totalLines)
      return { lines: [], offset: line, totalLines, totalChars, lostLines: 0 };
    const found = await readLines({ index, ranges, read }, { line, limit, column });
    const last = found.reachesEnd ? open.slice(found.columnLeft) : "";
    return {
      lines: toLines(found.text + last).slice(0, limit),
      offset: found.firstLine,
      totalLines,
      totalChars,
      lostLines: found.firstLine - line,
    };
  }

  const since = (
    from: TextPlace,
    { maxChars, open }: { readonly maxChars: number; readonly open: string },
  ) => kept.show({ from, maxChars, open, lostBytes: lostBytes() });

  return {
    log,
    append,
    get end() {
      return kept.end;
    },
    since,
    appendText(text: string) {
      append({ bytes: Buffer.from(text), chars: text.length, lines: countLineFeeds(text) });
    },
    output(open: OpenText): RunOutput {
      let taken = TEXT_START;
      return {
        view: (maxChars) => since(TEXT_START, { maxChars, open: open.read() }),
        tail: (maxChars) => kept.last(maxChars, open.read()),
        take(maxChars) {
          open.settle();
          const news = since(taken, { maxChars, open: "" });
          taken = kept.end;
          return news;
        },
        lines: (request) => lines(request, open.read()),
      };
    },
  };
}

function toLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

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
