// Places of a workspace that run programs later or decide what may run: a command in the sandbox
// cannot change them, nor move their folder away and put another in its place; the state of this
// library it does not even see.

import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, watch } from "node:fs";
import { join } from "node:path";
import { isClientName, PROTECTED_NAMES } from "../../../core/files/index.js";
import type { EnclosedCommand } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { isInside } from "../../../lib/paths.js";
import { walkPath } from "../../../lib/system/walk-path.js";
import { findGitPlaces } from "./git-places.js";
import {
  findPlaceFault,
  lookAt,
  mergePlaces,
  mountWords,
  type PinnedFolder,
  type Place,
  pinFolder,
  unprotected,
  unreachable,
  withFolders,
} from "./place.js";

/** Looked at apart. */
const GIT = ".git";
const FOLDER_MODE = 0o700;

export interface OwnPlaces {
  /** Folders that no one inside may see, wherever they lie. */
  readonly hidden: readonly string[];
  /** Files and folders that no one inside may change. Absolute. */
  readonly readOnly: readonly string[];
  /** The same at the top of the workspace, by name. Default: those that no file tool changes. */
  readonly names?: readonly string[] | undefined;
}

interface ProtectedPlaces {
  /** bwrap's arguments. */
  readonly args: readonly string[];
  /** Why what is mounted there is not what was meant, in the namespace of this process. */
  findFault(pid: number): string | undefined;
  /** Takes back what could not be prevented. */
  readonly guard: EnclosedCommand["guard"];
}

interface PlacesRequest extends OwnPlaces {
  /** The workspace. */
  readonly root: string;
  /** What else is seen inside, read-only. */
  readonly shown: readonly string[];
}

/**
 * Between the look and the mount another command may have put a link there, so the mounts are looked
 * at again from outside before anything runs. Throws where something cannot be protected.
 */
export function findProtectedPlaces(request: PlacesRequest): ProtectedPlaces {
  try {
    return lookForPlaces(request);
  } catch (error) {
    throw unreachable(error);
  }
}

/** What of the workspace a command can change although it should not. Never throws. */
export function findWarnings(root: string): readonly string[] {
  try {
    return findGitPlaces(root).warnings;
  } catch (error) {
    const why = unreachable(error);
    return [why instanceof Error ? why.message : String(why)];
  }
}

function lookForPlaces(request: PlacesRequest): ProtectedPlaces {
  const { root, readOnly, names = PROTECTED_NAMES } = request;
  const git = findGitPlaces(root);
  const named = names.filter((name) => name !== GIT);
  const places = mergePlaces([
    ...git.places,
    // A link is left alone, but not where it leads.
    ...named.flatMap((name) => placesAt(walkPath(join(root, name)).real, root)),
    ...readOnly.flatMap((path) => readOnlyPlaces(path, root)),
    ...request.hidden.flatMap((path) => hiddenPlaces(path, request)),
  ]);
  const top = lookAt(root, "held");
  const seen = [top ?? [], places].flat();
  const forbidden = [git.forbidden ?? [], top ? missingNames(named, top) : []].flat();
  return {
    args: places.flatMap(mountWords),
    findFault: (pid) => findPlaceFault(seen, pid),
    guard: guardAll(forbidden.map(guardNames)),
  };
}

/** Names of clients, none of which is there yet. */
function missingNames(names: readonly string[], folder: Place): ForbiddenNames {
  const isThere = (name: string) =>
    lstatSync(join(folder.path, name), { throwIfNoEntry: false }) !== undefined;
  const isLink = (name: string) => walkPath(join(folder.path, name)).links.length > 0;
  const atEnd = names.filter((name) => isClientName(name) && !isThere(name) && !isLink(name));
  return { folder, reader: "a client or an editor", atOnce: [], atEnd };
}

function guardAll(guards: readonly ReturnType<typeof guardNames>[]): EnclosedCommand["guard"] {
  return () => {
    const ends = guards.map((start) => start());
    return () => ends.flatMap((end) => end() ?? []).join(" ") || undefined;
  };
}

function readOnlyPlaces(path: string, root: string): Place[] {
  return placesAt(assertNoLink(path, root), root);
}

function placesAt(real: string, root: string): Place[] {
  const place = isInside(real, root) ? lookAt(real, "read-only") : undefined;
  return place === undefined ? [] : withFolders(place, root);
}

function hiddenPlaces(path: string, { root, shown }: PlacesRequest): Place[] {
  const real = assertNoLink(path, root);
  if (real === root) throw unprotected(`the state folder "${path}" is the workspace`);
  const isInRoot = isInside(real, root);
  if (!isInRoot && !shown.some((folder) => isInside(real, folder))) return [];
  // Anyone who makes it first decides what is in it.
  if (isInRoot && !isThere(real)) makeFolder(real);
  const place = lookAt(real, "hidden");
  if (place === undefined) return [];
  if (!place.isFolder) throw unprotected(`the state folder "${path}" is a file`);
  return isInRoot ? withFolders(place, root) : [place];
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    throw unprotected(`the state folder "${path}" cannot be made (${errnoOf(error)})`);
  }
}

/** The real path. A link cannot be held, and where it is in the workspace it could be replaced. */
function assertNoLink(path: string, root: string): string {
  const { real, links } = walkPath(path);
  const link = links.find((one) => isInside(one, root));
  if (link !== undefined) throw unprotected(`the way to "${path}" goes through the link "${link}"`);
  return real;
}

const NONCE_BYTES = 8;
/** Of each name; how many more there were is reported too. */
const MAX_TOLD = 3;

export interface ForbiddenNames {
  /** Where they lie. */
  readonly folder: Place;
  /** What would run programs by them. */
  readonly reader: string;
  /** No one makes them but a command: they are taken away as soon as they are seen. */
  readonly atOnce: readonly string[];
  /**
   * The user may have made them meanwhile: they are looked for when the command has ended. `a/b` is
   * `b` in a folder `a`, which is taken away itself where it is a link.
   */
  readonly atEnd: readonly string[];
}

function guardNames({ folder, reader, atOnce, atEnd }: ForbiddenNames) {
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
      // Behind the end the number of the descriptor may be that of another folder.
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

function tryPin(folder: Place): PinnedFolder | undefined {
  try {
    return pinFolder(folder);
  } catch {
    // Reported as any other change: what was looked at cannot be reached any more.
    return undefined;
  }
}

/** Without a watch, as where the system has no more of them, there is still the end. */
function watchFolder(folder: string, onName: (name: string | null) => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => onName(name));
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // Reported by no one: the names are looked for at the end in any case.
    return () => undefined;
  }
}

interface Move {
  readonly newName?: string;
  /** The system's name for it. */
  readonly problem?: string;
}

/** Within the folder, so that a link, or a folder with whatever is in it, moves as it is. */
function moveAside({ door }: PinnedFolder, forbidden: string): Move {
  const look = (name: string) => lstatSync(`${door}/${name}`, { throwIfNoEntry: false });
  const [first = ""] = forbidden.split("/");
  try {
    const name = look(first)?.isSymbolicLink() ? first : forbidden;
    const newName = `${name}.planted-${randomBytes(NONCE_BYTES).toString("hex")}`;
    if (look(name) === undefined) return {};
    renameSync(`${door}/${name}`, `${door}/${newName}`);
    return { newName };
  } catch (error) {
    const problem = errnoOf(error) || "unknown";
    // Gone between the look and the move.
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
