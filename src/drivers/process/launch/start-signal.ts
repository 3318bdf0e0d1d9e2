// The pipe by which the inside is told to go. It hears the end of it when this process is gone.

import { closeSync, writeSync } from "node:fs";
import { errnoOf } from "../../../lib/errno.js";
import { lazy } from "../../../lib/lazy.js";
import type { PipeEnds } from "./run-pipes.js";

export interface StartSignal {
  /** The descriptor for the inside. */
  readonly far: number;
  /** Once the inside has it, or will not get it. */
  closeFar(): void;
  /** Once. */
  tell(line: string): void;
  /** Says that nothing will be told, where nothing was. */
  close(): void;
}

export function toStartSignal({ reads, writes }: PipeEnds): StartSignal {
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
