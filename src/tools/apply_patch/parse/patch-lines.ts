// The lines of a patch, without what models put around it, and a cursor in them.

import { ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { MAX_HUNKS, MAX_OPERATIONS, MAX_PATCH_CHARS, MAX_PATCH_LINES } from "../limits.js";

/** Above the patch: nothing, a Markdown fence, or a here-document such as `apply_patch <<'EOF'`. */
const OPENING = /^(?:(?:```|~~~).*|(?:apply_?patch)?\s*<<\s*(["']?)\w+\1)?$/;
/** Below it: nothing, a fence, or the word that ends a here-document. */
const CLOSING = /^(?:```|~~~|\w+)?$/;
export const MAX_SHOWN_CHARS = 120;
const DIFF_BEGINNING = /^(?:---|\+\+\+|diff|index|Index:|@@) /;

export interface PatchCursor {
  readonly isDone: boolean;
  readonly text: string;
  readonly number: number;
  ahead(count: number): string | undefined;
  advance(count?: number): void;
}

export function openPatch(input: string): PatchCursor {
  assertSize(input);
  const lines = input.split("\n");
  const { from, to } = unwrap(lines);
  if (from >= to) throw patchEmpty();
  if (readMarker(lines[from] ?? "")?.kind !== "begin") throw noBegin(lines, from);
  if (to - from < 2 || readMarker(lines[to - 1] ?? "")?.kind !== "end") throw noEnd(to);
  return createCursor(lines, { from: from + 1, to: to - 1 });
}

function createCursor(
  lines: readonly string[],
  { from, to }: { from: number; to: number },
): PatchCursor {
  let index = from;
  const textAt = (at: number) => (at < to ? withoutReturn(lines[at] ?? "") : undefined);
  return {
    get isDone() {
      return index >= to;
    },
    get text() {
      return textAt(index) ?? "";
    },
    get number() {
      return index + 1;
    },
    ahead: (count) => textAt(index + count),
    advance(count = 1) {
      index += count;
    },
  };
}

function unwrap(lines: readonly string[]): { from: number; to: number } {
  let from = 0;
  let to = lines.length;
  while (from < to && OPENING.test((lines[from] ?? "").trim())) from++;
  while (to > from && CLOSING.test((lines[to - 1] ?? "").trim())) to--;
  return { from, to };
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function assertSize(input: string): void {
  assertWithin("patch_too_large", input.length);
  let count = 1;
  for (let at = input.indexOf("\n"); at !== -1; at = input.indexOf("\n", at + 1)) count++;
  assertWithin("patch_too_long", count);
}

const MAXIMA = {
  patch_too_large: { max: MAX_PATCH_CHARS, unit: "characters" },
  patch_too_long: { max: MAX_PATCH_LINES, unit: "lines" },
  too_many_files: { max: MAX_OPERATIONS, unit: "files" },
  too_many_hunks: { max: MAX_HUNKS, unit: "hunks" },
} as const;

export function assertWithin(reason: keyof typeof MAXIMA, size: number): void {
  const { max, unit } = MAXIMA[reason];
  if (size <= max) return;
  throw new ToolError(
    "limit",
    `The patch has ${size} ${unit}; the maximum is ${max}. Send it in parts.`,
    { reason, details: { size, max } },
  );
}

export function patchEmpty(): ToolInputError {
  return new ToolInputError(
    "No files were modified: the patch is empty. Name files between *** Begin Patch and *** End Patch.",
    { reason: "patch_empty" },
  );
}

function noBegin(lines: readonly string[], from: number): ToolInputError {
  const first = lines[from] ?? "";
  return new ToolInputError(
    `Line ${from + 1} of the patch must be "*** Begin Patch", not "${toPrintable(first, MAX_SHOWN_CHARS)}".${findHint(lines, from)}`,
    { reason: "patch_invalid", details: { line: from + 1 } },
  );
}

function findHint(lines: readonly string[], from: number): string {
  const first = lines[from] ?? "";
  if (lines.length === 1 && first.includes("\\n")) {
    return ' The patch is one line with "\\n" written out; send real line ends.';
  }
  if (!DIFF_BEGINNING.test(first)) return "";
  return ' It looks like a unified diff; put "*** Begin Patch" and "*** Update File: path" above its hunks, and "*** End Patch" below them.';
}

function noEnd(line: number): ToolInputError {
  return new ToolInputError(
    `The last line of the patch (line ${line}) must be "*** End Patch"; the patch may have been cut off. Send all of it.`,
    { reason: "patch_invalid", details: { line } },
  );
}

const STARS = "***";
const WORDS = {
  begin: "begin patch",
  end: "end patch",
  add: "add file:",
  delete: "delete file:",
  update: "update file:",
  move: "move to:",
  endOfFile: "end of file",
} as const;

const TAKES_PATH: ReadonlySet<string> = new Set(["add", "delete", "update", "move"]);

type MarkerKind = keyof typeof WORDS;

export interface Marker {
  readonly kind: MarkerKind;
  readonly path: string;
}

export function beginsWithStars(text: string): boolean {
  return text.startsWith(STARS);
}

export function readMarker(text: string): Marker | undefined {
  const line = text.trim();
  if (!beginsWithStars(line)) return undefined;
  const words = line.slice(STARS.length).trimStart();
  const head = words.slice(0, MAX_SHOWN_CHARS).toLowerCase();
  const kind = MARKER_KINDS.find((name) => head.startsWith(WORDS[name]));
  if (!kind) return undefined;
  const rest = words.slice(WORDS[kind].length).trim();
  return TAKES_PATH.has(kind) || rest === "" ? { kind, path: rest } : undefined;
}

// The keys of the table above, which Object.keys gives as plain texts.
const MARKER_KINDS = Object.keys(WORDS) as MarkerKind[];

/** `problem` goes on behind "Line 7 of the patch"; `line` counts from 1. */
export function patchInvalid(line: number, problem: string): ToolInputError {
  return new ToolInputError(`Line ${line} of the patch ${problem}`, {
    reason: "patch_invalid",
    details: { line },
  });
}
