// Ends a managed browser with everything that it left: kindly, then by its process; its temporary
// files, its note.

import type { BrowserContext } from "playwright-core";
import { atMost } from "../session/within.js";
import { endOwnProcesses } from "./own-processes.js";
import { removeNote } from "./pid-file.js";
import { isAlive, killGroup, killProcess, type MarkedProcess } from "./process-world.js";
import { removeFolder, type Scratch } from "./scratch.js";

const MAX_CLOSE_MS = 2_500;
const MAX_GONE_MS = 2_000;
const LOOK_PAUSE_MS = 20;

export interface EndRequest {
  readonly context: BrowserContext;
  readonly mark: MarkedProcess | undefined;
  readonly scratch: Scratch;
  /** Of the profile. */
  readonly folder: string;
}

/** Never rejects: whatever could not be removed, the next start removes. */
export async function endBrowser({ context, mark, scratch, folder }: EndRequest): Promise<void> {
  // A browser that is gone or hangs does not close; its process tells.
  await atMost(MAX_CLOSE_MS, () => context.close());
  if (mark !== undefined) {
    await endProcess(mark);
    await removeNote(folder, mark).catch(() => undefined);
  }
  await endOwnProcesses(scratch.temporary);
  await removeFolder(scratch.folder).catch(() => undefined);
}

/** Resolves when it is gone, or has been reported to and does not go. */
export async function endProcess(mark: MarkedProcess): Promise<void> {
  killProcess(mark);
  // What it started goes with it, stopped or hung as it may be.
  killGroup(mark);
  const tries = MAX_GONE_MS / LOOK_PAUSE_MS;
  for (let count = 0; count < tries && isAlive(mark); count++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
  }
}
