// Starts a command in a terminal of its own: the same handshake through the terminal itself, the
// same end, and a screen instead of a stream.

import type { EnclosedCommand } from "../../../core/index.js";
import { follow } from "../launch/follow.js";
import { innerCommand, type LaunchWork } from "../launch/inner-script.js";
import { endAll, type RunningTree, withInit } from "../launch/kill-ladder.js";
import type { LaunchPlace } from "../launch/launch.js";
import { assertSound, startedOf, treeOf } from "../launch/open-inside.js";
import type { RunRecorder } from "../output/run-recorder.js";
import type { TerminalProcess } from "../terminal/spawn-terminal.js";
import type { RunInput, StartedRun } from "./started-run.js";

const END_OF_INPUT = Uint8Array.of(4);

export interface StartInTerminalRequest extends LaunchPlace {
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
    const input = toInput(terminal);
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

function toInput({ write, exited }: TerminalProcess): RunInput {
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
