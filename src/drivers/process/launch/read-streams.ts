// Reads the two outputs of a command until both have ended, or nobody is left who could write.
// What comes before the command itself runs is kept apart: a containment that fails says why there.

import type { OutputPipe } from "./stream-pairs.js";

const DRAIN_MS = 250;
const MAX_DRAIN_MS = 5_000;
const MAX_COMPLAINT_CHARS = 500;

export type OutputStream = "stdout" | "stderr";

export interface ReadRequest {
  readonly stdout: OutputPipe;
  readonly stderr: OutputPipe;
}

/** The bytes are lent until it returns; false pauses both streams until `resume`. */
export type OnChunk = (stream: OutputStream, bytes: Uint8Array) => boolean;

export interface Reading {
  /** What comes from now on is the command's. */
  begin(onChunk: OnChunk): void;
  /** First words on the way to the command. */
  complaint(): string | undefined;
  resume(): void;
  /** Fulfilled at the end of both, or when nothing has come for a quarter of a second. */
  drain(): Promise<void>;
  stop(): void;
}

export function readStreams({ stdout, stderr }: ReadRequest): Reading {
  const sockets = [stdout.near, stderr.near];
  let complaint = "";
  let onChunk: OnChunk | undefined;
  let lastBytesMs = 0;

  function take(stream: OutputStream, bytes: Uint8Array): boolean {
    lastBytesMs = performance.now();
    if (onChunk !== undefined) {
      const goesOn = onChunk(stream, bytes);
      if (!goesOn) for (const socket of sockets) socket.pause();
      return goesOn;
    }
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint += Buffer.from(bytes).toString("utf8");
    return true;
  }

  stdout.read((bytes) => take("stdout", bytes));
  stderr.read((bytes) => take("stderr", bytes));
  const bothEnded = Promise.all(
    sockets.map(
      (socket) =>
        new Promise((end) => {
          if (socket.destroyed) end(undefined);
          else socket.once("close", end);
        }),
    ),
  );

  async function drain(): Promise<void> {
    const startMs = performance.now();
    lastBytesMs = startMs;
    const isQuiet = () => {
      const now = performance.now();
      const isPaused = sockets.some((socket) => socket.isPaused());
      return (!isPaused && now - lastBytesMs >= DRAIN_MS) || now - startMs >= MAX_DRAIN_MS;
    };
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<void>((done) => {
      timer = setInterval(() => isQuiet() && done(), DRAIN_MS / 5);
    });
    await Promise.race([bothEnded, quiet]);
    clearInterval(timer);
    stop();
  }

  function stop(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    begin(listener) {
      onChunk = listener;
    },
    complaint: () => complaint.trim().slice(0, MAX_COMPLAINT_CHARS) || undefined,
    resume() {
      for (const socket of sockets) socket.resume();
    },
    drain,
    stop,
  };
}
