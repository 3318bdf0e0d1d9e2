// Spawns a containment with a shell in it that reports ready and waits for the start signal.

import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { Duplex } from "node:stream";
import { type Containment, type EnclosedCommand, ToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { lazy } from "../../../lib/lazy.js";
import { whenFilesFree } from "../../../lib/system/file-descriptors.js";
import {
  GO_FD,
  innerCommand,
  type LaunchWork,
  type Shells,
  usesSmallShell,
} from "./inner-script.js";
import { type Exit, type OuterTree, type RunningTree, withInit } from "./kill-ladder.js";
import { readFirstChild, readProcess } from "./process-table.js";
import {
  type OutputPipe,
  type Reading,
  type RunPipes,
  readOutput,
  type StartSignal,
} from "./run-pipes.js";

/** Linux; Node does not export it. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY;
const FILE_MODE = 0o600;
const FOLDERS = ["/dev/shm", tmpdir()];
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

interface InsideParts {
  readonly inside: EnclosedCommand;
  readonly input: "open" | "closed";
  /** Their far ends are closed here in any case. */
  readonly output: OutputPipe;
  readonly go: StartSignal;
}

async function spawnInside(parts: InsideParts) {
  const { child, pid, exited } = await startChild(parts);
  giveBytes(child, parts.inside);
  // A command may ignore its input.
  child.stdin?.on("error", () => undefined);
  return {
    pid,
    exited,
    input: child.stdin ?? undefined,
    setRef: (isWanted: boolean) => (isWanted ? child.ref() : child.unref()),
  };
}

/** Retries when other starts have released descriptors. */
async function startChild(parts: InsideParts) {
  try {
    return await whenFilesFree(async () => {
      const child = spawnChild(parts);
      const exited = exitOf(child);
      const { pid } = child;
      if (pid === undefined) throw await failureOf(child);
      return { child, pid, exited };
    });
  } catch (error) {
    throw launchFailed(messageOf(error));
  } finally {
    parts.output.closeFar();
    parts.go.closeFar();
  }
}

function spawnChild({ inside, input, output, go }: InsideParts): ChildProcess {
  const given = inside.given && openPassedFd(inside.given.bytes);
  try {
    return spawn(inside.file, inside.args, {
      cwd: inside.cwd,
      env: { ...inside.env },
      // Its own session: input typed into our terminal is not for it.
      detached: true,
      stdio: [
        input === "open" ? "pipe" : "ignore",
        output.far,
        output.far,
        go.far,
        ...furtherTo(inside, given ?? "pipe"),
      ],
    });
  } finally {
    if (given !== undefined) closeSync(given);
  }
}

/** Padding up to the descriptor that the containment reads. */
function furtherTo({ given }: EnclosedCommand, source: number | "pipe"): (number | IOType)[] {
  if (given === undefined) return [];
  const between = given.descriptor - GO_FD - 1;
  return [...Array.from({ length: between }, () => "ignore" as const), source];
}

function giveBytes(child: ChildProcess, { given }: EnclosedCommand): void {
  const pipe = given && child.stdio[given.descriptor];
  if (!(pipe instanceof Duplex)) return;
  // The exit reports more.
  pipe.on("error", () => undefined);
  pipe.end(given?.bytes, () => pipe.destroy());
}

/** A failed spawn emits "error", a process emits "exit". */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("exit", (code, name) => {
      resolve({ exitCode: code ?? undefined, exitSignal: name ?? undefined });
    });
  });
}

function failureOf(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => {
    child.once("error", resolve);
  });
}

/** The caller closes it; undefined when unsupported. */
function openPassedFd(bytes: Uint8Array): number | undefined {
  for (const folder of FOLDERS) {
    const descriptor = tryOpen(folder);
    if (descriptor === undefined) continue;
    if (isWritten(descriptor, bytes)) return descriptor;
    closeSync(descriptor);
  }
  return undefined;
}

function tryOpen(folder: string): number | undefined {
  try {
    return openSync(folder, O_TMPFILE | constants.O_RDWR, FILE_MODE);
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

/** At offset 0, so readers begin at the beginning. */
function isWritten(descriptor: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(descriptor, bytes, 0, bytes.byteLength, 0) === bytes.byteLength;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return false;
  }
}

function launchFailed(problem: string): ToolError {
  return new ToolError("failed", `The command could not be started: ${problem}.`, {
    reason: "launch_failed",
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
