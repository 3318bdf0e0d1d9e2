// Starts a command with pipes inside a containment and records its output.

import type { Writable } from "node:stream";
import { endAll, follow, type LaunchedEnd, type RunningTree } from "../launch/kill-ladder.js";
import {
  assertSound,
  type InsidePlace,
  type OpenRequest,
  openInside,
  startedOf,
} from "../launch/open-inside.js";
import type { PrewarmedSandbox } from "../launch/prewarmed-sandbox.js";
import { createRunOutput, type RunRecorder } from "../output/create-run-output.js";

const MAX_WRITE_WAIT_MS = 1_000;
const MAX_WAITING_BYTES = 4 * 1_024 * 1_024;

export interface RunPlace extends InsidePlace {
  readonly logPath: string | undefined;
  onOutput(): void;
  /** The command starts when this is fulfilled. */
  onStarted(started: { readonly pid: number; readonly startTicks: string }): Promise<void>;
  /** Called just before the start signal; throws to cancel. */
  assertWanted(): void;
}

interface StartPipedRequest extends RunPlace, OpenRequest {
  readonly prewarmed?: PrewarmedSandbox | undefined;
}

export interface StartedRun {
  readonly pid: number;
  readonly recorder: RunRecorder;
  /** Fulfilled when everything is gone and the output was read. */
  readonly ended: Promise<LaunchedEnd>;
  readonly isTerminal: boolean;
  readonly applicationCursor: () => boolean;
  readonly input: RunInput | undefined;
  stop(): void;
  stopNow(): void;
}

export interface RunInput {
  readonly isOpen: boolean;
  /** Too much is waiting to be read. */
  readonly isFull?: boolean;
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** Throws `failed` / `launch_failed`, or what `onStarted` threw. */
export async function startPiped(request: StartPipedRequest): Promise<StartedRun> {
  const { prewarmed, pipes, onStarted, assertWanted, onOutput } = request;
  const { pid, inside, reading, exited, ready, input, ...opened } =
    prewarmed?.opened ?? (await openInside(request));
  const recorder = createRunOutput(request.logPath);
  const onChunk = (bytes: Uint8Array) => {
    recorder.onChunk(bytes);
    onOutput();
    if (!recorder.isFull) return true;
    void recorder.drained().then(reading.resume);
    return false;
  };
  const begin = () => {
    assertWanted();
    const settle = (prewarmed?.inside ?? inside).guard?.();
    reading.begin(onChunk);
    opened.go(prewarmed?.line ?? "go");
    pipes.makeAhead();
    return settle;
  };
  let tree: RunningTree | undefined;
  let settle: ReturnType<typeof begin>;
  try {
    if (prewarmed === undefined) {
      await Promise.all([ready, onStarted(startedOf(pid))]);
      tree = opened.findTree();
      assertSound(inside, tree);
      settle = begin();
    } else {
      // It ends with this process, so it need not wait until it is recorded.
      tree = opened.findTree();
      settle = begin();
      await onStarted(startedOf(pid));
    }
  } catch (error) {
    await endAll(tree ?? opened.findTree());
    settle?.();
    opened.close();
    throw error;
  }
  return {
    ...follow({ tree, exited, drain: reading.drain, settle }),
    pid,
    recorder,
    isTerminal: false,
    applicationCursor: () => false,
    input: input && toInput(input),
  };
}

function toInput(stream: Writable): RunInput {
  return {
    get isOpen() {
      return stream.writable;
    },
    get isFull() {
      return stream.writableLength >= MAX_WAITING_BYTES;
    },
    // Slow readers get the bytes later, and the end after them.
    write: (bytes) => waitShortly((done) => stream.write(Buffer.from(bytes), done)),
    end: () =>
      waitShortly((done) => {
        stream.once("close", () => done());
        stream.end(() => done());
      }),
  };
}

function waitShortly(work: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, MAX_WRITE_WAIT_MS);
    work((error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    });
  });
}
