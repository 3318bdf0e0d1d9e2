// Reads the output of a command until it has ended, or nobody is left who could write.
// What comes before the command itself runs is kept apart: a containment that fails says why there.

import type { OutputPipe } from "./output-pipes.js";

const DRAIN_MS = 250;
const MAX_DRAIN_MS = 5_000;
const MAX_COMPLAINT_CHARS = 500;

/** The bytes are lent until it returns; false pauses the stream until `resume`. */
export type OnChunk = (bytes: Uint8Array) => boolean;

export interface Reading {
  /** What comes from now on is the command's. */
  begin(onChunk: OnChunk): void;
  /** First words on the way to the command. */
  complaint(): string | undefined;
  resume(): void;
  /** Fulfilled at its end, or when nothing has come for a quarter of a second. */
  drain(): Promise<void>;
  stop(): void;
}

export function readOutput({ near, read }: OutputPipe): Reading {
  let complaint = "";
  let onChunk: OnChunk | undefined;
  let lastBytesMs = 0;

  read((bytes) => {
    lastBytesMs = performance.now();
    if (onChunk !== undefined) {
      const goesOn = onChunk(bytes);
      if (!goesOn) near.pause();
      return goesOn;
    }
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint += Buffer.from(bytes).toString("utf8");
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
    begin(listener) {
      onChunk = listener;
    },
    complaint: () => complaint.trim().slice(0, MAX_COMPLAINT_CHARS) || undefined,
    resume: () => void near.resume(),
    drain,
    stop: () => void near.destroy(),
  };
}
