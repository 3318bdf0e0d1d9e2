// The changes of a patch as one unified diff, for programs. Bounded; what is left out is said.

import { diffLines } from "../../../lib/line-diff.js";
import { toPrintable } from "../../../lib/printable.js";
import { MAX_DIFF_CHARS } from "../limits.js";
import type { Changes, Removal, Write } from "../plan/changes.js";
import { type BodyDiff, leftOut } from "../plan/diff-rewrites.js";
import { decodeText } from "../text/source-text.js";

const NOWHERE = "/dev/null";

export interface PatchDiff {
  readonly text: string;
  /** By path, for files of which lines were compared. */
  readonly firstChangedLines: ReadonlyMap<string, number>;
}

export function diffChanges({ writes, removals }: Changes): PatchDiff {
  const firstChangedLines = new Map<string, number>();
  const texts: string[] = [];
  let left = MAX_DIFF_CHARS;
  const total = writes.length + removals.length;
  for (const [index, change] of [...writes, ...removals].entries()) {
    if (left <= 0) {
      texts.push(`\\ ${total - index} more files\n`);
      break;
    }
    const { text, firstChangedLine } = diffChange(change, left);
    if (firstChangedLine !== undefined) firstChangedLines.set(change.path, firstChangedLine);
    const shown = `${nameChange(change)}${text}`;
    texts.push(shown);
    left -= shown.length;
  }
  return { text: texts.join(""), firstChangedLines };
}

function diffChange(change: Write | Removal, maxChars: number): BodyDiff {
  if (!("after" in change)) return diffBytes({ old: change.before, fresh: undefined, maxChars });
  const { diff, from, before, after } = change;
  if (diff && diff.text.length <= maxChars) return diff;
  return diffBytes({ old: from?.bytes ?? before, fresh: after, maxChars });
}

function diffBytes(of: {
  old: Buffer | undefined;
  fresh: Buffer | undefined;
  maxChars: number;
}): BodyDiff {
  const old = of.old ? decodeText(of.old)?.text : "";
  const fresh = of.fresh ? decodeText(of.fresh)?.text : "";
  if (old === undefined || fresh === undefined) {
    return { text: "\\ binary\n", firstChangedLine: undefined };
  }
  const { text, omitted, firstChangedLine } = diffLines(old, fresh, { maxChars: of.maxChars });
  return { text: text ?? leftOut(omitted), firstChangedLine };
}

function nameChange(change: Write | Removal): string {
  const after = "after" in change ? change : undefined;
  const old = after?.from?.path ?? (change.before && change.path);
  return `--- ${nameSide("a", old)}\n+++ ${nameSide("b", after?.path)}\n`;
}

function nameSide(side: string, path: string | undefined): string {
  return path === undefined ? NOWHERE : `${side}/${toPrintable(path)}`;
}
