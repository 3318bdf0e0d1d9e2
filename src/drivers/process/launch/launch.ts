// Starts one command inside a containment with pipes.
import type { LaunchWork } from "./inner-script.js";
import { endAll, follow, type RunningTree } from "./kill-ladder.js";
import {
  assertSound,
  type InsidePlace,
  type OnChunk,
  openInside,
  startedOf,
} from "./open-inside.js";
import type { PrewarmedSandbox } from "./prewarmed-sandbox.js";
import type { RunPipes } from "./run-pipes.js";

export interface LaunchPlace extends InsidePlace {
  /** The command starts when this is fulfilled. */
  onStarted(started: { readonly pid: number; readonly startTicks: string }): Promise<void>;
  /** Called just before the start signal; throws to cancel. */
  assertWanted(): void;
}

export interface LaunchRequest extends LaunchPlace {
  readonly work: LaunchWork;
  readonly pipes: RunPipes;
  readonly input: "open" | "closed";
  readonly prewarmed?: PrewarmedSandbox | undefined;
  readonly onChunk: OnChunk;
}

/** Throws `failed` / `launch_failed`, or what `onStarted` threw. */
export async function launch(request: LaunchRequest) {
  const { prewarmed, pipes, onStarted, assertWanted, onChunk } = request;
  const { pid, inside, reading, exited, ready, input, ...opened } =
    prewarmed?.opened ?? (await openInside(request));
  const begin = () => {
    assertWanted();
    const settle = (prewarmed?.inside ?? inside).guard?.();
    reading.begin(onChunk);
    opened.go(prewarmed?.line ?? "go");
    pipes.makeAhead();
    return settle;
  };
  let tree: RunningTree | undefined;
  let settle: ReturnType<typeof begin>;
  try {
    if (prewarmed === undefined) {
      await Promise.all([ready, onStarted(startedOf(pid))]);
      tree = opened.findTree();
      assertSound(inside, tree);
      settle = begin();
    } else {
      // It ends with this process, so it need not wait until it is recorded.
      tree = opened.findTree();
      settle = begin();
      await onStarted(startedOf(pid));
    }
  } catch (error) {
    await endAll(tree ?? opened.findTree());
    settle?.();
    opened.close();
    throw error;
  }
  const followed = follow({ tree, exited, drain: reading.drain, settle });
  return { ...followed, pid, input, resume: reading.resume };
}
