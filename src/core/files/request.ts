// What a bridge is called with, judged before anything is done: bridges are called from plain
// JavaScript too.

import { toPrintable } from "../../lib/printable.js";
import { ToolError, ToolInputError } from "../errors.js";

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

/** `path` is for the message. Throws a ToolError for what is neither bytes nor text. */
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
