// A containment with a shell in it that says when it is there and waits for the word to go.

import type { Writable } from "node:stream";
import type { Containment, EnclosedCommand } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import type { Exit } from "./follow.js";
import { innerCommand, type LaunchWork, type Shells, usesSmallShell } from "./inner-script.js";
import { type OuterTree, type RunningTree, withInit } from "./kill-ladder.js";
import { readFirstChild, readProcess } from "./process-table.js";
import { type Reading, readOutput } from "./read-output.js";
import type { RunPipes } from "./run-pipes.js";
import { launchFailed, messageOf, spawnInside } from "./spawn-inside.js";

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
  readonly pipes: RunPipes;
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
      setRef(isWanted) {
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
export function assertSound(inside: EnclosedCommand, tree: RunningTree): void {
  const { init } = tree;
  const fault = (init && inside.findFault?.(init.pid)) ?? findLimitFault(inside, tree);
  if (fault !== undefined) throw launchFailed(fault);
}

/** Puts what waits inside under its limits; why that could not be done. */
export function findLimitFault(
  { putUnderLimits }: EnclosedCommand,
  { init }: RunningTree,
): string | undefined {
  if (putUnderLimits === undefined) return undefined;
  const shell = init && readFirstChild(init.pid);
  return shell === undefined ? "it ended before its limits were set" : putUnderLimits(shell.pid);
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
