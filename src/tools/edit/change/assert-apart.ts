// No two changes may touch the same bytes: which of them should win, nobody said.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Match } from "../search/find-matches.js";
import type { Source } from "../search/source.js";

/** `matches` are in order. */
export function assertApart(
  matches: readonly Match[],
  { source, path }: { source: Source; path: string },
): void {
  for (const [index, later] of matches.entries()) {
    const earlier = matches[index - 1];
    if (!earlier || earlier.end <= later.start) continue;
    const line = source.lineAt(later.start);
    throw new ToolInputError(
      `${earlier.change.prefix}oldText and ${later.change.prefix}oldText overlap at line ${line} of "${toPrintable(path)}"; join them into one edit.${later.change.ending}`,
      { reason: "edits_overlap", details: { line } },
    );
  }
}
