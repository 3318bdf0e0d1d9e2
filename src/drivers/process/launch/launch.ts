// Starts one command inside a containment by pipes: the handshake, and the way its output takes.
// What is kept of the output is left to anyone who gets the bytes.
import type { Writable } from "node:stream";
import type { LaunchWork } from "./inner-script.js";
import { endAll, type Followed, follow, type RunningTree } from "./kill-ladder.js";
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
  /** Called when the command is about to wait, which begins when this is fulfilled, or has begun. */
  onStarted(started: { readonly pid: number; readonly startTicks: string }): Promise<void>;
  /** Called just before the word to go; throws when no one wants it any more. */
  assertWanted(): void;
}

export interface LaunchRequest extends LaunchPlace {
  readonly work: LaunchWork;
  readonly pipes: RunPipes;
  readonly input: "open" | "closed";
  /** One made ahead for just this, instead of a new one. */
  readonly prewarmed?: PrewarmedSandbox | undefined;
  readonly onChunk: OnChunk;
}

interface Launched extends Followed {
  readonly pid: number;
  readonly input: Writable | undefined;
  resume(): void;
}

/** Throws `failed` / `launch_failed` when nothing could be started, or what `onStarted` threw. */
export async function launch(request: LaunchRequest): Promise<Launched> {
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
      // It was looked at when it was taken, and ends with this process: it need not wait until it is
      // written down.
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
