// The text of a path: what is refused before anything is opened, and where the rest is below a
// folder. Links are not looked at here; where they lead, the kernel says (pin.ts).

import { resolve, sep } from "node:path";
import {
  assertFolderText,
  assertPathText,
  outsideRoot,
  pathInvalid,
} from "../../core/files/index.js";
import type { FsPath } from "../../core/index.js";

const FOLDER_FORM = /(?:^|[\\/])\.{0,2}$/;
/** On Windows: other streams of a file, and endings that the system drops. */
const WINDOWS_ALIAS_FORM = /:|[. ](?:[\\/]|$)/;

export interface PathStart {
  readonly base: string;
  readonly spelled?: string | undefined;
}

export interface PathRequest extends FsPath, PathStart {
  readonly roots: readonly string[];
}

export interface ContainedPath {
  readonly relative: string;
  /** The text ends like a folder's: `a/`, `a/.`. */
  readonly namesFolder: boolean;
}

/** Throws a ToolError when the text is not a path, or is outside of every spelling of the root. */
export function parseContainedPath(request: PathRequest): ContainedPath {
  const { filePath, cwd, roots } = request;
  assertPathText(filePath);
  if (cwd !== undefined) assertFolderText(cwd);
  const absolute = resolve(startOf(cwd, request), filePath);
  for (const root of roots) {
    const relative = relativeInside(root, absolute);
    if (relative === undefined) continue;
    if (sep === "\\" && WINDOWS_ALIAS_FORM.test(relative)) {
      throw pathInvalid(filePath, "Windows would read it as another name");
    }
    return { relative, namesFolder: hasFolderForm(filePath) };
  }
  throw outsideRoot(filePath);
}

/** A relative `cwd` starts at the root, unless it is the root as the caller wrote it. */
export function startOf(cwd: string | undefined, { base, spelled }: PathStart): string {
  if (cwd === undefined || cwd === spelled || isNameOf(base, cwd)) return base;
  return resolve(base, cwd);
}

function isNameOf(base: string, cwd: string): boolean {
  try {
    return resolve(cwd) === base;
  } catch {
    return false;
  }
}

export function relativeInside(root: string, absolute: string): string | undefined {
  if (absolute === root) return "";
  const prefix = root.endsWith(sep) ? root : `${root}${sep}`;
  if (!absolute.startsWith(prefix)) return undefined;
  return absolute.slice(prefix.length).replaceAll(sep, "/");
}

function hasFolderForm(path: string): boolean {
  const text = sep === "\\" ? path : path.replaceAll("\\", "_");
  return FOLDER_FORM.test(text);
}
