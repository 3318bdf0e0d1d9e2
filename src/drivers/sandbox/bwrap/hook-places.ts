// Hooks that are kept elsewhere: what the links in a folder of hooks lead to in the workspace is held
// like the hooks themselves, and what cannot be held is reported.

import { type Dir, type Dirent, lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "../../../lib/errno.js";
import { isInside } from "../../../lib/is-inside.js";
import { walkPath } from "../../../lib/system/walk-path.js";
import { lookAt, type Place, withFolders } from "./place.js";

const MAX_HOOKS = 100;
/** With those that git does not run. */
const MAX_ENTRIES = 1_000;
/** Git does not run these. */
const SAMPLE_ENDING = ".sample";

export interface HookPlaces {
  readonly places: readonly Place[];
  /** Why some of it can be changed all the same. */
  readonly warnings: readonly string[];
}

export const NO_HOOKS: HookPlaces = { places: [], warnings: [] };

/** `hooks` is the folder itself, without links on the way. */
export function findHookPlaces(hooks: string, root: string): HookPlaces {
  const { entries, isWhole } = listEntries(hooks, root);
  const found = entries.map((entry) => {
    const path = join(hooks, entry.name);
    return entry.isSymbolicLink()
      ? linkedHook(path, { hooks, root })
      : { places: [], warnings: hardLinkWarnings(path) };
  });
  const unseen = `Not all hooks in "${hooks}" were looked at; what the others lead to can be changed in the sandbox.`;
  return {
    places: found.flatMap(({ places }) => places),
    warnings: [...found.flatMap(({ warnings }) => warnings), ...(isWhole ? [] : [unseen])],
  };
}

interface Listing {
  readonly entries: readonly Dirent[];
  readonly isWhole: boolean;
}

function listEntries(hooks: string, root: string): Listing {
  const entries: Dirent[] = [];
  let folder: Dir | undefined;
  try {
    folder = opendirSync(hooks);
    for (let looked = 0; looked <= MAX_ENTRIES && entries.length <= MAX_HOOKS; looked++) {
      const entry = folder.readSync();
      if (entry === null) return { entries, isWhole: true };
      if (!entry.name.endsWith(SAMPLE_ENDING)) entries.push(entry);
    }
    return { entries: entries.slice(0, MAX_HOOKS), isWhole: false };
  } catch (error) {
    const isThere = !isMissing(error);
    if (isThere && !isFarError(error, root)) throw error;
    return { entries: [], isWhole: !isThere };
  } finally {
    folder?.closeSync();
  }
}

interface HooksRequest {
  readonly hooks: string;
  readonly root: string;
}

function linkedHook(path: string, request: HooksRequest): HookPlaces {
  try {
    return followHook(path, request);
  } catch (error) {
    if (isFarError(error, request.root)) return NO_HOOKS;
    throw error;
  }
}

/**
 * The system does not let this user look at something outside, where no command comes. In the
 * workspace a command may have taken the rights away, to give them back when nothing holds it.
 */
function isFarError(error: unknown, root: string): boolean {
  const path: unknown = Reflect.get(Object(error), "path");
  return typeof path === "string" && !isInside(path, root);
}

function followHook(path: string, { hooks, root }: HooksRequest): HookPlaces {
  const { real, links } = walkPath(path);
  const loose = links.find((link) => isInside(link, root) && !isInside(link, hooks));
  if (loose !== undefined) return { places: [], warnings: [toLoose(path, loose)] };
  if (real === root || !isInside(real, root)) return NO_HOOKS;
  const place = lookAt(real, "read-only");
  if (place === undefined) return { places: [], warnings: [toLoose(path, real)] };
  if (place.isFolder) return NO_HOOKS;
  return { places: withFolders(place, root), warnings: hardLinkWarnings(real) };
}

/** A hard-linked file can be changed through its other name, which cannot be found. */
export function hardLinkWarnings(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.nlink < 2) return [];
  return [
    `"${path}" is a hard link; where its other name is in the workspace, a command in the sandbox can change it.`,
  ];
}

function toLoose(path: string, loose: string): string {
  return `The hook "${path}" leads to "${loose}", which a command in the sandbox can replace; keep a file there instead.`;
}
