// Protects places in a workspace that run programs later, and hides the state of clawtools. Names that
// are missing cannot be mounted: what a command makes there is moved aside.

import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, watch } from "node:fs";
import { join } from "node:path";
import { isClientName, PROTECTED_NAMES } from "../../../core/files/index.js";
import type { EnclosedCommand } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { isInside } from "../../../lib/paths.js";
import { walkPath } from "../../../lib/system/real-path.js";
import { type ForbiddenNames, findGitPlaces } from "./git-places.js";
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

const GIT = ".git";
const FOLDER_MODE = 0o700;
const NONCE_BYTES = 8;
const MAX_TOLD = 3;

export interface OwnPlaces {
  readonly hidden: readonly string[];
  readonly readOnly: readonly string[];
  /** At the top of the workspace. Default: those that no file tool changes. */
  readonly names?: readonly string[] | undefined;
}

interface PlacesRequest extends OwnPlaces {
  readonly root: string;
  readonly shown: readonly string[];
}

/** The mounts are checked again before anything runs. Throws if something cannot be protected. */
export function findProtectedPlaces(request: PlacesRequest) {
  try {
    return lookForPlaces(request);
  } catch (error) {
    throw unreachable(error);
  }
}

/** What a command can change nevertheless. Never throws. */
export function findWarnings(root: string): readonly string[] {
  try {
    return findGitPlaces(root).warnings;
  } catch (error) {
    const why = unreachable(error);
    return [why instanceof Error ? why.message : String(why)];
  }
}

function lookForPlaces(request: PlacesRequest) {
  const { root, readOnly, names = PROTECTED_NAMES } = request;
  const git = findGitPlaces(root);
  const named = names.filter((name) => name !== GIT);
  // Most are missing; one look at the first folder is enough.
  const begun = named.filter((name) => isThere(join(root, firstPart(name))));
  const missing = named.filter((name) => !begun.includes(name));
  const places = mergePlaces([
    ...git.places,
    // The target of a link, not the link.
    ...begun.flatMap((name) => placesAt(walkPath(join(root, name)).real, root)),
    ...readOnly.flatMap((path) => readOnlyPlaces(path, root)),
    ...request.hidden.flatMap((path) => hiddenPlaces(path, request)),
  ]);
  const top = lookAt(root, "held");
  const seen = [top ?? [], places].flat();
  const forbidden = [git.forbidden ?? [], top ? forbidNames({ begun, missing }, top) : []].flat();
  return {
    args: places.flatMap(mountWords),
    findFault: (pid: number) => findPlaceFault(seen, pid),
    guard: guardAll(forbidden.map(guardNames)),
  };
}

interface ClientNames {
  readonly begun: readonly string[];
  readonly missing: readonly string[];
}

/** Missing names of client configs. */
function forbidNames({ begun, missing }: ClientNames, folder: Place): ForbiddenNames {
  const isFree = (name: string) => {
    const path = join(folder.path, name);
    return !isThere(path) && walkPath(path).links.length === 0;
  };
  const atEnd = [...missing, ...begun.filter(isFree)].filter(isClientName);
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
  // The first to make it decides its content.
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

/** A link in the workspace could be replaced. */
function assertNoLink(path: string, root: string): string {
  const { real, links } = walkPath(path);
  const link = links.find((one) => isInside(one, root));
  if (link !== undefined) throw unprotected(`the way to "${path}" goes through the link "${link}"`);
  return real;
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

function firstPart(name: string): string {
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
