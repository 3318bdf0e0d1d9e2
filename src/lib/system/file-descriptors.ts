// Waits briefly when the process has no file descriptors left.

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { errnoOf } from "../errno.js";

const PAUSES_MS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const SPARE_FILES = 16;
const NO_ROOM = ["EMFILE", "ENFILE"];

export function isOutOfFiles(error: unknown): boolean {
  return NO_ROOM.includes(errnoOf(error));
}

/** `work` must have done nothing when it rejects for want of room. Half a second at most. */
export async function whenFilesFree<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfFiles(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return work();
}

export async function loadWithRoom<T>(load: () => Promise<T>): Promise<T> {
  await whenFilesFree(async () => assertRoom());
  return load();
}

function assertRoom(): void {
  const opened: number[] = [];
  try {
    while (opened.length < SPARE_FILES) opened.push(openSync(devNull, "r"));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
