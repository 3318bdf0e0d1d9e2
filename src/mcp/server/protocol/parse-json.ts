// Text from a client as a JSON value. How deep it is nested is counted before it is parsed: a parser
// takes a second for a million levels.

import { isUtf8 } from "node:buffer";
import { RPC_CODES, RpcError } from "./json-rpc.js";

/** Bytes of one message; a file that is written in one call must fit. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Throws an RpcError. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new RpcError(
      RPC_CODES.invalidRequest,
      `The message is nested deeper than ${MAX_DEPTH} levels.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : "";
    throw new RpcError(RPC_CODES.parse, `The message is no JSON: ${why}`);
  }
}

/** undefined when it is no UTF-8: a file would be written with other letters than were meant. */
export function decodeText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

export function noText(): RpcError {
  return new RpcError(RPC_CODES.parse, "The message is not UTF-8 text.");
}

export function tooLarge(): RpcError {
  return new RpcError(
    RPC_CODES.invalidRequest,
    `The message is larger than ${MAX_MESSAGE_BYTES} bytes.`,
  );
}

function isTooDeep(text: string): boolean {
  // Each level needs a character.
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isInText) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) {
      isInText = true;
    } else if (OPENING.has(code)) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(code)) {
      depth--;
    }
  }
  return false;
}
