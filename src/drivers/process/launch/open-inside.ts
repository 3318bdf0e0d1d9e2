// A containment with a shell in it that says when it is there and waits for the word to go.

import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { Duplex, type Writable } from "node:stream";
import { type Containment, type EnclosedCommand, ToolError } from "../../../core/index.js";
import { type OuterTree, searchInit } from "./find-init.js";
import type { Exit } from "./follow.js";
import { openGiven } from "./given-file.js";
import {
  HANDSHAKE_FD,
  innerCommand,
  type LaunchWork,
  type Shells,
  usesSmallShell,
} from "./inner-script.js";
import type { RunningTree } from "./kill-ladder.js";
import type { OutputPipe, OutputPipes } from "./output-pipes.js";
import { readProcess } from "./process-table.js";
import { type Reading, readOutput } from "./read-output.js";

const MAX_READY_WAIT_MS = 15_000;
const LANGUAGE_NAMES = /^(LANG|LANGUAGE|LC_[A-Z]+)$/;
const PLAIN_WORD = /^[A-Za-z0-9_.@:-]{1,100}$/;

export interface InsidePlace {
  readonly containment: Containment;
  readonly shells: Shells;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** NAME=value of `env` that no other run has. */
  readonly mark: string;
  readonly allowsNetwork: boolean;
}

export interface OpenRequest extends InsidePlace {
  readonly work: LaunchWork;
  readonly pipes: OutputPipes;
  readonly input: "open" | "closed";
}

export interface OpenedInside {
  readonly pid: number;
  readonly inside: EnclosedCommand;
  readonly input: Writable | undefined;
  readonly reading: Reading;
  readonly exited: Promise<Exit>;
  /** Rejected with `failed` / `launch_failed` when the inside never comes to wait. */
  readonly ready: Promise<void>;
  hasEnded(): boolean;
  /** To be called when it waits, or will not. */
  findTree(): RunningTree;
  go(line: string): void;
  /** Whether this process stays for it. */
  setRef(isWanted: boolean): void;
  /** After its end: gives back what was held for it here. */
  close(): void;
}

/** Throws `failed` / `launch_failed` when nothing could be started. */
export async function openInside(request: OpenRequest): Promise<OpenedInside> {
  const inside = encloseFor(request);
  const output = await takeOutput(request.pipes);
  const child = spawnInside(request, { inside, output });
  const reading = readOutput(output);
  const exited = exitOf(child);
  const { pid } = child;
  if (pid === undefined) {
    reading.stop();
    throw launchFailed(await failureOf(child));
  }
  const tree = treeOf(request, { pid, ended: exited });
  giveBytes(child, inside);
  const handshake = child.stdio[HANDSHAKE_FD];
  if (!(handshake instanceof Socket)) throw launchFailed("the handshake has no descriptor");
  const search = searchInit(tree);
  return {
    pid,
    inside,
    input: inputOf(child),
    reading,
    exited,
    ready: waitForReady({ handshake, exited, reading }),
    hasEnded: tree.hasEnded,
    findTree: search.finish,
    go: (line) => handshake.end(`${line}\n`),
    setRef(isWanted) {
      for (const held of [child, handshake, output.near]) {
        if (isWanted) held.ref();
        else held.unref();
      }
    },
    close() {
      reading.stop();
      handshake.destroy();
    },
  };
}

async function takeOutput(pipes: OutputPipes): Promise<OutputPipe> {
  try {
    return await pipes.take();
  } catch (error) {
    throw launchFailed(messageOf(error));
  }
}

/** What to spawn for it. */
export function encloseFor(request: InsidePlace & { readonly work: LaunchWork }): EnclosedCommand {
  const { containment, work, shells, cwd, env, allowsNetwork } = request;
  const { limitScript, smallLimitScript, startsInit } = containment;
  const inner = { work, shells, limitScript, smallLimitScript, startsInit };
  const { language, others } = usesSmallShell(inner)
    ? apartLanguage(env)
    : { language: {}, others: env };
  const argv = innerCommand({ ...inner, language });
  return containment.enclose({ argv, cwd, env: others, isTerminal: false, allowsNetwork });
}

/** Each program of the containment would load a language first, and has nothing to say in it. */
function apartLanguage(env: InsidePlace["env"]) {
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

interface SpawnParts {
  readonly inside: EnclosedCommand;
  readonly output: OutputPipe;
}

function spawnInside({ input }: OpenRequest, { inside, output }: SpawnParts): ChildProcess {
  const given = inside.given && openGiven(inside.given.bytes);
  try {
    return spawn(inside.file, inside.args, {
      cwd: inside.cwd,
      env: { ...inside.env },
      // A session of its own: what is typed into the terminal of this process is not for it.
      detached: true,
      stdio: [
        input === "open" ? "pipe" : "ignore",
        output.far,
        output.far,
        "pipe",
        ...furtherTo(inside, given ?? "pipe"),
      ],
    });
  } catch (error) {
    output.near.destroy();
    throw launchFailed(messageOf(error));
  } finally {
    output.closeFar();
    if (given !== undefined) closeSync(given);
  }
}

/** None, or those behind the handshake, up to the one that the containment reads. */
function furtherTo({ given }: EnclosedCommand, source: number | "pipe"): (number | IOType)[] {
  if (given === undefined) return [];
  const between = given.descriptor - HANDSHAKE_FD - 1;
  return [...Array.from({ length: between }, () => "ignore" as const), source];
}

/** By the pipe, where there is one. */
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
  { containment, mark }: InsidePlace,
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function launchFailed(problem: string): ToolError {
  return new ToolError("failed", `The command could not be started: ${problem}.`, {
    reason: "launch_failed",
  });
}
