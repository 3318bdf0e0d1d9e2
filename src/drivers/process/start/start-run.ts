// Starts a command with pipes or a terminal and records its output.
import type { Writable } from "node:stream";
import type { EnclosedCommand } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { innerCommand, type LaunchWork } from "../launch/inner-script.js";
import {
  endAll,
  follow,
  type LaunchedEnd,
  type RunningTree,
  withInit,
} from "../launch/kill-ladder.js";
import { type LaunchPlace, type LaunchRequest, launch } from "../launch/launch.js";
import { assertSound, startedOf, treeOf } from "../launch/open-inside.js";
import { createRunOutput, type RunRecorder } from "../output/create-run-output.js";
import type { TerminalProcess } from "../terminal/spawn-terminal.js";

const MAX_WRITE_WAIT_MS = 1_000;
const MAX_WAITING_BYTES = 4 * 1_024 * 1_024;

interface StartPipedRequest extends Omit<LaunchRequest, "onChunk"> {
  readonly logPath: string | undefined;
  onOutput(): void;
}

export async function startPiped(request: StartPipedRequest): Promise<StartedRun> {
  // Made late: a failed start has no output.
  const recorder = lazy(() => createRunOutput(request.logPath));
  let resume: () => void = () => undefined;
  const launched = await launch({
    ...request,
    onChunk(bytes) {
      recorder().onChunk(bytes);
      request.onOutput();
      if (!recorder().isFull) return true;
      void recorder()
        .drained()
        .then(() => resume());
      return false;
    },
  });
  resume = launched.resume;
  const { pid, ended, stop, stopNow } = launched;
  return {
    pid,
    recorder: recorder(),
    ended,
    isTerminal: false,
    applicationCursor: () => false,
    input: launched.input && toInput(launched.input),
    stop,
    stopNow,
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

const END_OF_INPUT = Uint8Array.of(4);

interface StartInTerminalRequest extends LaunchPlace {
  readonly work: LaunchWork;
  readonly columns: number;
  readonly rows: number;
  readonly logPath: string | undefined;
  /** Random, so output cannot imitate the handshake. */
  readonly token: string;
  onOutput(): void;
}

export async function startInTerminal(request: StartInTerminalRequest): Promise<StartedRun> {
  // Loaded at the first terminal.
  const { createScreenOutput } = await import("../terminal/screen-output.js");
  const { columns, rows, logPath } = request;
  let answer: (bytes: Uint8Array) => void = () => undefined;
  const recorder = await createScreenOutput({
    columns,
    rows,
    logPath,
    answer: (bytes) => answer(bytes),
  });
  try {
    const { terminal, inside } = await openTerminal(request, recorder);
    answer = terminal.write;
    const { pid, exited } = terminal;
    const tree = await begin(request, { terminal, inside });
    const settle = inside.guard?.();
    const followed = follow({ tree, exited, drain: async () => undefined, settle });
    terminal.go();
    const applicationCursor = () => recorder.applicationCursor;
    const input = toTerminalInput(terminal);
    return { ...followed, pid, recorder, isTerminal: true, applicationCursor, input };
  } catch (error) {
    await recorder.remove();
    throw error;
  }
}

interface Opened {
  readonly terminal: TerminalProcess;
  readonly inside: EnclosedCommand;
}

async function openTerminal(
  request: StartInTerminalRequest,
  recorder: RunRecorder,
): Promise<Opened> {
  const { spawnTerminal } = await import("../terminal/spawn-terminal.js");
  const { columns, rows, token } = request;
  const inside = await encloseFor(request);
  let opened: TerminalProcess | undefined;
  let isBehind = false;
  const terminal = await spawnTerminal({
    ...inside,
    columns,
    rows,
    token,
    onData(bytes) {
      recorder.onChunk(bytes);
      if (recorder.isFull) opened?.pause();
      if (isBehind) return;
      isBehind = true;
      // Reported once the screen has parsed it.
      void recorder.drained().then(() => {
        isBehind = false;
        opened?.resume();
        request.onOutput();
      });
    },
  });
  opened = terminal;
  return { terminal, inside };
}

/** On an error nothing is left running. */
async function begin(request: StartInTerminalRequest, opened: Opened): Promise<RunningTree> {
  const { pid, exited, ready } = opened.terminal;
  const tree = treeOf(request, { pid, ended: exited });
  let started: RunningTree | undefined;
  try {
    await Promise.all([ready, request.onStarted(startedOf(pid))]);
    started = withInit(tree);
    assertSound(opened.inside, started);
    request.assertWanted();
    return started;
  } catch (error) {
    await endAll(started ?? withInit(tree));
    throw error;
  }
}

function toTerminalInput({ write, exited }: TerminalProcess): RunInput {
  let isOpen = true;
  void exited.then(() => {
    isOpen = false;
  });
  return {
    get isOpen() {
      return isOpen;
    },
    write: async (bytes) => write(bytes),
    // A terminal has no end of input; the key for it is sent.
    end: async () => write(END_OF_INPUT),
  };
}

async function encloseFor(request: StartInTerminalRequest): Promise<EnclosedCommand> {
  const { DEFAULT_SIGNALS, terminalHandshake } = await import("../terminal/spawn-terminal.js");
  const { containment, work, shells, cwd, env, allowsNetwork, token } = request;
  const { setupScript, smallSetupScript, startsInit } = containment;
  const handshake = terminalHandshake(token);
  const inner = innerCommand({
    ...{ work, shells, setupScript, smallSetupScript },
    ...{ startsInit, handshake },
  });
  const [file, ...words] = DEFAULT_SIGNALS;
  const argv: [string, ...string[]] = [file, ...words, ...inner];
  return containment.enclose({ argv, cwd, env, isTerminal: true, allowsNetwork });
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

interface RunInput {
  readonly isOpen: boolean;
  /** Too much is waiting to be read. */
  readonly isFull?: boolean;
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}
