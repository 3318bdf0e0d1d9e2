// A command that has begun, by pipes or in a terminal: what the supervisor needs of either.

import type { LaunchedEnd } from "../launch/follow.js";
import type { RunRecorder } from "../output/run-recorder.js";

export interface StartedRun {
  readonly pid: number;
  readonly recorder: RunRecorder;
  /** Fulfilled when it is over, what it started is gone and its output was read. */
  readonly ended: Promise<LaunchedEnd>;
  readonly isTerminal: boolean;
  readonly applicationCursor: () => boolean;
  /** Absent when its input is closed. */
  readonly input: RunInput | undefined;
  /** Asks, then kills; `ended` tells when it is done. */
  stop(): void;
  /** Kills at once, for the end of this process. */
  stopNow(): void;
}

export interface RunInput {
  readonly isOpen: boolean;
  /** More waits to be read than is kept. */
  readonly isFull?: boolean;
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}
