// Replaces text in a file: read, match, splice, write. Nothing is written unless every change fits.

import { withFiles } from "../../core/files/index.js";
import {
  abortError,
  type FsBridge,
  type FsPath,
  ToolInputError,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { diffLines, type LineDiff } from "../../lib/line-diff.js";
import { lineNumberAt } from "../../lib/line-number.js";
import { endOfLine, startOfLine } from "../../lib/line-window.js";
import { withoutMention } from "../../lib/mention.js";
import { nameFirstCodePoint, toPrintable } from "../../lib/printable.js";
import { createSource, type Fit, findMatches, type Match, type Source } from "./find-matches.js";
import type { EditCall } from "./index.js";
import { type LoadedText, loadText } from "./load-text.js";
import { notFound } from "./miss/not-found.js";
import { type Change, readChanges } from "./read-changes.js";
import { applySplices, type Splice, toSplices } from "./splice.js";

const CONTEXT_LINES = 3;

const MAX_DIFF_CHARS = 50_000;

/** Longer stretches are not compared. */
const MAX_WINDOW_CHARS = 1024 * 1024;

interface SpliceDescription {
  readonly firstChangedLine: number;
  /** Hunks of a unified diff; absent when none can be shown. */
  readonly diff?: string;
  /** Why some changes are not in the diff. */
  readonly diffOmitted?: NonNullable<LineDiff["omitted"]>;
}

/** Whole lines around splices that are near each other. */
interface Window {
  readonly start: number;
  end: number;
  /** Behind the line in which the last splice ends. */
  lineEnd: number;
  readonly splices: Splice[];
}

interface WindowView {
  readonly window: Window;
  readonly firstLines: { readonly before: number; readonly after: number };
  readonly maxChars: number;
}

const LOOSE_NOTE =
  " oldText fitted only loosely (quotation marks, dashes, spaces or white space at line ends differ); what was not to change is as it was.";

/** The loosest first. */
const FITS: readonly Fit[] = ["loose", "line_ends"];

export async function execute(call: EditCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const changes = readChanges(params);
  const path = await withoutMention(
    params.path,
    async (name) => (await ctx.bridge.stat(at(name))) !== null,
  );
  const file = at(path);
  return withFiles(ctx.bridge, [file], (bridge) => editFile(bridge, { file, changes }));
}

interface EditRequest {
  readonly file: FsPath;
  readonly changes: readonly Change[];
}

async function editFile(bridge: FsBridge, { file, changes }: EditRequest): Promise<ToolResult> {
  const path = file.filePath;
  const loaded = await loadText(bridge, file);
  const source = createSource(loaded.text);
  // What is in oldText too may be kept, and then need not be written.
  for (const change of changes)
    assertHoldable(loaded, { change, path, added: () => newIn(change) });
  const matches = findAll({ source, changes, path });
  assertApart(matches, { source, path });
  const splices = toSplices(source, matches);
  if (splices.length === 0) return unchanged(path, loaded.fileBytes);
  const added = lazy(() => splices.map(({ text }) => text).join(""));
  for (const change of changes) assertHoldable(loaded, { change, path, added });
  const data = loaded.toFile(splices);
  if (file.signal?.aborted) throw abortError(file.signal);
  const writing = bridge.writeFile({ ...file, data });
  // While the bytes are on their way.
  const { firstChangedLine, ...diff } = describeSplices(loaded.text, splices);
  await writing;
  const fit = worstFit(matches);
  const count = `${matches.length} replacement${matches.length === 1 ? "" : "s"}`;
  const said = `Edited ${toPrintable(path)}: ${count}, the first at line ${firstChangedLine}.`;
  return textResult(fit === "loose" ? said + LOOSE_NOTE : said, {
    path,
    changed: true,
    replacements: matches.length,
    firstChangedLine,
    bytes: data.length,
    fit,
    ...(loaded.encoding === "utf-8" ? {} : { encoding: loaded.encoding }),
    ...diff,
  });
}

interface Search {
  readonly source: Source;
  readonly changes: readonly Change[];
  readonly path: string;
}

/** In the order of the file. A change from a text to itself must fit too, but then asks for nothing. */
function findAll({ source, changes, path }: Search): Match[] {
  const found = changes.flatMap((change) => {
    const request = { change, source, path };
    const matches = findMatches(request);
    if (matches.length === 0) throw notFound(request);
    return change.oldText === change.newText ? [] : matches;
  });
  return found.sort((one, other) => one.start - other.start);
}

function worstFit(matches: readonly Match[]): Fit {
  const fits = new Set(matches.map(({ fit }) => fit));
  return FITS.find((fit) => fits.has(fit)) ?? "exact";
}

function unchanged(path: string, bytes: number): ToolResult {
  const said = `No changes made to ${toPrintable(path)}: it already reads as newText says, and line ends stay as they are.`;
  return textResult(said, { path, changed: false, replacements: 0, bytes });
}

/** The characters of the new text that the old one has not. */
function newIn({ oldText, newText }: Change): string {
  const old = new Set(oldText);
  return [...newText].filter((character) => !old.has(character)).join("");
}

interface AddedText {
  readonly change: Change;
  readonly path: string;
  readonly added: () => string;
}

function assertHoldable(loaded: LoadedText, { change, path, added }: AddedText): void {
  const { encoding } = loaded;
  if (encoding === "utf-8") return;
  const foreign = loaded.findForeign(added());
  if (foreign === undefined || !change.newText.includes(foreign)) return;
  const name = nameFirstCodePoint(foreign);
  throw new ToolInputError(
    `${change.prefix}newText has "${toPrintable(foreign)}" (${name}), which "${toPrintable(path)}" cannot hold: its encoding is ${encoding}. Use other characters, or write the file again as UTF-8.${change.ending}`,
    { reason: "not_encodable", details: { character: foreign, encoding } },
  );
}

/** `matches` are in order. */
function assertApart(
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

/** `splices` are in order and at least one. */
function describeSplices(text: string, splices: readonly Splice[]): SpliceDescription {
  const windows = toWindows(text, splices);
  const start = windows[0]?.start ?? 0;
  const place = { index: start, before: 1 + countLineFeeds(text.slice(0, start)), added: 0 };
  const changed = text.slice(start, splices[0]?.start ?? 0);
  const firstChangedLine = place.before + countLineFeeds(changed);
  let diff = "";
  for (const window of windows) {
    place.before += countLineFeeds(text.slice(place.index, window.start));
    place.index = window.start;
    const maxChars = MAX_DIFF_CHARS - diff.length;
    const firstLines = { before: place.before, after: place.before + place.added };
    const { text: shown, omitted } = diffWindow(text, { window, firstLines, maxChars });
    if (shown === undefined) {
      const diffOmitted = omitted ?? "too_long";
      return diff === ""
        ? { firstChangedLine, diffOmitted }
        : { firstChangedLine, diff, diffOmitted };
    }
    diff += shown;
    for (const splice of window.splices) place.added += linesAddedBy(splice, text);
  }
  return { firstChangedLine, diff };
}

function toWindows(text: string, splices: readonly Splice[]): Window[] {
  const windows: Window[] = [];
  for (const splice of splices) {
    const last = windows.at(-1);
    if (last && splice.end < last.lineEnd) {
      last.splices.push(splice);
      continue;
    }
    const start = startOfLine(text, { index: splice.start, count: CONTEXT_LINES });
    const lineEnd = endOfLine(text, { index: splice.end, count: 0 });
    const end = endOfLine(text, { index: lineEnd, count: CONTEXT_LINES - 1 });
    if (last && start <= last.end) {
      last.splices.push(splice);
      Object.assign(last, { end, lineEnd });
    } else windows.push({ start, end, lineEnd, splices: [splice] });
  }
  return windows;
}

function diffWindow(text: string, { window, firstLines, maxChars }: WindowView): LineDiff {
  const { start, end, splices } = window;
  const newChars = splices.reduce((sum, splice) => sum + splice.text.length, 0);
  if (maxChars <= 0 || end - start + newChars > MAX_WINDOW_CHARS) return { omitted: "too_long" };
  const before = text.slice(start, end);
  const inside = splices.map((splice) => ({
    ...splice,
    start: splice.start - start,
    end: splice.end - start,
  }));
  const after = applySplices(before, inside);
  return diffLines(before, after, {
    contextLines: CONTEXT_LINES,
    firstLines,
    maxChars,
  });
}

function linesAddedBy(splice: Splice, text: string): number {
  return countLineFeeds(splice.text) - countLineFeeds(text.slice(splice.start, splice.end));
}

function countLineFeeds(text: string): number {
  return lineNumberAt(text, text.length) - 1;
}
