// From the text of a patch to what it asks for, file by file. Nothing is looked up here.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import {
  assertWithin,
  MAX_SHOWN_CHARS,
  type Marker,
  openPatch,
  type PatchCursor,
  patchEmpty,
  patchInvalid,
  readMarker,
} from "./patch-lines.js";
import { type Hunk, NO_LINE_END, readHunks, skipAddedHead } from "./read-hunks.js";

interface Named {
  readonly path: string;
  readonly line: number;
}

export interface AddOperation extends Named {
  readonly kind: "add";
  readonly content: string;
}

export interface DeleteOperation extends Named {
  readonly kind: "delete";
}

export interface UpdateOperation extends Named {
  readonly kind: "update";
  readonly moveTo: string | undefined;
  readonly hunks: readonly Hunk[];
}

export type Operation = AddOperation | DeleteOperation | UpdateOperation;

export function parsePatch(input: string): Operation[] {
  const cursor = openPatch(input);
  const operations: Operation[] = [];
  let hunks = 0;
  while (skipGap(cursor)) {
    const operation = readOperation(cursor);
    operations.push(operation);
    if (operation.kind === "update") hunks += operation.hunks.length;
    assertWithin("too_many_files", operations.length);
    assertWithin("too_many_hunks", hunks);
  }
  if (operations.length === 0) throw patchEmpty();
  return operations;
}

function skipGap(cursor: PatchCursor): boolean {
  for (; !cursor.isDone; cursor.advance()) {
    if (cursor.text.trim() === "") continue;
    if (readMarker(cursor.text)?.kind !== "end") return true;
    do cursor.advance();
    while (!cursor.isDone && cursor.text.trim() === "");
    if (cursor.isDone) return false;
    if (readMarker(cursor.text)?.kind !== "begin") {
      throw patchInvalid(
        cursor.number,
        'comes after "*** End Patch"; nothing but another patch may.',
      );
    }
  }
  return false;
}

function readOperation(cursor: PatchCursor): Operation {
  const line = cursor.number;
  const marker = readMarker(cursor.text);
  if (marker?.kind === "add") {
    const path = readPath(cursor, marker);
    return { kind: "add", path, line, content: readContent(cursor) };
  }
  if (marker?.kind === "delete") return { kind: "delete", path: readPath(cursor, marker), line };
  if (marker?.kind === "update") {
    const path = readPath(cursor, marker);
    return readUpdate(cursor, { path, line });
  }
  throw patchInvalid(
    line,
    `is not a header: "${toPrintable(cursor.text, MAX_SHOWN_CHARS)}". Use "*** Add File: path", "*** Update File: path" or "*** Delete File: path".`,
  );
}

function readPath(cursor: PatchCursor, { path }: Marker): string {
  if (path === "") {
    throw new ToolInputError(
      `Line ${cursor.number} of the patch names no file; write the path behind the colon.`,
      { reason: "path_invalid", details: { line: cursor.number } },
    );
  }
  cursor.advance();
  return path;
}

function readUpdate(cursor: PatchCursor, { path, line }: Named): UpdateOperation {
  const marker = readMarker(cursor.text);
  const moveTo = marker?.kind === "move" ? readPath(cursor, marker) : undefined;
  const hunks = readHunks(cursor);
  if (hunks.length === 0 && moveTo === undefined) {
    throw patchInvalid(
      line,
      `updates "${toPrintable(path)}" without a hunk; add the changed lines below it.`,
    );
  }
  return { kind: "update", path, line, moveTo, hunks };
}

/** The text of an added file: each line ends with a line feed; no lines make an empty file. */
function readContent(cursor: PatchCursor): string {
  skipAddedHead(cursor);
  const lines = readAdded(cursor);
  const content = lines.map((line) => `${line}\n`).join("");
  const isUnended = cursor.text === NO_LINE_END;
  if (isUnended || readMarker(cursor.text)?.kind === "endOfFile") cursor.advance();
  return isUnended ? content.slice(0, -1) : content;
}

function readAdded(cursor: PatchCursor): string[] {
  const lines: string[] = [];
  while (!cursor.isDone && cursor.text !== NO_LINE_END) {
    const { text } = cursor;
    if (text.startsWith("+")) {
      lines.push(text.slice(1));
      cursor.advance();
      continue;
    }
    const blanks = countBlanks(cursor);
    if (blanks > 0) {
      // Between two added lines it is an empty line that lost its plus.
      const isInside = cursor.ahead(blanks)?.startsWith("+") === true;
      for (let left = isInside ? blanks : 0; left > 0; left--) lines.push("");
      cursor.advance(blanks);
      continue;
    }
    if (readMarker(text)) break;
    throw patchInvalid(
      cursor.number,
      `is in an added file and must begin with "+": "${toPrintable(text, MAX_SHOWN_CHARS)}".`,
    );
  }
  return lines;
}

function countBlanks(cursor: PatchCursor): number {
  let count = 0;
  while (cursor.ahead(count)?.trim() === "") count++;
  return count;
}
