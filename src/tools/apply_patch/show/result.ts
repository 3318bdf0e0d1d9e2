// What a patch answers when it was applied: which files changed, and what to look at.

import { toPlainPath } from "../../../core/files/index.js";
import { type ToolResult, textResult } from "../../../core/index.js";
import { joinWithin } from "../../../lib/join-within.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Changes } from "../plan/changes.js";
import type { LooseHunk } from "../plan/compute.js";
import { diffChanges } from "./diff.js";

/** Below what one result may hold, so that the door cuts nothing. */
const MAX_LIST_CHARS = 20_000;
const MAX_SHOWN_LOOSE = 20;

export interface ResultFile {
  readonly path: string;
  readonly action: "added" | "modified" | "deleted";
  /** Where it lay before, if it was moved. */
  readonly from?: string;
  /** Nothing was there before. */
  readonly created: boolean;
  /** Of the new content; 0 when it is deleted. */
  readonly bytes: number;
  /** Before the change, from 1. */
  readonly firstChangedLine?: number;
}

export function showResult(request: {
  readonly changes: Changes;
  readonly looseHunks: readonly LooseHunk[];
  readonly root: string;
}): ToolResult {
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

/** Relative to the root when it lies there. */
function toShownPath(path: string, root: string): string {
  const [plain, folder] = [toPlainPath(path, root), toPlainPath(root)];
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
}
