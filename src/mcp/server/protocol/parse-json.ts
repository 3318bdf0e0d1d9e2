// Text from a client as a JSON value. How deep it is nested is counted before it is parsed: a parser
// takes a second for a million levels.

import { isUtf8 } from "node:buffer";
import { isDeeperThan } from "../../../lib/encoding/json-depth.js";
import { RPC_CODES, RpcError } from "./json-rpc.js";

/** Bytes of one message; a file that is written in one call must fit. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 256;

/** Throws an RpcError. */
export function parseJson(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) {
    throw new RpcError(
      RPC_CODES.invalidRequest,
      `The message is nested deeper than ${MAX_DEPTH} levels.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : "";
    throw new RpcError(RPC_CODES.parse, `The message is not JSON: ${why}`);
  }
}

/** undefined when it is not UTF-8: a file would be written with other letters than were meant. */
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
