// One containment made ahead, with nothing in it but a shell that waits to be given its work: a command
// that comes from a model seconds later begins at once. It serves only a run for which just the same
// would be made, and ends when no run comes.

import { close, openSync, statSync } from "node:fs";
import { getPriority } from "node:os";
import type { EnclosedCommand, RandomSource } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { MARKER_BYTES } from "../environment.js";
import { type LaunchWork, tellWork } from "./inner-script.js";
import { endAll, type RunningTree } from "./kill-ladder.js";
import {
  encloseFor,
  findLimitFault,
  type InsidePlace,
  type OpenedInside,
  openInside,
} from "./open-inside.js";
import { peekFirstChild, readOwn, readProcess } from "./process-table.js";
import type { RunPipes } from "./run-pipes.js";

const INHERITED = /^(?:Umask|Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp):.*$/gm;
/** Behind the answer to the run before; anyone who closes at once pays nothing. */
const MAKE_AFTER_MS = 20;
/** About the time that a model thinks, at the longest. */
const MAX_AGE_MS = 60_000;
const LATER: LaunchWork = { kind: "later" };

export interface PrewarmPlace extends Omit<InsidePlace, "env" | "mark"> {
  /** With the marker that tells one run from all others. */
  placeFor(marker: string): Pick<InsidePlace, "env" | "mark">;
}

export interface PrewarmedSandbox {
  readonly opened: OpenedInside;
  readonly marker: string;
  /** As it would be made now. */
  readonly inside: EnclosedCommand;
  readonly env: InsidePlace["env"];
  /** The work, in the words that its shell waits for. */
  readonly line: string;
}

export interface Prewarmer {
  /** It belongs to the caller then. undefined when there is none, or none that would be the same. */
  take(place: PrewarmPlace, work: LaunchWork): Promise<PrewarmedSandbox | undefined>;
  /** For the next run of the same kind. Nothing happens where it cannot be made. */
  prewarm(place: PrewarmPlace): void;
  /** Fulfilled when nothing of it is left. */
  close(): Promise<void>;
}

interface Kept {
  readonly opened: OpenedInside;
  readonly marker: string;
  /** What every child of this process starts with, and where. */
  readonly surroundings: string;
  readonly tree: RunningTree;
  /** The folder that its shell is in, for good. */
  readonly folder: string | undefined;
}

export interface PrewarmerDeps {
  readonly pipes: RunPipes;
  readonly random: RandomSource;
  /** How long one waits for a run. */
  readonly maxAgeMs?: number;
}

export function createPrewarmer({
  pipes,
  random,
  maxAgeMs = MAX_AGE_MS,
}: PrewarmerDeps): Prewarmer {
  let kept: Kept | undefined;
  let making: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const endings = new Set<Promise<void>>();

  function after(delayMs: number, work: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(work, delayMs);
    timer.unref();
  }

  function discard(): void {
    if (kept === undefined) return;
    const ending = end(kept).finally(() => endings.delete(ending));
    kept = undefined;
    endings.add(ending);
  }

  async function make(place: PrewarmPlace): Promise<void> {
    const marker = random.hex(MARKER_BYTES);
    const own = { ...place, ...place.placeFor(marker) };
    const surroundings = readSurroundings();
    const opened = await openInside({ ...own, work: LATER, pipes, input: "closed" });
    opened.setRef(false);
    const isReady = await opened.ready.then(
      () => true,
      () => false,
    );
    const tree = opened.findTree();
    holdMounts(tree, opened.exited);
    kept = { opened, marker, surroundings, tree, folder: findFolder(tree) };
    // What a shell says when it starts, of a language that is not there, would be said once more.
    const isSilent = opened.reading.complaint() === undefined;
    const isLimited = findLimitFault(opened.inside, tree) === undefined;
    if (isClosed || !isReady || !isSilent || !isLimited) discard();
    else after(maxAgeMs, discard);
  }

  return {
    async take(place, work) {
      const line = tellWork(work, place.shells);
      if (line === undefined) return undefined;
      // It is further on its way than a new one would be.
      await making;
      if (kept === undefined) return undefined;
      const own = place.placeFor(kept.marker);
      const inside = encloseAgain({ ...place, ...own });
      if (inside === undefined || !isAsNew(kept, { place, inside })) {
        discard();
        return undefined;
      }
      const { opened, marker } = kept;
      kept = undefined;
      clearTimeout(timer);
      opened.setRef(true);
      return { opened, marker, inside, env: own.env, line };
    },
    prewarm(place) {
      if (isClosed || kept !== undefined || making !== undefined) return;
      if (!place.containment.endsChildren) return;
      after(MAKE_AFTER_MS, () => {
        // The next run finds none, starts its own, and reports the failure.
        making = make(place)
          .catch(() => undefined)
          .finally(() => {
            making = undefined;
          });
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await making;
      discard();
      await Promise.all(endings);
    },
  };
}

/**
 * Anyone who leaves a namespace last takes its mounts apart, which takes the system its time: this process
 * does, next to the answer, rather than the command that everybody waits for.
 */
function holdMounts({ init }: RunningTree, exited: Promise<unknown>): void {
  if (init === undefined) return;
  try {
    const descriptor = openSync(`/proc/${init.pid}/ns/mnt`, "r");
    void exited.then(() => close(descriptor, () => undefined));
  } catch (error) {
    // Gone, or not to be opened.
    if (errnoOf(error) === "") throw error;
  }
}

async function end({ opened, tree }: Kept): Promise<void> {
  // Anyone who waits for its end must not find this process over before.
  opened.setRef(true);
  const left = await endAll(tree);
  if (left.length === 0) await opened.exited;
  opened.close();
}

/** undefined where it cannot be made now; a fresh start reports why. */
function encloseAgain(place: InsidePlace): EnclosedCommand | undefined {
  try {
    return encloseFor({ ...place, work: LATER });
  } catch {
    return undefined;
  }
}

interface Wanted {
  readonly place: PrewarmPlace;
  readonly inside: EnclosedCommand;
}

/** Made with the same words, and what they named is still the same. */
function isAsNew({ opened, tree, surroundings, folder }: Kept, { place, inside }: Wanted): boolean {
  const { init } = tree;
  if (init === undefined || !isSame(inside, opened.inside)) return false;
  if (folder === undefined || identify(place.cwd) !== folder) return false;
  if (surroundings !== readSurroundings()) return false;
  // Asked of the system: this process hears of the end a moment later.
  if (opened.hasEnded() || readProcess(opened.pid)?.hasEnded !== false) return false;
  return inside.findFault?.(init.pid) === undefined;
}

/** The shell is the first process, or the only child of the containment's own. */
function findFolder({ init, containment }: RunningTree): string | undefined {
  const shell = containment.startsInit || !init ? init : peekFirstChild(init.pid);
  return shell && identify(`/proc/${shell.pid}/cwd`);
}

function isSame(one: EnclosedCommand, other: EnclosedCommand): boolean {
  const words = ({ file, cwd, args, env }: EnclosedCommand) =>
    JSON.stringify([file, cwd, args, Object.entries(env)]);
  return words(one) === words(other);
}

/** A namespace keeps the mounts that were there when it was made. */
function readSurroundings(): string {
  return `${readInheritedState()}\n${readOwn("mountinfo")}`;
}

/** Device and inode; undefined when the path cannot be read. */
function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

/** Equal texts: a child that is started now is as one that was started then. */
export function readInheritedState(): string {
  const facts = readOwn("status").match(INHERITED) ?? [];
  return [...facts, getPriority(), readOwn("limits")].join("\n");
}
