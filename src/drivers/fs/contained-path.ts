// The text of a path: what is refused before anything is opened, and where the rest lies below a
// folder. Links are not looked at here; where they lead, the kernel says (pin.ts).

import { resolve, sep } from "node:path";
import { type FsPath, ToolInputError } from "../../core/index.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import { outsideRoot, pathInvalid } from "./errors.js";

const MAX_PATH_BYTES = 4096;
const URL_FORM = /^[a-z][a-z0-9+.-]+:\/\//i;
/** `~`, `~/x`, `~name/x`; a file called `~x` is none of these. */
const HOME_FORM = /^~(?:$|[\w.-]*[\\/])/;
const FOLDER_FORM = /(?:^|[\\/])\.{0,2}$/;
/** On Windows: other streams of a file, and endings that the system drops. */
const WINDOWS_ALIAS_FORM = /:|[. ](?:[\\/]|$)/;

export interface PathRequest extends FsPath {
  /** The folder relative paths start from when there is no `cwd`; absolute. */
  readonly base: string;
  /** Spellings of the containing folder; all absolute. */
  readonly roots: readonly string[];
}

export interface ContainedPath {
  /** Below the containing folder, without `..`; "" is the folder itself. */
  readonly relative: string;
  /** The text ends like a folder's: `a/`, `a/.`. */
  readonly namesFolder: boolean;
}

/** Throws a ToolError when the text is no path, or lies outside of every spelling of the root. */
export function parseContainedPath(request: PathRequest): ContainedPath {
  const { filePath, cwd, base, roots } = request;
  assertPathText(filePath);
  if (cwd !== undefined) assertText(cwd);
  const absolute = resolve(cwd ?? base, filePath);
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

/** The way from `root` down to `absolute`, with "/"; undefined when it is not below. */
export function relativeInside(root: string, absolute: string): string | undefined {
  if (absolute === root) return "";
  const prefix = root.endsWith(sep) ? root : `${root}${sep}`;
  if (!absolute.startsWith(prefix)) return undefined;
  return absolute.slice(prefix.length).replaceAll(sep, "/");
}

/** What no path may be, neither the given one nor the folder it starts from. */
function assertText(path: unknown): asserts path is string {
  if (typeof path !== "string") throw pathInvalid(typeof path, "it is not text");
  if (path.includes("\0")) throw pathHasNul();
  // The system would be given U+FFFD, which is another name.
  if (hasLoneSurrogate(path)) throw pathInvalid(path, "it holds half of a surrogate pair");
}

function assertPathText(path: unknown): asserts path is string {
  assertText(path);
  if (path.trim() === "") throw pathInvalid(path, "it is blank");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw pathInvalid(path, `it is longer than ${MAX_PATH_BYTES} bytes`);
  }
  if (URL_FORM.test(path)) throw pathInvalid(path, "it is a URL; give a plain path");
  if (HOME_FORM.test(path)) {
    throw pathInvalid(path, "~ is not expanded; give a plain path, or ./~ for a name that has it");
  }
}

function hasFolderForm(path: string): boolean {
  const text = sep === "\\" ? path : path.replaceAll("\\", "_");
  return FOLDER_FORM.test(text);
}

function pathHasNul(): ToolInputError {
  return new ToolInputError("A path cannot hold a NUL character; remove it.", {
    reason: "path_has_nul",
  });
}
