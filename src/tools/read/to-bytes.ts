// What the `readFile` of a bridge gave, as bytes: a bridge of the caller's may not know Buffers.

import { types } from "node:util";
import { ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

/** `path` is for the message. Throws a ToolError for what is neither bytes nor text. */
export function toBytes(given: unknown, path: string): Buffer {
  if (Buffer.isBuffer(given)) return given;
  if (typeof given === "string") return Buffer.from(given);
  if (types.isUint8Array(given)) {
    return Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  }
  const what = given === null ? "null" : typeof given;
  throw new ToolError(
    "failed",
    `The readFile of the bridge must give a Buffer; for "${toPrintable(path)}" it gave ${what}.`,
    { reason: "bridge_invalid" },
  );
}
