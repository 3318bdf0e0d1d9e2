// Moves files aside that a program outside would run, such as git hooks that a command made.

import { randomBytes } from "node:crypto";
import { lstatSync, renameSync, watch } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { type PinnedFolder, type Place, pinFolder } from "./place.js";

const NONCE_BYTES = 8;
const MAX_TOLD = 3;

export interface ForbiddenNames {
  readonly folder: Place;
  readonly reader: string;
  /** Only a command makes these: moved as soon as they are seen. */
  readonly atOnce: readonly string[];
  /** The user may make these too: moved when the command has ended. `a/b` is `b` in folder `a`. */
  readonly atEnd: readonly string[];
}

export function guardNames({ folder, reader, atOnce, atEnd }: ForbiddenNames) {
  return () => {
    const { path } = folder;
    const pinned = tryPin(folder);
    if (pinned === undefined) return () => toUnseen(path, reader);
    const moves = new Map<string, Moves>();
    let isOver = false;
    const move = (name: string) => {
      const { newName, problem } = moveAside(pinned, name);
      if (newName !== undefined) moves.set(name, addMove(moves.get(name), newName));
      return problem;
    };
    const onName = (name: string | null) => {
      // The descriptor may belong to another folder by then.
      if (!isOver && (name === null || atOnce.includes(name))) atOnce.forEach(move);
    };
    const stop = atOnce.length === 0 ? () => undefined : watchFolder(pinned.door, onName);
    return () => {
      if (isOver) return undefined;
      isOver = true;
      stop();
      const problems = [...atOnce, ...atEnd].flatMap((name) => {
        const problem = move(name);
        const made = moves.get(name);
        const whole = join(path, name);
        const toMoved = atEnd.includes(name) ? toMovedOfAnybody : toMovedOfCommand;
        return [
          ...(made ? [`${toMoved(whole, reader)} it is called ${toText(made)} there now.`] : []),
          ...(problem === undefined ? [] : [toProblem(whole, { problem, reader })]),
        ];
      });
      pinned.close();
      return problems.length === 0 ? undefined : problems.join(" ");
    };
  };
}

export function firstPart(name: string): string {
  return name.split("/", 1)[0] ?? name;
}

function tryPin(folder: Place): PinnedFolder | undefined {
  try {
    return pinFolder(folder);
  } catch {
    // Reported like any other change.
    return undefined;
  }
}

/** Without a watch the end remains. */
function watchFolder(folder: string, onName: (name: string | null) => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => onName(name));
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // The names are checked at the end anyway.
    return () => undefined;
  }
}

interface Move {
  readonly newName?: string;
  readonly problem?: string;
}

/** Inside the folder, so that links and folders move as they are. */
function moveAside({ door }: PinnedFolder, forbidden: string): Move {
  const look = (name: string) => lstatSync(`${door}/${name}`, { throwIfNoEntry: false });
  const first = firstPart(forbidden);
  try {
    const start = look(first);
    if (start === undefined) return {};
    const name = start.isSymbolicLink() ? first : forbidden;
    const newName = `${name}.planted-${randomBytes(NONCE_BYTES).toString("hex")}`;
    if (look(name) === undefined) return {};
    renameSync(`${door}/${name}`, `${door}/${newName}`);
    return { newName };
  } catch (error) {
    const problem = errnoOf(error) || "unknown";
    // Gone meanwhile.
    return problem === "ENOENT" ? {} : { problem };
  }
}

/** A command may make the same name thousands of times. */
interface Moves {
  readonly newNames: readonly string[];
  readonly count: number;
}

function addMove(moves: Moves | undefined, newName: string): Moves {
  const { newNames, count } = moves ?? { newNames: [], count: 0 };
  const kept = newNames.length < MAX_TOLD ? [...newNames, newName] : newNames;
  return { newNames: kept, count: count + 1 };
}

function toText({ newNames, count }: Moves): string {
  const more = count - newNames.length;
  return `"${newNames.join('", "')}"${more > 0 ? ` (and ${more} more)` : ""}`;
}

function toMovedOfCommand(path: string, reader: string): string {
  return `The command made "${path}", by which ${reader} would run programs of its choice;`;
}

function toMovedOfAnybody(path: string, reader: string): string {
  return `"${path}" was made while the command ran, and ${reader} may run programs by it. If it is wanted (git checkout, git sparse-checkout and some clients make such files), give it its name back:`;
}

function toProblem(path: string, { problem, reader }: { problem: string; reader: string }): string {
  return `The command may have made "${path}", by which ${reader} would run programs of its choice, and it could not be moved away (${problem}): look at it before you use ${reader} here.`;
}

function toUnseen(path: string, reader: string): string {
  return `"${path}" was replaced as the command began, so what the command made there was not looked at: look at it before you use ${reader} here.`;
}
