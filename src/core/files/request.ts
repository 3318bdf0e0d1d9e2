// What a bridge is called with, judged before anything is done: bridges are called from plain
// JavaScript too.

import { ToolInputError } from "../errors.js";
import { isBytes } from "./to-bytes.js";

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
