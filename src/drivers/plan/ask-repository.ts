// What git itself says about the repository of a folder: where it lies, and which settings are made
// for it by files that a call could have written.

import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import type { RepositoryFacts } from "../../core/command/index.js";
import { isInside } from "../../lib/is-inside.js";
import { borrowsObjects } from "./borrowed-objects.js";
import type { ProgramPlace } from "./find-program.js";
import { findRealPath } from "./real-path.js";
import { findStrayLinks } from "./stray-links.js";
import { findStrayPath } from "./stray-paths.js";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
/** Of all names of the index: a million of usual length. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** The repository is looked for by the rules by which the command itself will look for it. */
const RULES = ["-c", "safe.bareRepository=explicit"];
const PLACES = [
  "--path-format=absolute",
  "--show-toplevel",
  "--absolute-git-dir",
  "--git-common-dir",
];
/** All names of the index, told from the top folder. A monitor of files would be a program. */
const NAMES = ["-c", "core.fsmonitor=false", "ls-files", "-z", "--full-name", ":/"];
/** Whoever set it, a file of the repository says where it is used. Only one is known to be harmless. */
const FOREIGN_FILTER = /^filter\.(?!lfs\.)/;

const run = promisify(execFile);

/** Undefined where there is none that git opens. */
export async function askRepository(
  git: string,
  place: ProgramPlace,
): Promise<RepositoryFacts | undefined> {
  const { cwd, searchPath, signal } = place;
  const options = {
    cwd,
    signal,
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
    env: { PATH: searchPath.join(":"), LC_ALL: "C", HOME: process.env.HOME ?? "/nonexistent" },
  };
  try {
    const [places, settings, names] = await Promise.all([
      run(git, [...RULES, "rev-parse", ...PLACES], options),
      run(git, [...RULES, "config", "--list", "--show-origin", "--name-only", "-z"], options),
      run(git, [...RULES, ...NAMES], { ...options, maxBuffer: MAX_INDEX_BYTES }),
    ]);
    const keys = listKeys(settings.stdout.split("\0"), place);
    const tracked = names.stdout.split("\0").slice(0, -1);
    return toFacts(places.stdout.split("\n"), { keys, tracked, root: place.root });
  } catch (error) {
    if (signal.aborted) throw error;
    // Not a repository, or one that git refuses to open: nothing is known about it.
    return undefined;
  }
}

interface Found extends Pick<RepositoryFacts, "keys">, Pick<ProgramPlace, "root"> {
  readonly tracked: readonly string[];
}

function toFacts(
  places: readonly string[],
  { keys, tracked, root }: Found,
): RepositoryFacts | undefined {
  const [workTree, gitFolder, common, ...rest] = places;
  // A line more than the end of the text: one of the paths has a line break in it.
  if (!workTree || !gitFolder || !common || rest.length !== 1) return undefined;
  const shared = realpathSync.native(common);
  if (!isInside(realpathSync.native(gitFolder), shared)) return undefined;
  // What lies outside of the root is refused for that.
  const realTree = realpathSync.native(workTree);
  const strayLinks =
    isInside(shared, root) && isInside(realTree, root)
      ? (findStrayLinks(shared, root) ?? findStrayPath(tracked, { workTree: realTree, root }))
      : undefined;
  return {
    workTree: realTree,
    gitFolder: shared,
    keys,
    ...(borrowsObjects(shared) ? { borrowsObjects: true } : {}),
    ...(strayLinks === undefined ? {} : { strayLinks }),
  };
}

/** From pairs of where a key is set and its name. */
function listKeys(words: readonly string[], place: ProgramPlace): readonly string[] {
  const keys = new Set<string>();
  for (let index = 0; index + 1 < words.length; index += 2) {
    const key = (words[index + 1] ?? "").toLowerCase();
    const isNear = isOfWorkspace(words[index] ?? "", place);
    if (isNear || FOREIGN_FILTER.test(key)) keys.add(key);
  }
  return [...keys].sort();
}

/** A home folder inside of the root has settings that a call can write, too. */
function isOfWorkspace(origin: string, { root }: ProgramPlace): boolean {
  if (origin === "command line:") return false;
  const path = origin.startsWith("file:") ? origin.slice("file:".length) : "";
  // Those of the repository itself are told from its top folder.
  if (!isAbsolute(path)) return true;
  const real = findRealPath(path, "/");
  return real === undefined || isInside(real, root) || isInside(path, root);
}
