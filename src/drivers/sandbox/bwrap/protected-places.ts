// Protects places in a workspace that run programs later, and hides the state of clawtools.

import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isClientName, PROTECTED_NAMES } from "../../../core/files/index.js";
import type { EnclosedCommand } from "../../../core/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { isInside } from "../../../lib/paths.js";
import { walkPath } from "../../../lib/system/real-path.js";
import { type ForbiddenNames, firstPart, guardNames } from "./forbidden-names.js";
import { findGitPlaces } from "./git-places.js";
import {
  findPlaceFault,
  lookAt,
  mergePlaces,
  mountWords,
  type Place,
  unprotected,
  unreachable,
  withFolders,
} from "./place.js";

const GIT = ".git";
const FOLDER_MODE = 0o700;

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
