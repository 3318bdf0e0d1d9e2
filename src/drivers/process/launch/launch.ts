// Starts one command inside a containment by pipes: the handshake, and the way its output takes.
// What is kept of the output is left to whoever gets the bytes.

import type { Writable } from "node:stream";
import { type Followed, follow } from "./follow.js";
import type { LaunchWork } from "./inner-script.js";
import { endAll, type RunningTree } from "./kill-ladder.js";
import { assertSound, type InsidePlace, openInside, startedOf } from "./open-inside.js";
import type { OnChunk } from "./read-streams.js";
import type { Spare } from "./spare.js";
import type { StreamPairs } from "./stream-pairs.js";

export interface LaunchPlace extends InsidePlace {
  /** Called when the command is about to wait; it begins when this is fulfilled. */
  onStarted(started: { readonly pid: number; readonly startTicks: string }): Promise<void>;
}

export interface LaunchRequest extends LaunchPlace {
  readonly work: LaunchWork;
  readonly pairs: StreamPairs;
  readonly input: "open" | "closed";
  /** One made ahead for just this, instead of a new one. */
  readonly spare?: Spare | undefined;
  readonly onChunk: OnChunk;
}

export interface Launched extends Followed {
  readonly pid: number;
  readonly input: Writable | undefined;
  resume(): void;
}

/** Throws `failed` / `launch_failed` when nothing could be started, or what `onStarted` threw. */
export async function launch(request: LaunchRequest): Promise<Launched> {
  const { spare, pairs, onStarted, onChunk } = request;
  const { pid, inside, reading, exited, ready, input, ...opened } =
    spare?.opened ?? (await openInside(request));
  let tree: RunningTree | undefined;
  try {
    await Promise.all([ready, onStarted(startedOf(pid))]);
    tree = opened.findTree();
    // One made ahead was looked at when it was taken.
    if (spare === undefined) assertSound(inside, tree);
  } catch (error) {
    await endAll(tree ?? opened.findTree());
    opened.close();
    throw error;
  }
  const settle = (spare?.inside ?? inside).guard?.();
  reading.begin(onChunk);
  opened.go(spare?.line ?? "go");
  pairs.makeAhead();
  const followed = follow({ tree, exited, drain: reading.drain, settle });
  return { ...followed, pid, input, resume: reading.resume };
}
