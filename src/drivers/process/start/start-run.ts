// Starts a command by pipes and lets its output go into a recorder, as fast as that can take it.
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
import { createRunOutput } from "../output/create-run-output.js";
import type { RunRecorder } from "../output/output-text.js";
import type { TerminalProcess } from "../terminal/spawn-terminal.js";

const MAX_WRITE_WAIT_MS = 1_000;
const MAX_WAITING_BYTES = 4 * 1_024 * 1_024;

interface StartPipedRequest extends Omit<LaunchRequest, "onChunk"> {
  readonly logPath: string | undefined;
  onOutput(): void;
}

export async function startPiped(request: StartPipedRequest): Promise<StartedRun> {
  // Made when the command runs already: a start that fails has nothing to record.
  const recorder = lazy(() => createRunOutput({ logPath: request.logPath }));
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
    write: (bytes) =>
      new Promise((resolve, reject) => {
        // A program that does not read yet finds the bytes when it does.
        const timer = setTimeout(resolve, MAX_WRITE_WAIT_MS);
        stream.write(Buffer.from(bytes), (error) => {
          clearTimeout(timer);
          if (error) reject(error);
          else resolve();
        });
      }),
    end: () =>
      new Promise((resolve) => {
        // The end comes behind what is not read yet, and may have to wait for ever.
        const timer = setTimeout(resolve, MAX_WRITE_WAIT_MS);
        const finish = () => {
          clearTimeout(timer);
          resolve();
        };
        stream.once("close", finish);
        stream.end(finish);
      }),
  };
}

const END_OF_INPUT = Uint8Array.of(4);

interface StartInTerminalRequest extends LaunchPlace {
  readonly work: LaunchWork;
  readonly columns: number;
  readonly rows: number;
  readonly logPath: string | undefined;
  /** Random, so that no output can pass for the handshake. */
  readonly token: string;
  onOutput(): void;
}

export async function startInTerminal(request: StartInTerminalRequest): Promise<StartedRun> {
  // Terminals are rare: their packages are loaded with the first one.
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
      // What the screen has not read yet cannot be seen, so it is reported afterwards.
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

/** The same as by pipes: ready, written down, sound, wanted. What it throws has left nothing running. */
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
    // A terminal has no end of its own: the key that means end of input tells the program.
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
  /** Fulfilled when it is over, what it started is gone and its output was read. */
  readonly ended: Promise<LaunchedEnd>;
  readonly isTerminal: boolean;
  readonly applicationCursor: () => boolean;
  /** Absent when its input is closed. */
  readonly input: RunInput | undefined;
  /** Asks, then kills; `ended` tells when it is done. */
  stop(): void;
  /** Kills at once, for the end of this process. */
  stopNow(): void;
}

interface RunInput {
  readonly isOpen: boolean;
  /** More waits to be read than is kept. */
  readonly isFull?: boolean;
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}
