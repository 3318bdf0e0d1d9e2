// A containment with a shell in it that reports ready and waits for the start signal.

import type { Containment, EnclosedCommand } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import {
  innerCommand,
  type LaunchWork,
  READY_BYTE,
  type Shells,
  usesSmallShell,
} from "./inner-script.js";
import { type Exit, type OuterTree, type RunningTree, withInit } from "./kill-ladder.js";
import { readFirstChild, readProcess } from "./process-table.js";
import type { OutputPipe, RunPipes } from "./run-pipes.js";
import { launchFailed, messageOf, spawnInside } from "./spawn-inside.js";

const DRAIN_MS = 250;
const MAX_DRAIN_MS = 5_000;
const MAX_COMPLAINT_CHARS = 500;

/** The bytes are valid until it returns; false pauses the stream until `resume`. */
export type OnChunk = (bytes: Uint8Array) => boolean;

type Reading = ReturnType<typeof readOutput>;

const MAX_READY_WAIT_MS = 15_000;
const LANGUAGE_NAMES = /^(LANG|LANGUAGE|LC_[A-Z]+)$/;
const PLAIN_WORD = /^[A-Za-z0-9_.@:-]{1,100}$/;

export interface InsidePlace {
  readonly containment: Containment;
  readonly work: LaunchWork;
  readonly shells: Shells;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mark: string;
  readonly allowsNetwork: boolean;
}

export interface OpenRequest extends InsidePlace {
  readonly pipes: RunPipes;
  readonly input: "open" | "closed";
}

export type OpenedInside = Awaited<ReturnType<typeof openInside>>;

export async function openInside(request: OpenRequest) {
  const inside = encloseFor(request);
  const { output, go } = await request.pipes.take().catch((error: unknown) => {
    throw launchFailed(messageOf(error));
  });
  const reading = readOutput(output);
  const close = () => {
    reading.stop();
    go.close();
  };
  try {
    const started = await spawnInside({ inside, output, go, input: request.input });
    const { pid, exited } = started;
    const tree = treeOf(request, { pid, ended: exited });
    return {
      pid,
      inside,
      input: started.input,
      reading,
      exited,
      ready: waitForReady({ exited, reading }),
      hasEnded: tree.hasEnded,
      findTree: lazy(() => withInit(tree)),
      go: go.tell,
      /** Whether it keeps this process alive. */
      setRef(isWanted: boolean) {
        started.setRef(isWanted);
        if (isWanted) output.near.ref();
        else output.near.unref();
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

export function encloseFor(request: InsidePlace): EnclosedCommand {
  const { containment, work, shells, cwd, env, allowsNetwork } = request;
  const { setupScript, smallSetupScript, startsInit } = containment;
  const inner = { work, shells, setupScript, smallSetupScript, startsInit };
  const { language, others } = usesSmallShell(inner)
    ? apartLanguage(env)
    : { language: {}, others: env };
  const argv = innerCommand({ ...inner, language });
  return containment.enclose({ argv, cwd, env: others, isTerminal: false, allowsNetwork });
}

/** Programs of the containment need no locale, and loading one takes time. */
function apartLanguage(env: InsidePlace["env"]) {
  const [language, others]: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const [name, value] of Object.entries(env)) {
    const isApart = LANGUAGE_NAMES.test(name) && PLAIN_WORD.test(value);
    (isApart ? language : others)[name] = value;
  }
  return { language, others };
}

/** Throws when something was replaced since it was checked; the shell still waits then. */
export function assertSound(inside: EnclosedCommand, tree: RunningTree): void {
  const { init } = tree;
  const fault = (init && inside.findFault?.(init.pid)) ?? findLimitFault(inside, tree);
  if (fault !== undefined) throw launchFailed(fault);
}

/** Applies the limits to the waiting shell; returns why that failed. */
export function findLimitFault(
  { putUnderLimits }: EnclosedCommand,
  { init }: RunningTree,
): string | undefined {
  if (putUnderLimits === undefined) return undefined;
  const shell = init && readFirstChild(init.pid);
  return shell === undefined ? "it ended before its limits were set" : putUnderLimits(shell.pid);
}

export function treeOf(
  { containment, mark }: Pick<InsidePlace, "containment" | "mark">,
  { pid, ended }: { readonly pid: number; readonly ended: Promise<unknown> },
): OuterTree {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const { wrapperCount } = containment;
  return { pid, mark, containment, wrapperCount, ended, hasEnded: () => isOver };
}

export function startedOf(pid: number): { readonly pid: number; readonly startTicks: string } {
  return { pid, startTicks: readProcess(pid)?.startTicks ?? "" };
}

interface ReadyRequest {
  readonly exited: Promise<Exit>;
  readonly reading: Reading;
}

async function waitForReady({ exited, reading }: ReadyRequest): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const outcome = await Promise.race([
    reading.ready,
    exited,
    new Promise<"late">((done) => {
      timer = setTimeout(() => done("late"), MAX_READY_WAIT_MS);
    }),
  ]);
  clearTimeout(timer);
  if (outcome === undefined) return;
  if (outcome === "late") {
    throw launchFailed(`it was not ready within ${MAX_READY_WAIT_MS / 1_000} seconds`);
  }
  const { exitCode, exitSignal } = outcome;
  const how = exitSignal ?? `exit code ${exitCode}`;
  throw launchFailed(reading.complaint() ?? `it ended before it began (${how})`);
}

function readOutput({ near, read }: OutputPipe) {
  let complaint = "";
  let onChunk: OnChunk | undefined;
  let lastBytesMs = 0;
  let tellReady: () => void = () => undefined;
  const ready = new Promise<void>((done) => {
    tellReady = done;
  });

  function hear(bytes: Uint8Array): void {
    const end = bytes.indexOf(READY_BYTE);
    const words = end === -1 ? bytes : bytes.subarray(0, end);
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint += Buffer.from(words).toString("utf8");
    if (end !== -1) tellReady();
  }

  read((bytes) => {
    lastBytesMs = performance.now();
    if (onChunk !== undefined) {
      const goesOn = onChunk(bytes);
      if (!goesOn) near.pause();
      return goesOn;
    }
    hear(bytes);
    return true;
  });
  const ended = new Promise((end) => {
    if (near.destroyed) end(undefined);
    else near.once("close", end);
  });

  async function drain(): Promise<void> {
    const startMs = performance.now();
    lastBytesMs = startMs;
    const isQuiet = () => {
      const now = performance.now();
      return (!near.isPaused() && now - lastBytesMs >= DRAIN_MS) || now - startMs >= MAX_DRAIN_MS;
    };
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<void>((done) => {
      timer = setInterval(() => isQuiet() && done(), DRAIN_MS / 5);
    });
    await Promise.race([ended, quiet]);
    clearInterval(timer);
    near.destroy();
  }

  return {
    ready,
    /** From now on bytes belong to the command. */
    begin(listener: OnChunk) {
      onChunk = listener;
    },
    /** What was written before the command began. */
    complaint: () => complaint.trim().slice(0, MAX_COMPLAINT_CHARS) || undefined,
    resume: () => void near.resume(),
    drain,
    stop: () => void near.destroy(),
  };
}
