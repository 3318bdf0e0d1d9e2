// Starts one command inside a containment by pipes: the handshake, and the way its output takes.
// What is kept of the output is left to whoever gets the bytes.

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { Duplex } from "node:stream";
import { type Containment, type EnclosedCommand, ToolError } from "../../../core/index.js";
import { type OuterTree, searchInit } from "./find-init.js";
import { type Exit, type Followed, follow } from "./follow.js";
import {
  HANDSHAKE_FD,
  innerCommand,
  type LaunchWork,
  type Shells,
  usesSmallShell,
} from "./inner-script.js";
import { endAll, type RunningTree } from "./kill-ladder.js";
import { readProcess } from "./process-table.js";
import { type OutputStream, type Reading, readStreams } from "./read-streams.js";
import type { StreamPair, StreamPairs } from "./stream-pairs.js";

const MAX_READY_WAIT_MS = 15_000;
const LANGUAGE_NAMES = /^(LANG|LANGUAGE|LC_[A-Z]+)$/;
const PLAIN_WORD = /^[A-Za-z0-9_.@:-]{1,100}$/;

export interface LaunchPlace {
  readonly containment: Containment;
  readonly shells: Shells;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** NAME=value of `env` that no other run has. */
  readonly mark: string;
  readonly allowsNetwork: boolean;
  /** Called when the command is about to wait; it begins when this is fulfilled. */
  onStarted(started: { readonly pid: number; readonly startTicks: string }): Promise<void>;
}

export interface LaunchRequest extends LaunchPlace {
  readonly work: LaunchWork;
  readonly pairs: StreamPairs;
  readonly input: "open" | "closed";
  /** The bytes are lent until it returns; false pauses both streams until `resume`. */
  onChunk(stream: OutputStream, bytes: Uint8Array): boolean;
}

export interface Launched extends Followed {
  readonly pid: number;
  readonly input: Writable | undefined;
  resume(): void;
}

/** Throws `failed` / `launch_failed` when nothing could be started, or what `onStarted` threw. */
export async function launch(request: LaunchRequest): Promise<Launched> {
  const inside = encloseFor(request);
  const [stdout, stderr] = await Promise.all([request.pairs.take(), request.pairs.take()]);
  const child = spawnInside(request, { inside, stdout, stderr });
  const reading = readStreams({ stdout, stderr, onChunk: request.onChunk });
  const exited = exitOf(child);
  const { pid } = child;
  if (pid === undefined) {
    reading.stop();
    throw launchFailed(await failureOf(child));
  }
  const tree = treeOf(request, { pid, ended: exited });
  giveBytes(child, inside);
  const handshake = child.stdio[HANDSHAKE_FD];
  if (!(handshake instanceof Duplex)) throw launchFailed("the handshake has no descriptor");
  const search = searchInit(tree);
  let started: RunningTree | undefined;
  try {
    const ready = waitForReady({ handshake, exited, reading });
    await Promise.all([ready, request.onStarted(startedOf(pid))]);
    started = search.finish();
    assertSound(inside, started);
  } catch (error) {
    await endAll(started ?? search.finish());
    reading.stop();
    handshake.destroy();
    throw error;
  }
  const settle = inside.guard?.();
  handshake.end("go\n");
  reading.begin();
  request.pairs.makeAhead();
  const followed = follow({ tree: started, exited, drain: reading.drain, settle });
  return { ...followed, pid, input: inputOf(child), resume: reading.resume };
}

interface Streams {
  readonly stdout: StreamPair;
  readonly stderr: StreamPair;
}

function encloseFor(request: LaunchRequest): EnclosedCommand {
  const { containment, work, shells, cwd, env, allowsNetwork } = request;
  const { limitScript, startsInit } = containment;
  const inner = { work, shells, limitScript, startsInit };
  const { language, others } = usesSmallShell(inner)
    ? apartLanguage(env)
    : { language: {}, others: env };
  const argv = innerCommand({ ...inner, language });
  return containment.enclose({ argv, cwd, env: others, isTerminal: false, allowsNetwork });
}

