// What the `readFile` of a bridge gave, as bytes: a bridge of the caller's may not know Buffers.

import { toPrintable } from "../../lib/printable.js";
import { ToolError } from "../errors.js";

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

/** Also those of another realm, of which `instanceof` says no. */
export function isBytes(given: unknown): given is Uint8Array {
  return (
    ArrayBuffer.isView(given) && Object.prototype.toString.call(given) === "[object Uint8Array]"
  );
}
