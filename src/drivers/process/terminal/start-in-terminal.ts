// Starts a command in a terminal and records its screen.

import type { EnclosedCommand } from "../../../core/index.js";
import { innerCommand } from "../launch/inner-script.js";
import { endAll, follow, type RunningTree, withInit } from "../launch/kill-ladder.js";
import { assertSound, startedOf, treeOf } from "../launch/open-inside.js";
import type { RunRecorder } from "../output/create-run-output.js";
import type { RunInput, RunPlace, StartedRun } from "../start/start-run.js";
import { createScreenOutput } from "./screen-output.js";
import {
  DEFAULT_SIGNALS,
  spawnTerminal,
  type TerminalProcess,
  terminalHandshake,
} from "./spawn-terminal.js";

const END_OF_INPUT = Uint8Array.of(4);

interface StartInTerminalRequest extends RunPlace {
  readonly columns: number;
  readonly rows: number;
  /** Random, so output cannot imitate the handshake. */
  readonly token: string;
}

export async function startInTerminal(request: StartInTerminalRequest): Promise<StartedRun> {
  const { columns, rows, logPath } = request;
  let answer: (bytes: Uint8Array) => void = () => undefined;
  const recorder = await createScreenOutput({
    columns,
    rows,
    logPath,
    answer: (bytes) => answer(bytes),
  });
  try {
    const inside = enclose(request);
    const terminal = await openTerminal({ request, inside, recorder });
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

function enclose(request: StartInTerminalRequest): EnclosedCommand {
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

interface Opening {
  readonly request: StartInTerminalRequest;
  readonly inside: EnclosedCommand;
  readonly recorder: RunRecorder;
}

async function openTerminal({ request, inside, recorder }: Opening): Promise<TerminalProcess> {
  const { columns, rows, token, onOutput } = request;
  let opened: TerminalProcess | undefined;
  let isBehind = false;
  opened = await spawnTerminal({
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
        onOutput();
      });
    },
  });
  return opened;
}

interface Opened {
  readonly terminal: TerminalProcess;
  readonly inside: EnclosedCommand;
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
