// Pipes for commands, which have a name for a moment. A command can open its output again as /dev/stdout,
// which it cannot where that is a socket; and it is read into a buffer that is used again and again, so
// that a gigabyte of output costs no more memory than a line. They are made ahead, some at a time, because
// it takes a process to make them. stdout and stderr share one, so that both stand in the order in which
// they were written.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { Socket, type SocketConstructorOpts, type TcpSocketConnectOpts } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { errnoOf } from "../../../lib/errno.js";
import { lazy } from "../../../lib/lazy.js";
import { isOutOfFiles, whenFilesFree } from "../../../lib/open-files.js";
import { findSystemProgram } from "../../../lib/system/find-system-program.js";
import {
  makeFurtherFolder,
  makePrivateFolder,
  PIPE_NAMES,
  removeLeftFolders,
  removePrivateFolder,
} from "./private-folder.js";

const BUFFER_BYTES = 64 * 1_024;
const PIPES_PER_RUN = 2;
const MIN_READY_PIPES = 8;
/** More when more are waited for. */
const PIPES_PER_BATCH = 16;
/** No one else can come to the folder, and a command that runs as another user may open its own. */
const MODE = "666";
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

const run = promisify(execFile);

export interface OutputPipe {
  /** To be read; what comes goes to the function given to `read`. */
  readonly near: Socket;
  /** The descriptor for the command. */
  readonly far: number;
  /** `onBytes` answers false to pause; `near.resume()` goes on. The bytes are lent for the call. */
  read(onBytes: (bytes: Uint8Array) => boolean): void;
  /** Once the command has it, or will not get it. */
  closeFar(): void;
}

/** Tells the inside to begin. The inside sees its end when this process is gone. */
export interface StartSignal {
  /** The descriptor for the inside. */
  readonly far: number;
  /** Once the inside has it, or will not get it. */
  closeFar(): void;
  /** Once. */
  tell(line: string): void;
  /** Says that nothing will be reported, where nothing was. */
  close(): void;
}

export interface RunPipes {
  /** What one run needs. */
  take(): Promise<{ readonly output: OutputPipe; readonly go: StartSignal }>;
  /** Makes some ahead when few are left; for a moment when this process waits for a command. */
  makeAhead(): void;
  close(): void;
}

/** Both ends of a pipe, as descriptors. */
interface PipeEnds {
  readonly reads: number;
  readonly writes: number;
}

export function createRunPipes(): RunPipes {
  const ready: PipeEnds[] = [];
  /** Bytes are copied by anyone who gets them before the next are read, so one buffer serves all. */
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let filling: Promise<void> | undefined;
  let waiting = 0;
  let isClosed = false;
  // No one waits for it, and what cannot be removed may be someone else's.
  const tidyUp = lazy(() => removeLeftFolders().catch(() => undefined));

  function fill(): Promise<void> {
    filling ??= whenFilesFree(() => makeBatch(Math.max(waiting, PIPES_PER_BATCH)))
      .then((made) => {
        if (isClosed) for (const ends of made) discard(ends);
        else ready.push(...made);
      })
      .finally(() => {
        filling = undefined;
      });
    return filling;
  }

  async function takeEnds(): Promise<PipeEnds[]> {
    waiting += PIPES_PER_RUN;
    try {
      while (ready.length < PIPES_PER_RUN) {
        if (isClosed) throw noMore();
        await fill();
      }
      return ready.splice(0, PIPES_PER_RUN);
    } finally {
      waiting -= PIPES_PER_RUN;
    }
  }

  return {
    async take() {
      const [output, go] = await takeEnds();
      if (output === undefined || go === undefined) throw noMore();
      return { output: toOutput(output, buffer), go: toStartSignal(go) };
    },
    makeAhead() {
      void tidyUp();
      // Its own failure is reported to the next one who finds nothing ready.
      if (ready.length < MIN_READY_PIPES && !isClosed) void fill().catch(() => undefined);
    },
    close() {
      isClosed = true;
      for (const ends of ready.splice(0)) discard(ends);
    },
  };
}

function noMore(): Error {
  return new Error("no more commands are started here");
}

