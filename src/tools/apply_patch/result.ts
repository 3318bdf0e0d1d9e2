// What a patch answers when it was applied: which files changed, and what to look at.

import { toPlainPath } from "../../core/files/index.js";
import { textResult } from "../../core/index.js";
import { diffLines } from "../../lib/diff/line-diff.js";
import { joinWithin } from "../../lib/join-within.js";
import { toPrintable } from "../../lib/printable.js";
import type { Changes, LooseHunk, Removal, Write } from "./compute.js";
import { MAX_DIFF_CHARS } from "./limits.js";
import { decodeText } from "./source-text.js";
import { type BodyDiff, toBodyDiff } from "./working-files.js";

const NOWHERE = "/dev/null";
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

export function showResult(request: {
  readonly changes: Changes;
  readonly looseHunks: readonly LooseHunk[];
  readonly root: string;
}) {
  const { changes, looseHunks, root } = request;
  const name = (path: string) => toShownPath(path, root);
  const diff = diffChanges(changes);
  const files = listFiles(changes, { name, firstChangedLines: diff.firstChangedLines });
  const pick = (action: ResultFile["action"]) =>
    files.filter((file) => file.action === action).map(({ path }) => path);
  const summary = {
    added: pick("added"),
    modified: pick("modified"),
    deleted: pick("deleted"),
  };
  const unchanged = changes.unchanged.map(name);
  const firstChangedLine = files.find((file) => file.firstChangedLine)?.firstChangedLine;
  return textResult(toText({ summary, unchanged, looseHunks: nameLoose(looseHunks, name) }), {
    changed: files.length > 0,
    summary,
    files,
    unchanged,
    looseHunks: nameLoose(looseHunks, name),
    diff: diff.text,
    ...(firstChangedLine !== undefined && { firstChangedLine }),
  });
}

interface Naming {
  readonly name: (path: string) => string;
  readonly firstChangedLines: ReadonlyMap<string, number>;
}

function listFiles({ writes, removals }: Changes, naming: Naming): ResultFile[] {
  const { name, firstChangedLines } = naming;
  const written = writes.map(({ path, before, after, from, isAdded }): ResultFile => {
    const firstChangedLine = firstChangedLines.get(path);
    return {
      path: name(path),
      action: isAdded ? "added" : "modified",
      ...(from && { from: name(from.path) }),
      created: before === undefined,
      bytes: after.length,
      ...(firstChangedLine !== undefined && { firstChangedLine }),
    };
  });
  const removed = removals.map(
    ({ path }): ResultFile => ({ path: name(path), action: "deleted", created: false, bytes: 0 }),
  );
  return [...written, ...removed];
}

function nameLoose(
  looseHunks: readonly LooseHunk[],
  name: (path: string) => string,
): readonly LooseHunk[] {
  return looseHunks.map((loose) => ({ ...loose, path: name(loose.path) }));
}

function toText(shown: {
  summary: { added: string[]; modified: string[]; deleted: string[] };
  unchanged: readonly string[];
  looseHunks: readonly LooseHunk[];
}): string {
  const { summary, unchanged, looseHunks } = shown;
  const changed = [
    ...summary.added.map((path) => `\nA ${toPrintable(path)}`),
    ...summary.modified.map((path) => `\nM ${toPrintable(path)}`),
    ...summary.deleted.map((path) => `\nD ${toPrintable(path)}`),
  ];
  const head = changed.length === 0 ? [] : ["Success. Updated the following files:", ...changed];
  const gap = changed.length === 0 ? "" : "\n";
  const same = unchanged.map(
    (path, index) => `${index === 0 ? gap : "\n"}No changes made to ${toPrintable(path)}.`,
  );
  const rest =
    changed.length + unchanged.length === 0
      ? ["No changes made: the patch takes back what it does."]
      : [];
  const loose = looseHunks
    .slice(0, MAX_SHOWN_LOOSE)
    .map(
      ({ path, hunk, firstLine, ignored }) =>
        `\nHunk ${hunk} of ${toPrintable(path)} fits at line ${firstLine} only when ${ignored} may differ; check it.`,
    );
  return joinWithin([...head, ...same, ...rest, ...loose], {
    maxChars: MAX_LIST_CHARS,
    describeRest: (count) => `\n… and ${count} more lines`,
  });
}

function toShownPath(path: string, root: string): string {
  const [plain, folder] = [toPlainPath(path, root), toPlainPath(root)];
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
}

interface PatchDiff {
  readonly text: string;
  readonly firstChangedLines: ReadonlyMap<string, number>;
}

function diffChanges({ writes, removals }: Changes): PatchDiff {
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
  const {
    text: diff,
    omitted: diffOmitted,
    ...place
  } = diffLines(old, fresh, { maxChars: of.maxChars });
  return toBodyDiff({
    ...place,
    ...(diff === undefined ? {} : { diff }),
    ...(diffOmitted && { diffOmitted }),
  });
}

function nameChange(change: Write | Removal): string {
  const after = "after" in change ? change : undefined;
  const old = after?.from?.path ?? (change.before && change.path);
  return `--- ${nameSide("a", old)}\n+++ ${nameSide("b", after?.path)}\n`;
}

function nameSide(side: string, path: string | undefined): string {
  return path === undefined ? NOWHERE : `${side}/${toPrintable(path)}`;
}
