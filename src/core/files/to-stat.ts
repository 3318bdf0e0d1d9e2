// What the `stat` of a bridge gave: a bridge of the caller's may not know that nothing is `null`.

import { toPrintable } from "../../lib/printable.js";
import { ToolError } from "../errors.js";
import type { FsStat } from "../ports/fs-bridge.js";

/** `path` is for the message. Throws a ToolError for what is neither `null` nor an object. */
export function toStat(given: FsStat | null | undefined, path: string): FsStat | null {
  if (typeof given === "object") return given;
  throw new ToolError(
    "failed",
    `The stat of the bridge must give null where nothing is; for "${toPrintable(path)}" it gave ${typeof given}.`,
    { reason: "bridge_invalid" },
  );
}
