// From "go" to the end: waits for the exit, ends what was left behind, reads the rest of the output.

import type { EnclosedCommand } from "../../../core/index.js";
import { askToEnd, endAll, type RunningTree, signal } from "./kill-ladder.js";

export interface Exit {
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
}

export interface LaunchedEnd extends Exit {
  readonly survivors: readonly number[];
  /** What was taken back after it. */
  readonly notice?: string | undefined;
}

export interface FollowRequest {
  readonly tree: RunningTree;
  readonly exited: Promise<Exit>;
  /** Fulfilled when the output was read. */
  drain(): Promise<void>;
  /** Called at the end, once; what it says is reported. */
  readonly settle: ReturnType<NonNullable<EnclosedCommand["guard"]>> | undefined;
}

export interface Followed {
  /** Fulfilled when it is over, what it started is gone and its output was read. */
  readonly ended: Promise<LaunchedEnd>;
  /** Asks, then kills; `ended` tells when it is done. */
  stop(): void;
  /** Kills at once, without a wait: for the end of this process. */
  stopNow(): void;
}

export function follow({ tree, exited, drain, settle }: FollowRequest): Followed {
  let isStopping = false;
  let hasExited = false;

  async function toEnd(): Promise<LaunchedEnd> {
    const exit = await exited;
    hasExited = true;
    const survivors = await endAll(tree);
    const notice = settle?.();
    await drain();
    return { ...exit, survivors, notice };
  }

  async function climb(): Promise<void> {
    await askToEnd(tree);
    // Once it has exited its pid may soon be another's; the rest is ended above.
    if (!hasExited) await endAll(tree);
  }

  function stopNow(): void {
    if (hasExited) return;
    if (tree.init !== undefined) signal(tree.init.pid, "SIGKILL");
    signal(-tree.pid, "SIGKILL");
  }

  return {
    ended: toEnd(),
    stop() {
      if (isStopping) return;
      isStopping = true;
      // Whatever went wrong on the way: it must end.
      climb().catch(stopNow);
    },
    stopNow,
  };
}
