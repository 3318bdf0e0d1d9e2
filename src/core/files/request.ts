// What a bridge is called with and what it gives back, checked once: bridges are called from plain JavaScript too.

import { toPrintable } from "../../lib/printable.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import { ToolError, ToolInputError } from "../errors.js";
import type { FsStat } from "../ports/fs-bridge.js";
import { pathHasNul, pathInvalid } from "./errors.js";

const MAX_LIST_LIMIT = 1_000_000;

export function assertRequest(request: unknown): asserts request is object {
  if (typeof request === "object" && request !== null) return;
  throw new ToolInputError("A bridge is called with one object that has filePath.", {
    reason: "path_invalid",
  });
}

export function assertData(data: unknown): asserts data is string | Uint8Array {
  if (typeof data === "string" || isBytes(data)) return;
  throw new ToolInputError("writeFile takes data that is text or a Buffer.", {
    reason: "data_invalid",
  });
}

export function assertListLimit(limit: unknown): asserts limit is number {
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 0) {
    if (limit <= MAX_LIST_LIMIT) return;
  }
  throw new ToolInputError(
    `list takes a limit that is a whole number from 0 to ${MAX_LIST_LIMIT}.`,
    { reason: "limit_invalid" },
  );
}

export function toBytes(given: unknown, path: string): Buffer {
  if (Buffer.isBuffer(given)) return given;
  if (typeof given === "string") return Buffer.from(given);
  if (isBytes(given)) return Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const what = given === null ? "null" : typeof given;
  throw new ToolError(
    "failed",
    `The readFile of the bridge must give a Buffer; for "${toPrintable(path)}" it gave ${what}.`,
    { reason: "bridge_invalid" },
  );
}

function isBytes(given: unknown): given is Uint8Array {
  return (
    ArrayBuffer.isView(given) && Object.prototype.toString.call(given) === "[object Uint8Array]"
  );
}

export function toStat(given: FsStat | null | undefined, path: string): FsStat | null {
  if (typeof given === "object") return given;
  throw new ToolError(
    "failed",
    `The stat of the bridge must give null where nothing is; for "${toPrintable(path)}" it gave ${typeof given}.`,
    { reason: "bridge_invalid" },
  );
}

const MAX_PATH_BYTES = 4096;
const URL_FORM = /^[a-z][a-z0-9+.-]+:\/\//i;
const HOME_FORM = /^~(?:$|[\w.-]*[\\/])/;

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
