// Starts what encloses a command as a child of this process.
import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { Duplex, type Writable } from "node:stream";
import { type EnclosedCommand, ToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { whenFilesFree } from "../../../lib/open-files.js";
import { GO_FD } from "./inner-script.js";
import type { Exit } from "./kill-ladder.js";
import type { OutputPipe, StartSignal } from "./run-pipes.js";

/** Linux; Node does not export it. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY;
const FILE_MODE = 0o600;
/** In memory first. */
const FOLDERS = ["/dev/shm", tmpdir()];

interface InsideParts {
  readonly inside: EnclosedCommand;
  readonly input: "open" | "closed";
  /** Their far ends are taken, also when nothing is started. */
  readonly output: OutputPipe;
  readonly go: StartSignal;
}

interface StartedOuter {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly input: Writable | undefined;
  /** Whether this process stays for it. */
  setRef(isWanted: boolean): void;
}

/** Throws `failed` / `launch_failed` when nothing could be started. */
export async function spawnInside(parts: InsideParts): Promise<StartedOuter> {
  const { child, pid, exited } = await startChild(parts);
  giveBytes(child, parts.inside);
  // A command that does not read its input, or has ended, is not a failure of ours.
  child.stdin?.on("error", () => undefined);
  return {
    pid,
    exited,
    input: child.stdin ?? undefined,
    setRef: (isWanted) => (isWanted ? child.ref() : child.unref()),
  };
}

/** Where many start at once, the next is started when others have closed what they had open. */
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
      // A session of its own: what is typed into the terminal of this process is not for it.
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

/** None, or those behind the word to go, up to the one that the containment reads. */
function furtherTo({ given }: EnclosedCommand, source: number | "pipe"): (number | IOType)[] {
  if (given === undefined) return [];
  const between = given.descriptor - GO_FD - 1;
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

function failureOf(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => {
    child.once("error", resolve);
  });
}

/** The caller closes it. undefined where such files cannot be made. */
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

/** At a place of its own, so that anyone who reads begins at the beginning. */
function isWritten(descriptor: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(descriptor, bytes, 0, bytes.byteLength, 0) === bytes.byteLength;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return false;
  }
}

export function launchFailed(problem: string): ToolError {
  return new ToolError("failed", `The command could not be started: ${problem}.`, {
    reason: "launch_failed",
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
