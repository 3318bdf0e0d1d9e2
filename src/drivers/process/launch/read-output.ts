// Reads the output of a command until it has ended, or nobody is left who could write.
// What comes before the command itself runs is kept apart: a containment that fails says why there, and
// the shell inside of it that it is there and waits.

import { READY_BYTE } from "./inner-script.js";
import type { OutputPipe } from "./run-pipes.js";

const DRAIN_MS = 250;
const MAX_DRAIN_MS = 5_000;
const MAX_COMPLAINT_CHARS = 500;

/** The bytes are lent until it returns; false pauses the stream until `resume`. */
export type OnChunk = (bytes: Uint8Array) => boolean;

export interface Reading {
  /** Fulfilled when the inside has said that it is there. */
  readonly ready: Promise<void>;
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
  let tellReady: () => void = () => undefined;
  const ready = new Promise<void>((done) => {
    tellReady = done;
  });

  /** Nobody but us writes before the command may begin. */
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
    begin(listener) {
      onChunk = listener;
    },
    complaint: () => complaint.trim().slice(0, MAX_COMPLAINT_CHARS) || undefined,
    resume: () => void near.resume(),
    drain,
    stop: () => void near.destroy(),
  };
}
