// A row of `explain` before anybody has asked for it: looking for the way back tries whole
// configurations, so only who explains pays for it.

import type { ExplainRow } from "../../core/index.js";

export interface DraftRow extends Omit<ExplainRow, "restore"> {
  readonly findRestore?: () => ExplainRow["restore"];
}

/** Plain data, the patch too. */
export function finishRow({ findRestore, ...row }: DraftRow): ExplainRow {
  const restore = findRestore?.();
  return Object.freeze(restore === undefined ? row : { ...row, restore });
}