function discard({ reads, writes }: PipeEnds): void {
  closeSync(reads);
  closeSync(writes);
}

/** At most as many as there are names, and fewer where few descriptors are left. */
async function makeBatch(count: number): Promise<PipeEnds[]> {
  const maker = findSystemProgram("mkfifo");
  if (maker === undefined) throw new Error("mkfifo is not installed; install coreutils");
  const names = PIPE_NAMES.slice(0, count);
  try {
    return await makeIn(makePrivateFolder(), { names, make: (words) => runSilent(maker, words) });
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    // Memory that has room for a folder may have none for what is to be in it.
    return makeIn(makeFurtherFolder(), { names, make: (words) => runTelling(maker, words) });
  }
}

interface Batch {
  readonly names: readonly string[];
  make(words: readonly string[]): Promise<void>;
}

/** The folder is there for this batch only. */
async function makeIn(folder: string, { names, make }: Batch): Promise<PipeEnds[]> {
  try {
    const paths = names.map((name) => join(folder, name));
    await make(["-m", MODE, "--", ...paths]);
    return openAll(paths);
  } finally {
    removePrivateFolder(folder);
  }
}

/** Without pipes of its own: Node leaves them open when a start fails for want of descriptors. */
async function runSilent(file: string, words: readonly string[]): Promise<void> {
  const child = spawn(file, words, { cwd: "/", env: {}, stdio: "ignore" });
  const [code]: unknown[] = await once(child, "exit");
  if (code !== 0) throw new Error(`${file} failed`);
}

/** Failing, it tells what the program said, rather than how it was called. */
async function runTelling(file: string, words: readonly string[]): Promise<void> {
  await run(file, words, { cwd: "/", env: {} }).catch(
    (error: Error & { readonly stderr?: string }) => {
      const [said = ""] = (error.stderr ?? "").split("\n");
      throw said === "" ? error : new Error(said, { cause: error });
    },
  );
}

function openAll(paths: readonly string[]): PipeEnds[] {
  const made: PipeEnds[] = [];
  try {
    for (const path of paths) made.push(openEnds(path));
  } catch (error) {
    // Half of what is left is for the start of anyone who gets them.
    const half = isOutOfFiles(error) ? Math.floor(made.length / 2) : 0;
    const isEnough = half >= PIPES_PER_RUN;
    for (const ends of made.splice(isEnough ? half : 0)) discard(ends);
    if (!isEnough) throw error;
  }
  return made;
}

/** Anyone who opens one end waits for the other, but for one that reads and says that it does not wait. */
function openEnds(path: string): PipeEnds {
  const first = openSync(path, O_RDONLY | O_NONBLOCK);
  let writes: number | undefined;
  try {
    writes = openSync(path, O_WRONLY);
    return { reads: openSync(path, O_RDONLY), writes };
  } catch (error) {
    if (writes !== undefined) closeSync(writes);
    throw error;
  } finally {
    closeSync(first);
  }
}

function toOutput({ reads, writes }: PipeEnds, buffer: Buffer): OutputPipe {
  let onBytes: (bytes: Uint8Array) => boolean = () => true;
  // The types know `onread` of a connection only.
  const options: SocketConstructorOpts & Pick<TcpSocketConnectOpts, "onread"> = {
    fd: reads,
    readable: true,
    writable: false,
    onread: { buffer, callback: (count, bytes) => onBytes(bytes.subarray(0, count)) },
  };
  const near = new Socket(options);
  // An end that goes away is reported by "close"; there is nothing else to say of it.
  near.on("error", () => undefined);
  return {
    near,
    far: writes,
    read(listener) {
      onBytes = listener;
    },
    closeFar: lazy(() => closeSync(writes)),
  };
}

function toStartSignal({ reads, writes }: PipeEnds): StartSignal {
  const close = lazy(() => closeSync(writes));
  return {
    far: reads,
    closeFar: lazy(() => closeSync(reads)),
    tell(line) {
      try {
        writeSync(writes, `${line}\n`);
      } catch (error) {
        // The inside has ended: its exit tells more.
        if (errnoOf(error) !== "EPIPE") throw error;
      } finally {
        close();
      }
    },
    close,
  };
}
