// The lines of a patch, without what models put around it, and a cursor in them.

import { ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { MAX_HUNKS, MAX_OPERATIONS, MAX_PATCH_CHARS, MAX_PATCH_LINES } from "../limits.js";

/** Above the patch: nothing, a Markdown fence, or a here-document such as `apply_patch <<'EOF'`. */
const OPENING = /^(?:(?:```|~~~).*|(?:apply_?patch)?\s*<<\s*(["']?)\w+\1)?$/;
/** Below it: nothing, a fence, or the word that ends a here-document. */
const CLOSING = /^(?:```|~~~|\w+)?$/;
const MAX_SHOWN_CHARS = 120;
const DIFF_BEGINNING = /^(?:---|\+\+\+|diff|index|Index:|@@) /;

export interface PatchCursor {
  readonly isDone: boolean;
  /** The current line; "" at the end of the patch. */
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  ahead(count: number): string | undefined;
  advance(count?: number): void;
}

export function openPatch(input: string): PatchCursor {
  assertWithin("patch_too_large", input.length);
  const lines = input.split("\n", MAX_PATCH_LINES + 1);
  assertWithin("patch_too_long", lines.length);
  let from = 0;
  let to = lines.length;
  while (from < to && OPENING.test((lines[from] ?? "").trim())) from++;
  while (to > from && CLOSING.test((lines[to - 1] ?? "").trim())) to--;
  if (from >= to) throw patchEmpty();
  const first = lines[from] ?? "";
  if (readMarker(first)?.kind !== "begin") {
    const hint = findHint(first, lines.length);
    throw patchInvalid(from + 1, `must be "*** Begin Patch", not "${showLine(first)}".${hint}`);
  }
  if (to - from < 2 || readMarker(lines[to - 1] ?? "")?.kind !== "end") {
    throw patchInvalid(
      to,
      'is the last and must be "*** End Patch"; the patch may have been cut off. Send all of it.',
    );
  }
  return createCursor(lines.slice(0, to - 1), from + 1);
}

function createCursor(lines: readonly string[], from: number): PatchCursor {
  let index = from;
  const ahead = (count: number) => {
    const line = lines[index + count];
    return line?.endsWith("\r") ? line.slice(0, -1) : line;
  };
  return {
    get isDone() {
      return index >= lines.length;
    },
    get text() {
      return ahead(0) ?? "";
    },
    get number() {
      return index + 1;
    },
    ahead,
    advance(count = 1) {
      index += count;
    },
  };
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
  throw new ToolError("limit", `The patch has more than ${max} ${unit}. Send it in parts.`, {
    reason,
    details: { max },
  });
}

export function patchEmpty(): ToolInputError {
  return new ToolInputError(
    "No files were modified: the patch is empty. Name files between *** Begin Patch and *** End Patch.",
    { reason: "patch_empty" },
  );
}

function findHint(first: string, lineCount: number): string {
  if (lineCount === 1 && first.includes("\\n")) {
    return ' The patch is one line with "\\n" written out; send real line ends.';
  }
  if (!DIFF_BEGINNING.test(first)) return "";
  return ' It looks like a unified diff; put "*** Begin Patch" and "*** Update File: path" above its hunks, and "*** End Patch" below them.';
}

export function showLine(text: string): string {
  return toPrintable(text, MAX_SHOWN_CHARS);
}

/** `problem` goes on behind "Line 7 of the patch"; `line` counts from 1. */
export function patchInvalid(line: number, problem: string): ToolInputError {
  return new ToolInputError(`Line ${line} of the patch ${problem}`, {
    reason: "patch_invalid",
    details: { line },
  });
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

// The keys of the table above, which Object.keys gives as plain texts.
const KINDS = Object.keys(WORDS) as (keyof typeof WORDS)[];

export interface Marker {
  readonly kind: keyof typeof WORDS;
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
  const kind = KINDS.find((name) => head.startsWith(WORDS[name]));
  if (!kind) return undefined;
  const path = words.slice(WORDS[kind].length).trim();
  return WORDS[kind].endsWith(":") || path === "" ? { kind, path } : undefined;
}
