// What of a repository git runs programs by: its settings, its hooks, where it says that it lies.
// Commands in the sandbox commit and branch, but do not decide what the next git outside runs.

import { chownSync, lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { isMissing } from "../../../lib/errno.js";
import { isInside } from "../../../lib/is-inside.js";
import { lookAt, type Place, unprotected, withFolders } from "./place.js";

const GIT = ".git";
const OWN_SETTINGS = "config.worktree";
/** The first two are in every repository. */
const SETTINGS = ["config", "hooks", OWN_SETTINGS, "info/attributes"];
/** Repositories of submodules and of other work trees, with settings of their own. */
const FURTHER_REPOSITORIES = ["modules", "worktrees"];
/** Says that settings and hooks lie elsewhere. A repository with folders of its own has none. */
const ELSEWHERE = "commondir";
const MAX_LINK_FILE_CHARS = 4_096;

export interface GitPlaces {
  readonly places: readonly Place[];
  /** Names that cannot be held because nothing is there, and that nobody but git may make. */
  readonly forbidden: readonly string[];
}

const NOTHING: GitPlaces = { places: [], forbidden: [] };

/** Throws when a command could put another repository in the place of this one. */
export function findGitPlaces(root: string): GitPlaces {
  const path = join(root, GIT);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return NOTHING;
  if (found.isSymbolicLink()) throw unprotected(`"${path}" is a link`);
  const place = lookAt(path, "read-only");
  if (place === undefined) return NOTHING;
  return place.isFolder ? repositoryPlaces(path, root) : linkedPlaces(place, root);
}

function repositoryPlaces(git: string, root: string): GitPlaces {
  const elsewhere = join(git, ELSEWHERE);
  if (lstatSync(elsewhere, { throwIfNoEntry: false }) !== undefined) {
    throw unprotected(`"${elsewhere}" leads git to settings elsewhere and must be removed`);
  }
  if (lookAt(join(git, "config"), "read-only") !== undefined) makeHooks(git);
  const all = [...SETTINGS, ...FURTHER_REPOSITORIES].map((name) => join(git, name));
  if (!canHoldAll(git, all)) return closedPlaces(git, { root, names: all });
  const inside = all.flatMap((path) => lookAt(path, "read-only") ?? []);
  const ownSettings = join(git, OWN_SETTINGS);
  const isHeld = inside.some(({ path }) => path === ownSettings);
  return {
    places: inside.flatMap((place) => withFolders(place, root)),
    forbidden: isHeld ? [elsewhere] : [elsewhere, ownSettings],
  };
}

/** What git makes itself, unless it was told not to; without it a command could. */
function makeHooks(git: string): void {
  const hooks = join(git, "hooks");
  if (lstatSync(hooks, { throwIfNoEntry: false }) !== undefined) return;
  const { uid, gid } = lstatSync(git);
  mkdirSync(hooks);
  if (process.getuid?.() === 0) chownSync(hooks, uid, gid);
}

/** A link cannot be held, and what must be there cannot when it is missing. */
function canHoldAll(git: string, paths: readonly string[]): boolean {
  const isLink = (path: string) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const [config = "", hooks = ""] = paths;
  return (
    ![...paths, join(git, "info")].some(isLink) &&
    lookAt(config, "read-only")?.isFolder === false &&
    lookAt(hooks, "read-only")?.isFolder === true
  );
}

/** Nothing of it can be changed, nor what its links lead to in the workspace. */
function closedPlaces(
  git: string,
  { root, names }: { readonly root: string; readonly names: readonly string[] },
): GitPlaces {
  const targets = names.flatMap((path) => realPath(path) ?? []);
  const paths = [git, ...targets.filter((path) => path !== root && isInside(path, root))];
  const places = paths.flatMap((path) => lookAt(path, "read-only") ?? []);
  return { places: places.flatMap((place) => withFolders(place, root)), forbidden: [] };
}

/** A file in the place of the folder names another one, of which only what is inside is seen. */
function linkedPlaces(file: Place, root: string): GitPlaces {
  const [, named] = /^gitdir: (.+?)\n*$/s.exec(readStart(file.path)) ?? [];
  const git = named === undefined ? undefined : realPath(resolve(root, named));
  if (git === undefined || git === root || !isInside(git, root)) {
    return { places: [file], forbidden: [] };
  }
  const common = lookAt(join(git, ELSEWHERE), "read-only");
  if (common === undefined) {
    const { places, forbidden } = repositoryPlaces(git, root);
    return { places: [file, ...places], forbidden };
  }
  const shared = resolve(git, readStart(common.path).trim());
  const closed = closedPlaces(git, { root, names: [shared] });
  return { ...closed, places: [file, ...closed.places] };
}

function readStart(path: string): string {
  return readFileSync(path, "utf8").slice(0, MAX_LINK_FILE_CHARS);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
