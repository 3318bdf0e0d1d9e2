// Places of a workspace that run programs later or decide what may run: a command in the sandbox
// reads them and cannot change them, nor move their folder away and put another in its place.

import { lstatSync } from "node:fs";
import { join } from "node:path";

const READ_ONLY_NAMES = [".clawtools", "clawtools.json", "exec-approvals.json"];
const GIT_FOLDER = ".git";
const GIT_READ_ONLY_NAMES = ["config", "config.worktree", "hooks", "info/attributes"];

export interface ProtectedPlaces {
  /** bwrap's arguments for those that exist. */
  readonly args: readonly string[];
  /** Why what is mounted there is not what was meant, in the namespace of this process. */
  findFault(pid: number): string | undefined;
}

interface Place {
  readonly path: string;
  readonly option: "--bind" | "--ro-bind";
  readonly device: number;
  readonly inode: number;
  /** File or folder: a number may be given again, to a link too. */
  readonly isFolder: boolean;
}

/**
 * A link is left alone: what it leads to is not in the workspace, and must not come into the sandbox
 * by its name. Between the look and the mount another command may have put a link there, so the
 * mounts are looked at again from outside before anything runs.
 */
export function findProtectedPlaces(root: string): ProtectedPlaces {
  const git = join(root, GIT_FOLDER);
  // As a mount of its own the folder cannot be renamed, so what is bound in it stays in place.
  const folder = lookAt(git, "--bind").filter(({ isFolder }) => isFolder);
  const inGit = folder.length === 0 ? [] : GIT_READ_ONLY_NAMES.map((name) => join(git, name));
  const own = READ_ONLY_NAMES.map((name) => join(root, name));
  const places = [...folder, ...[...inGit, ...own].flatMap((path) => lookAt(path, "--ro-bind"))];
  return {
    args: places.flatMap(({ option, path }) => [option, path, path]),
    findFault: (pid) => places.flatMap((place) => faultOf(place, pid) ?? [])[0],
  };
}

function lookAt(path: string, option: Place["option"]): Place[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !(found.isDirectory() || found.isFile())) return [];
  return [{ path, option, device: found.dev, inode: found.ino, isFolder: found.isDirectory() }];
}

function faultOf(place: Place, pid: number): string | undefined {
  const { path, device, inode } = place;
  const mounted = lstatSync(`/proc/${pid}/root${path}`, { throwIfNoEntry: false });
  const isSame = mounted?.dev === device && mounted.ino === inode;
  if (isSame && (place.isFolder ? mounted.isDirectory() : mounted.isFile())) return undefined;
  return `"${path}" was changed while the sandbox was made; try again`;
}
