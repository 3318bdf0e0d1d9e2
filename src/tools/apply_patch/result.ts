// What a patch answers when it was applied: which files changed, and what to look at.

import { toPlainPath } from "../../core/files/index.js";
import { textResult } from "../../core/index.js";
import { diffLines } from "../../lib/diff/line-diff.js";
import type { SpliceDiff } from "../../lib/diff/text-splices.js";
import { joinWithin } from "../../lib/join-within.js";
import { toPrintable } from "../../lib/printable.js";
import type { LooseHunk, Outcome } from "./compute.js";
import { MAX_DIFF_CHARS } from "./limits.js";
import { decodeText } from "./source-text.js";
import type { OldFile, Write } from "./working-files.js";

const MAX_LIST_CHARS = 20_000;
const MAX_SHOWN_LOOSE = 20;

export interface ResultFile {
  readonly path: string;
  readonly action: "added" | "modified" | "deleted";
  readonly from?: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly firstChangedLine?: number;
}

export function showResult({ changes, ...outcome }: Outcome, root: string) {
  const { writes, removals } = changes;
  const name = createNaming(root);
  const diffs = diffAll([...writes, ...removals.map((file) => ({ file }))]);
  const files = [
    ...writes.map(({ file, now, from }, index): ResultFile => {
      const firstChangedLine = diffs.firstChangedLines[index];
      return {
        path: name(file.path),
        action: now.isAdded ? "added" : "modified",
        ...(from && { from: name(from.path) }),
        created: file.before === undefined,
        bytes: now.bytes.length,
        ...(firstChangedLine !== undefined && { firstChangedLine }),
      };
    }),
    ...removals.map(
      ({ path }): ResultFile => ({ path: name(path), action: "deleted", created: false, bytes: 0 }),
    ),
  ];
  const pick = (action: ResultFile["action"]) =>
    files.filter((file) => file.action === action).map(({ path }) => path);
  const summary = {
    added: pick("added"),
    modified: pick("modified"),
    deleted: pick("deleted"),
  };
  const unchanged = changes.unchanged.map(({ path }) => name(path));
  const looseHunks = outcome.looseHunks.map((loose) => ({ ...loose, path: name(loose.path) }));
  const firstChangedLine = files.find((file) => file.firstChangedLine)?.firstChangedLine;
  return textResult(toText({ summary, unchanged, looseHunks }), {
    changed: files.length > 0,
    summary,
    files,
    unchanged,
    looseHunks,
    diff: diffs.text,
    ...(firstChangedLine !== undefined && { firstChangedLine }),
  });
}

function createNaming(root: string): (path: string) => string {
  const folder = toPlainPath(root);
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return (path) => {
    const plain = toPlainPath(path, root);
    return plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
  };
}

function toText(shown: {
  summary: { added: string[]; modified: string[]; deleted: string[] };
  unchanged: readonly string[];
  looseHunks: readonly LooseHunk[];
}): string {
  const { summary, unchanged, looseHunks } = shown;
  const mark = (letter: string, paths: readonly string[]) =>
    paths.map((path) => `${letter} ${toPrintable(path)}`);
  const changed = [
    ...mark("A", summary.added),
    ...mark("M", summary.modified),
    ...mark("D", summary.deleted),
  ];
  const isNothing = changed.length + unchanged.length === 0;
  const rows = [
    ...(changed.length > 0 ? ["Success. Updated the following files:", ...changed] : []),
    ...unchanged.map((path) => `No changes made to ${toPrintable(path)}.`),
    ...(isNothing ? ["No changes made: the patch takes back what it does."] : []),
    ...looseHunks
      .slice(0, MAX_SHOWN_LOOSE)
      .map(
        ({ path, hunk, firstLine, ignored }) =>
          `Hunk ${hunk} of ${toPrintable(path)} fits at line ${firstLine} only when ${ignored} may differ; check it.`,
      ),
  ];
  return joinWithin(
    rows.map((row, index) => (index === 0 ? row : `\n${row}`)),
    { maxChars: MAX_LIST_CHARS, describeRest: (count) => `\n… and ${count} more lines` },
  );
}

type Change = Write | { readonly file: OldFile; readonly now?: undefined };

/** One diff of all files, with the first changed line of each. */
function diffAll(changes: readonly Change[]) {
  const firstChangedLines: (number | undefined)[] = [];
  let text = "";
  for (const [index, change] of changes.entries()) {
    const maxChars = MAX_DIFF_CHARS - text.length;
    if (maxChars <= 0) {
      text += `\\ ${changes.length - index} more files\n`;
      break;
    }
    const { diff = "", diffOmitted, firstChangedLine } = diffChange(change, maxChars);
    firstChangedLines.push(firstChangedLine);
    const rest = diffOmitted === undefined ? "" : `\\ left out: ${diffOmitted}\n`;
    text += `${nameChange(change)}${diff}${rest}`;
  }
  return { text, firstChangedLines };
}

function diffChange(change: Change, maxChars: number): Partial<SpliceDiff> {
  const { file, now } = change;
  if (now?.diff && (now.diff.diff ?? "").length <= maxChars) return now.diff;
  const before = (now && change.from?.before) ?? file.before;
  const [old, fresh] = [before, now?.bytes].map((bytes) => (bytes ? decodeText(bytes)?.text : ""));
  if (old === undefined || fresh === undefined) return { diff: "\\ binary\n" };
  const { text, omitted, ...place } = diffLines(old, fresh, { maxChars });
  return {
    ...place,
    ...(text === undefined ? {} : { diff: text }),
    ...(omitted && { diffOmitted: omitted }),
  };
}

function nameChange(change: Change): string {
  const { file, now } = change;
  const old = (now && change.from?.path) ?? (file.before && file.path);
  return `--- ${nameSide("a", old)}\n+++ ${nameSide("b", now && file.path)}\n`;
}

function nameSide(side: string, path: string | undefined): string {
  return path === undefined ? "/dev/null" : `${side}/${toPrintable(path)}`;
}