/** Each program of the containment would load a language first, and has nothing to say in it. */
function apartLanguage(env: LaunchPlace["env"]) {
  const [language, others]: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const [name, value] of Object.entries(env)) {
    const isApart = LANGUAGE_NAMES.test(name) && PLAIN_WORD.test(value);
    (isApart ? language : others)[name] = value;
  }
  return { language, others };
}

/** Throws when the inside is not what it was meant to be; it still waits then. */
export function assertSound(inside: EnclosedCommand, { init }: RunningTree): void {
  const fault = init && inside.findFault?.(init.pid);
  if (fault !== undefined) throw launchFailed(fault);
}

interface SpawnParts extends Streams {
  readonly inside: EnclosedCommand;
}

function spawnInside(
  { input }: LaunchRequest,
  { inside, stdout, stderr }: SpawnParts,
): ChildProcess {
  try {
    return spawn(inside.file, inside.args, {
      cwd: inside.cwd,
      env: { ...inside.env },
      // A session of its own: what is typed into the terminal of this process is not for it.
      detached: true,
      stdio: [
        input === "open" ? "pipe" : "ignore",
        stdout.far,
        stderr.far,
        "pipe",
        ...pipesTo(inside),
      ],
    });
  } catch (error) {
    stdout.near.destroy();
    stderr.near.destroy();
    throw launchFailed(error instanceof Error ? error.message : String(error));
  } finally {
    stdout.far.destroy();
    stderr.far.destroy();
  }
}

/** None, or those behind the handshake, up to the one that the containment reads. */
function pipesTo({ given }: EnclosedCommand): ("ignore" | "pipe")[] {
  if (given === undefined) return [];
  const between = given.descriptor - HANDSHAKE_FD - 1;
  return [...Array.from({ length: between }, () => "ignore" as const), "pipe"];
}

function giveBytes(child: ChildProcess, { given }: EnclosedCommand): void {
  const pipe = given && child.stdio[given.descriptor];
  if (!(pipe instanceof Duplex)) return;
  // Of a containment that has ended before it has read them the exit tells more.
  pipe.on("error", () => undefined);
  pipe.end(given?.bytes, () => pipe.destroy());
}

/** Of a start without a process the reason comes as an event, of one with a process the exit. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("exit", (code, name) => {
      resolve({ exitCode: code ?? undefined, exitSignal: name ?? undefined });
    });
  });
}

function failureOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
  });
}

function inputOf(child: ChildProcess): Writable | undefined {
  // A command that does not read its input, or has ended, is no failure of ours.
  child.stdin?.on("error", () => undefined);
  return child.stdin ?? undefined;
}

export function treeOf(
  { containment, mark }: LaunchPlace,
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
  readonly handshake: Duplex;
  readonly exited: Promise<Exit>;
  readonly reading: Reading;
}

async function waitForReady({ handshake, exited, reading }: ReadyRequest): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const outcome = await Promise.race([
    new Promise<"ready">((done) => {
      handshake.once("data", () => done("ready"));
    }),
    exited,
    new Promise<"late">((done) => {
      timer = setTimeout(() => done("late"), MAX_READY_WAIT_MS);
    }),
  ]);
  clearTimeout(timer);
  // The other end closes without a word when the inside ends.
  handshake.on("error", () => undefined);
  if (outcome === "ready") return;
  if (outcome === "late") {
    throw launchFailed(`it was not ready within ${MAX_READY_WAIT_MS / 1_000} seconds`);
  }
  const { exitCode, exitSignal } = outcome;
  const how = exitSignal ?? `exit code ${exitCode}`;
  throw launchFailed(reading.complaint() ?? `it ended before it began (${how})`);
}

function launchFailed(problem: string): ToolError {
  return new ToolError("failed", `The command could not be started: ${problem}.`, {
    reason: "launch_failed",
  });
}
