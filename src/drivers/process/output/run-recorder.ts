// What the supervisor gives the bytes of a run to, whether they come by pipes or from a terminal.
// Reading them, and telling others that something came, is left to the supervisor.

import type { RunOutput } from "../../../core/index.js";

export interface RunRecorder {
  readonly output: RunOutput;
  /** Copies what it keeps: the buffer may be used again as soon as this returns. */
  onChunk(bytes: Uint8Array): void;
  /** More is waiting to be written than should: stop reading until `drained()`. */
  readonly isFull: boolean;
  /** Fulfilled when there is room again; at once when there is. Never rejected. */
  drained(): Promise<void>;
  /** What went wrong with the log, as a sentence. The run goes on. */
  readonly problem: string | undefined;
  /** The last bytes have come; fulfilled when all of it can be read. Never rejected. */
  finish(): Promise<void>;
  /** Forgets everything and removes the log. Never rejected. */
  remove(): Promise<void>;
}
