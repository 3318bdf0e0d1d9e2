// Named pipes for commands: unlike a socket, a command can open its output again as /dev/stdout.
// They are made in batches ahead, because mkfifo takes a process. stdout and stderr share one, which is
// read here.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { Socket, type SocketConstructorOpts, type TcpSocketConnectOpts } from "node:net";
import { join } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { lazy } from "../../../lib/lazy.js";
import { isOutOfFiles, whenFilesFree } from "../../../lib/system/file-descriptors.js";
import { findSystemProgram } from "../../../lib/system/find-system-program.js";
import { READY_BYTE } from "./inner-script.js";
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
const PIPES_PER_BATCH = 16;
/** The folder is private, and a command may run as another user. */
const MODE = "666";
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const DRAIN_MS = 250;
const MAX_DRAIN_MS = 5_000;
const MAX_COMPLAINT_CHARS = 500;

export type OutputPipe = ReturnType<typeof toOutput>;

export type StartSignal = ReturnType<typeof toStartSignal>;

export type RunPipes = ReturnType<typeof createRunPipes>;

interface PipeEnds {
  readonly reads: number;
  readonly writes: number;
}

export function createRunPipes() {
  const ready: PipeEnds[] = [];
  /** Consumers copy the bytes, so one buffer serves all runs. */
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let filling: Promise<void> | undefined;
  let waiting = 0;
  let isClosed = false;
  // Best effort.
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
    /** Refills when few are left. */
    makeAhead() {
      void tidyUp();
      // The next taker reports a failure.
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

async function makeBatch(count: number): Promise<PipeEnds[]> {
  const maker = findSystemProgram("mkfifo");
  if (maker === undefined) throw new Error("mkfifo is not installed; install coreutils");
  const names = PIPE_NAMES.slice(0, count);
  try {
    return await makeIn(makePrivateFolder(), { names, maker });
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    // A full file system may have room for a folder but not for its content.
    return makeIn(makeFurtherFolder(), { names, maker });
  }
}

interface Batch {
  readonly names: readonly string[];
  readonly maker: string;
}

async function makeIn(folder: string, { names, maker }: Batch): Promise<PipeEnds[]> {
  try {
    const paths = names.map((name) => join(folder, name));
    // No stdio pipes: Node leaks them when a spawn fails for lack of descriptors.
    const child = spawn(maker, ["-m", MODE, "--", ...paths], {
      cwd: "/",
      env: {},
      stdio: "ignore",
    });
    const [code]: unknown[] = await once(child, "exit");
    if (code !== 0) throw new Error(`${maker} cannot make pipes in "${folder}"`);
    return openAll(paths);
  } finally {
    removePrivateFolder(folder);
  }
}

function openAll(paths: readonly string[]): PipeEnds[] {
  const made: PipeEnds[] = [];
  try {
    for (const path of paths) made.push(openEnds(path));
  } catch (error) {
    // Leaves half of the descriptors for the start itself.
    const half = isOutOfFiles(error) ? Math.floor(made.length / 2) : 0;
    const isEnough = half >= PIPES_PER_RUN;
    for (const ends of made.splice(isEnough ? half : 0)) discard(ends);
    if (!isEnough) throw error;
  }
  return made;
}

/** Opening one end blocks until the other is open, unless it reads without blocking. */
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

function toOutput({ reads, writes }: PipeEnds, buffer: Buffer) {
  let onBytes: (bytes: Uint8Array) => boolean = () => true;
  // The types know `onread` only for connections.
  const options: SocketConstructorOpts & Pick<TcpSocketConnectOpts, "onread"> = {
    fd: reads,
    readable: true,
    writable: false,
    onread: { buffer, callback: (count, bytes) => onBytes(bytes.subarray(0, count)) },
  };
  const near = new Socket(options);
  // "close" reports the end.
  near.on("error", () => undefined);
  return {
    near,
    far: writes,
    /** The listener returns false to pause; `near.resume()` continues. */
    read(listener: (bytes: Uint8Array) => boolean) {
      onBytes = listener;
    },
    closeFar: lazy(() => closeSync(writes)),
  };
}

function toStartSignal({ reads, writes }: PipeEnds) {
  const close = lazy(() => closeSync(writes));
  return {
    far: reads,
    closeFar: lazy(() => closeSync(reads)),
    tell(line: string) {
      try {
        writeSync(writes, `${line}\n`);
      } catch (error) {
        // The inside has ended; its exit says why.
        if (errnoOf(error) !== "EPIPE") throw error;
      } finally {
        close();
      }
    },
    close,
  };
}

/** The bytes are valid until it returns; false pauses the stream until `resume`. */
type OnChunk = (bytes: Uint8Array) => boolean;

export type Reading = ReturnType<typeof readOutput>;

export function readOutput({ near, read }: OutputPipe) {
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
