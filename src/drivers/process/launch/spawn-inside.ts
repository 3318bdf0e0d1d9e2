// Spawns what encloses a command.
import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { Duplex } from "node:stream";
import { type EnclosedCommand, ToolError } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { whenFilesFree } from "../../../lib/system/file-descriptors.js";
import { GO_FD } from "./inner-script.js";
import type { Exit } from "./kill-ladder.js";
import type { OutputPipe, StartSignal } from "./run-pipes.js";

/** Linux; Node does not export it. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY;
const FILE_MODE = 0o600;
const FOLDERS = ["/dev/shm", tmpdir()];

interface InsideParts {
  readonly inside: EnclosedCommand;
  readonly input: "open" | "closed";
  /** Their far ends are closed here in any case. */
  readonly output: OutputPipe;
  readonly go: StartSignal;
}

export async function spawnInside(parts: InsideParts) {
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

export function launchFailed(problem: string): ToolError {
  return new ToolError("failed", `The command could not be started: ${problem}.`, {
    reason: "launch_failed",
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
