// A sandbox prepared ahead, so that the next command starts at once; used only where a new one would
// be equal.

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
/** After the answer to the previous run. */
const MAKE_AFTER_MS = 20;
const MAX_AGE_MS = 60_000;
const LATER: LaunchWork = { kind: "later" };

export interface PrewarmPlace extends Omit<InsidePlace, "env" | "mark" | "work"> {
  placeFor(marker: string): Pick<InsidePlace, "env" | "mark">;
}

export interface PrewarmedSandbox {
  readonly opened: OpenedInside;
  readonly marker: string;
  /** As it would be enclosed now. */
  readonly inside: EnclosedCommand;
  readonly env: InsidePlace["env"];
  /** The start signal with the work. */
  readonly line: string;
}

export type Prewarmer = ReturnType<typeof createPrewarmer>;

interface Kept {
  readonly opened: OpenedInside;
  readonly marker: string;
  /** What every child of this process inherits, and the mounts. */
  readonly surroundings: string;
  readonly tree: RunningTree;
  readonly folder: string | undefined;
}

export interface PrewarmerDeps {
  readonly pipes: RunPipes;
  readonly random: RandomSource;
  readonly maxAgeMs?: number;
}

export function createPrewarmer({ pipes, random, maxAgeMs = MAX_AGE_MS }: PrewarmerDeps) {
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
    const own = { ...place, ...place.placeFor(marker), work: LATER };
    const surroundings = readSurroundings();
    const opened = await openInside({ ...own, pipes, input: "closed" });
    opened.setRef(false);
    const isReady = await opened.ready.then(
      () => true,
      () => false,
    );
    const tree = opened.findTree();
    holdMounts(tree, opened.exited);
    kept = { opened, marker, surroundings, tree, folder: findFolder(tree) };
    // A shell that complains, for example about a locale, would complain again.
    const isSilent = opened.reading.complaint() === undefined;
    const isLimited = findLimitFault(opened.inside, tree) === undefined;
    if (isClosed || !isReady || !isSilent || !isLimited) discard();
    else after(maxAgeMs, discard);
  }

  return {
    /** The caller owns it; undefined when none fits. */
    async take(place: PrewarmPlace, work: LaunchWork): Promise<PrewarmedSandbox | undefined> {
      const line = tellWork(work, place.shells);
      if (line === undefined) return undefined;
      // One that is being made is ready sooner than a new one.
      await making;
      if (kept === undefined) return undefined;
      const own = place.placeFor(kept.marker);
      const inside = encloseAgain({ ...place, ...own, work: LATER });
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
    /** Prepares one for the next run of the same kind. */
    prewarm(place: PrewarmPlace) {
      if (isClosed || kept !== undefined || making !== undefined) return;
      if (!place.containment.endsChildren) return;
      after(MAKE_AFTER_MS, () => {
        // The next run starts its own and reports the failure.
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

/** The last process in a namespace unmounts everything, which takes time; this makes it ours. */
function holdMounts({ init }: RunningTree, exited: Promise<unknown>): void {
  if (init === undefined) return;
  try {
    const descriptor = openSync(`/proc/${init.pid}/ns/mnt`, "r");
    void exited.then(() => close(descriptor, () => undefined));
  } catch (error) {
    // It has ended, or cannot be opened.
    if (errnoOf(error) === "") throw error;
  }
}

async function end({ opened, tree }: Kept): Promise<void> {
  // Keeps this process alive until it has ended.
  opened.setRef(true);
  const left = await endAll(tree);
  if (left.length === 0) await opened.exited;
  opened.close();
}

/** undefined on failure; a normal start reports why. */
function encloseAgain(place: InsidePlace): EnclosedCommand | undefined {
  try {
    return encloseFor(place);
  } catch {
    return undefined;
  }
}

interface Wanted {
  readonly place: PrewarmPlace;
  readonly inside: EnclosedCommand;
}

function isAsNew({ opened, tree, surroundings, folder }: Kept, { place, inside }: Wanted): boolean {
  const { init } = tree;
  if (init === undefined || !isSame(inside, opened.inside)) return false;
  if (folder === undefined || identify(place.cwd) !== folder) return false;
  if (surroundings !== readSurroundings()) return false;
  // This process hears of the end a moment later.
  if (opened.hasEnded() || readProcess(opened.pid)?.hasEnded !== false) return false;
  return inside.findFault?.(init.pid) === undefined;
}

/** PID 1, or the only child of the containment's own. */
function findFolder({ init, containment }: RunningTree): string | undefined {
  const shell = containment.startsInit || !init ? init : peekFirstChild(init.pid);
  return shell && identify(`/proc/${shell.pid}/cwd`);
}

function isSame(one: EnclosedCommand, other: EnclosedCommand): boolean {
  const words = ({ file, cwd, args, env }: EnclosedCommand) =>
    JSON.stringify([file, cwd, args, Object.entries(env)]);
  return words(one) === words(other);
}

/** A namespace keeps the mounts of its start. */
function readSurroundings(): string {
  return `${readInheritedState()}\n${readOwn("mountinfo")}`;
}

function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch (error) {
    if (errnoOf(error) === "") throw error;
    return undefined;
  }
}

/** When it changes, a new child would inherit something else. */
export function readInheritedState(): string {
  const facts = readOwn("status").match(INHERITED) ?? [];
  return [...facts, getPriority(), readOwn("limits")].join("\n");
}
