// What replacing a content changes, by lines.

import { isUtf8 } from "node:buffer";
import { diffLines, type LineDiff } from "../../lib/line-diff.js";

/** Larger contents are not compared. */
export const MAX_DIFF_BYTES = 256 * 1024;

export interface ChangeDescription {
  readonly firstChangedLine?: number;
  /** Hunks of a unified diff. */
  readonly diff?: string;
  /** Why there is no diff. */
  readonly diffOmitted?: NonNullable<LineDiff["omitted"]> | "not_text" | "not_read";
}

/** What was there, or why it was not read. */
export type ContentBefore = Buffer | "too_long" | "not_read";

export function describeChange(before: ContentBefore, after: Buffer): ChangeDescription {
  if (typeof before === "string") return { diffOmitted: before };
  if (before.length > MAX_DIFF_BYTES || after.length > MAX_DIFF_BYTES) {
    return { diffOmitted: "too_long" };
  }
  if (!isUtf8(before) || before.includes(0)) return { diffOmitted: "not_text" };
  const { text, omitted, firstChangedLine } = diffLines(before.toString(), after.toString());
  return {
    ...(firstChangedLine === undefined ? {} : { firstChangedLine }),
    ...(text === undefined ? {} : { diff: text }),
    ...(omitted === undefined ? {} : { diffOmitted: omitted }),
  };
}
