// Paths as text, by the rules of POSIX and without looking at a file: what is not a path at all, and
// what a path comes to when its dots are taken out.

import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import { pathHasNul, pathInvalid } from "./errors.js";

const MAX_PATH_BYTES = 4096;
const URL_FORM = /^[a-z][a-z0-9+.-]+:\/\//i;
const HOME_FORM = /^~(?:$|[\w.-]*[\\/])/;

/** Throws a ToolError for what no bridge takes as the path of a file or folder. */
export function assertPathText(path: unknown): asserts path is string {
  assertFolderText(path);
  if (path.trim() === "") throw pathInvalid(path, "it is blank");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw pathInvalid(path, `it is longer than ${MAX_PATH_BYTES} bytes`);
  }
  if (URL_FORM.test(path)) throw pathInvalid(path, "it is a URL; give a plain path");
  if (HOME_FORM.test(path)) {
    throw pathInvalid(path, "~ is not expanded; give a plain path, or ./~ for a name that has it");
  }
}

/** Throws for what cannot even be the folder that a path starts from. */
export function assertFolderText(path: unknown): asserts path is string {
  if (typeof path !== "string") throw pathInvalid(typeof path, "it is not text");
  if (path.includes("\0")) throw pathHasNul();
  // The system would be given U+FFFD, which is another name.
  if (hasLoneSurrogate(path)) throw pathInvalid(path, "it holds half of a surrogate pair");
  assertWholeName(path, path);
}

/** Node puts U+FFFD for bytes of a name that are not UTF-8, so such a name may mean another file. */
export function assertWholeName(name: string, path: string): void {
  if (!name.includes("\uFFFD")) return;
  throw pathInvalid(path, "it has a name that is not UTF-8 text; rename that file or folder first");
}

export function toPlainPath(path: string, cwd = ""): string {
  const isAbsolute = path.startsWith("/");
  const whole = isAbsolute || cwd === "" ? path : `${cwd}/${path}`;
  const names: string[] = [];
  for (const name of whole.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === ".." && names.length > 0 && names.at(-1) !== "..") names.pop();
    else if (name !== ".." || !whole.startsWith("/")) names.push(name);
  }
  return `${whole.startsWith("/") ? "/" : ""}${names.join("/")}`;
}
