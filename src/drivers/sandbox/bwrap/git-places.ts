// The files of a repository by which git runs programs; sandboxed commands cannot change them.
import {
  closeSync,
  constants,
  type Dir,
  type Dirent,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { errnoOf, isMissing } from "../../../lib/errno.js";
import { isInside } from "../../../lib/paths.js";
import { walkPath, wholeRealPath } from "../../../lib/system/real-path.js";
import {
  lookAt,
  type PinnedFolder,
  type Place,
  pinFolder,
  unprotected,
  withFolders,
} from "./place.js";

const HOOKS = "hooks";
const OPEN_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** File times have steps. */
const CLOCK_STEP_MS = 100;
const GIT = ".git";
const OWN_SETTINGS = "config.worktree";
/** The first two are in every repository. */
const SETTINGS = ["config", HOOKS, OWN_SETTINGS, "info/attributes"];
/** Submodules and linked work trees have settings of their own. */
const FURTHER_REPOSITORIES = ["modules", "worktrees"];
/** Redirects git to settings elsewhere. */
const ELSEWHERE = "commondir";
const MAX_LINK_FILE_BYTES = 4_096;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Names in a folder that a program outside would read. */
export interface ForbiddenNames {
  readonly folder: Place;
  readonly reader: string;
  /** Only a command makes these: moved as soon as they are seen. */
  readonly atOnce: readonly string[];
  /** The user may make these too: moved when the command has ended. `a/b` is `b` in folder `a`. */
  readonly atEnd: readonly string[];
}

interface GitPlaces {
  readonly places: readonly Place[];
  /** Missing names that only git may create. */
  readonly forbidden: ForbiddenNames | undefined;
  readonly warnings: readonly string[];
}

const NOTHING: GitPlaces = { places: [], forbidden: undefined, warnings: [] };

/** Throws when a command could replace the repository. */
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
  const folder = lookAt(git, "held");
  if (folder?.isFolder !== true) throw unprotected(`"${git}" is not a folder`);
  const all = [...SETTINGS, ...FURTHER_REPOSITORIES].map((name) => join(git, name));
  const [config = "", hooks = ""] = all;
  const hasHooks = lstatSync(hooks, { throwIfNoEntry: false }) !== undefined;
  if (!hasHooks && lookAt(config, "read-only") !== undefined) makeHooks(folder);
  if (!canHoldAll(git, all)) return closedPlaces(git, { root, names: all, hooks });
  const inside = all.flatMap((path) => lookAt(path, "read-only") ?? []);
  const isHeld = inside.some(({ path }) => path === join(git, OWN_SETTINGS));
  const linked = findHookPlaces(hooks, root);
  return {
    // The folder first: mounts are compared with it, and the forbidden names are in it.
    places: [folder, ...inside.flatMap((place) => withFolders(place, root)), ...linked.places],
    forbidden: { folder, reader: "git", atOnce: [ELSEWHERE], atEnd: isHeld ? [] : [OWN_SETTINGS] },
    warnings: [...inside.flatMap(({ path }) => hardLinkWarnings(path)), ...linked.warnings],
  };
}

/** Links and missing files cannot be held in place. */
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

interface ClosedRequest {
  readonly root: string;
  readonly names: readonly string[];
  readonly hooks: string;
}

/** Makes everything read-only, including link targets in the workspace. */
function closedPlaces(git: string, { root, names, hooks }: ClosedRequest): GitPlaces {
  const targets = names.flatMap((path) => realPath(path) ?? []);
  const paths = [git, ...targets.filter((path) => path !== root && isInside(path, root))];
  const places = paths.flatMap((path) => lookAt(path, "read-only") ?? []);
  const linked = closedHooks(hooks, root);
  return {
    places: [...places.flatMap((place) => withFolders(place, root)), ...linked.places],
    forbidden: undefined,
    warnings: linked.warnings,
  };
}

function closedHooks(hooks: string, root: string): HookPlaces {
  const real = realPath(hooks);
  return real === undefined ? NO_HOOKS : findHookPlaces(real, root);
}

/** A `.git` file names another folder; only a folder inside the root matters. */
function linkedPlaces(file: Place, root: string): GitPlaces {
  const [, named] = /^gitdir: (.+?)\n*$/s.exec(readStart(file)) ?? [];
  if (named?.includes("\uFFFD")) throw unprotected(`"${file.path}" names a path that is not UTF-8`);
  const git = named === undefined ? undefined : realPath(resolve(root, named));
  if (git === undefined || git === root || !isInside(git, root)) {
    return { ...NOTHING, places: [file] };
  }
  const common = lookAt(join(git, ELSEWHERE), "read-only");
  if (common === undefined) {
    const found = repositoryPlaces(git, root);
    return { ...found, places: [file, ...found.places] };
  }
  const shared = resolve(git, readStart(common).trim());
  const closed = closedPlaces(git, { root, names: [shared], hooks: join(shared, HOOKS) });
  return { ...closed, places: [file, ...closed.places] };
}

/** Checks that it is still the same file. */
function readStart({ path, device, inode }: Place): string {
  const descriptor = openSync(path, READ_FLAGS);
  try {
    const { dev, ino } = fstatSync(descriptor);
    if (dev !== device || ino !== inode) throw unprotected(`"${path}" was changed`);
    const bytes = Buffer.alloc(MAX_LINK_FILE_BYTES);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

function realPath(path: string): string | undefined {
  try {
    return wholeRealPath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Best effort. */
function makeHooks(git: Place): void {
  let pinned: PinnedFolder | undefined;
  try {
    pinned = pinFolder(git);
    if (pinned === undefined) return;
    const sinceMs = Date.now() - CLOCK_STEP_MS;
    mkdirSync(`${pinned.door}/${HOOKS}`);
    if (process.getuid?.() === 0 && pinned.userId !== 0) giveAway(pinned, sinceMs);
  } catch (error) {
    // A repository without hooks becomes read-only.
    if (errnoOf(error) === "") throw error;
  } finally {
    pinned?.close();
  }
}

/** Only the folder just made; a command may have replaced it. */
function giveAway({ door, userId, groupId }: PinnedFolder, sinceMs: number): void {
  const descriptor = openSync(`${door}/${HOOKS}`, OPEN_FLAGS);
  try {
    const { uid, birthtimeMs } = fstatSync(descriptor);
    const isEmpty = readdirSync(`/proc/self/fd/${descriptor}`).length === 0;
    if (uid === 0 && birthtimeMs >= sinceMs && isEmpty) fchownSync(descriptor, userId, groupId);
  } finally {
    closeSync(descriptor);
  }
}

const MAX_HOOKS = 100;
const MAX_ENTRIES = 1_000;
const SAMPLE_ENDING = ".sample";

interface HookPlaces {
  readonly places: readonly Place[];
  readonly warnings: readonly string[];
}

const NO_HOOKS: HookPlaces = { places: [], warnings: [] };

/** `hooks` has no links in its path. */
function findHookPlaces(hooks: string, root: string): HookPlaces {
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

/** Paths outside the root are out of reach for commands, so they may be unreadable. */
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

/** The other name of a hard link cannot be found. */
function hardLinkWarnings(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.nlink < 2) return [];
  return [
    `"${path}" is a hard link; where its other name is in the workspace, a command in the sandbox can change it.`,
  ];
}

function toLoose(path: string, loose: string): string {
  return `The hook "${path}" leads to "${loose}", which a command in the sandbox can replace; keep a file there instead.`;
}
