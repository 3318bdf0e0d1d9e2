// The bounds on open files that all bridges of a process share: one for operations, which have up to
// six open for a moment, and one for files that a caller opened and has not closed yet.

import type { FsFile } from "../../../core/index.js";
import type { Found } from "../turns.js";
import { createSlots, type Slots } from "./slots.js";

/** Together well below 256, which is the least that systems give a process. */
export const MAX_OPERATIONS = 24;
export const MAX_OPEN_FILES = 48;
export const MAX_OPERATION_WAIT_MS = 10_000;
/** Shorter, because who waits may have another file open that it would have to close first. */
export const MAX_OPEN_WAIT_MS = 1_000;

/** For the whole process, as its descriptors are. */
const OPERATIONS: Slots = createSlots(MAX_OPERATIONS);
const OPEN_FILES: Slots = createSlots(MAX_OPEN_FILES);

type Signals = readonly (AbortSignal | undefined)[];

/** What is found holds a place until it is closed. */
export async function findInRoom<F extends Found>(
  signals: Signals,
  find: () => Promise<F>,
): Promise<F> {
  const taken = OPERATIONS.take({ signals, maxWaitMs: MAX_OPERATION_WAIT_MS });
  const leave = taken instanceof Promise ? await taken : taken;
  try {
    const found = await find();
    const close = () => {
      found.close();
      leave();
    };
    return { ...found, close };
  } catch (error) {
    leave();
    throw error;
  }
}

/** `open` awaits what it is given before it opens anything. */
export async function openInRoom(
  signal: AbortSignal | undefined,
  open: (awaitRoom: () => Promise<void>) => Promise<FsFile>,
): Promise<FsFile> {
  let leave: (() => void) | undefined;
  try {
    const file = await open(async () => {
      leave ??= await OPEN_FILES.take({ signals: [signal], maxWaitMs: MAX_OPEN_WAIT_MS });
    });
    return {
      ...file,
      close: () => file.close().finally(() => leave?.()),
    };
  } catch (error) {
    leave?.();
    throw error;
  }
}
