// From the text of a patch to what it asks for, file by file. Nothing is looked up here.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import {
  assertWithin,
  openPatch,
  type PatchCursor,
  patchEmpty,
  patchInvalid,
  readMarker,
  showLine,
} from "./patch-lines.js";
import { type Hunk, NO_LINE_END, readHunks, skipAddedHead } from "./read-hunks.js";

interface Named {
  readonly path: string;
  readonly line: number;
}

export interface UpdateOperation extends Named {
  readonly kind: "update";
  readonly moveTo: string | undefined;
  readonly hunks: readonly Hunk[];
}

export type Operation =
  | (Named & { readonly kind: "add"; readonly content: string })
  | (Named & { readonly kind: "delete" })
  | UpdateOperation;

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

/** Blank lines, and from the end of one patch to the beginning of the next; false at the end. */
function skipGap(cursor: PatchCursor): boolean {
  let isBehindEnd = false;
  for (; !cursor.isDone; cursor.advance()) {
    if (cursor.text.trim() === "") continue;
    const kind = readMarker(cursor.text)?.kind;
    if (isBehindEnd && kind !== "begin") {
      throw patchInvalid(
        cursor.number,
        'comes after "*** End Patch"; nothing but another patch may.',
      );
    }
    if (!isBehindEnd && kind !== "end") return true;
    isBehindEnd = !isBehindEnd;
  }
  return false;
}

function readOperation(cursor: PatchCursor): Operation {
  const { number: line, text } = cursor;
  const kind = readMarker(text)?.kind;
  if (kind !== "add" && kind !== "delete" && kind !== "update") {
    throw patchInvalid(
      line,
      `is not a header: "${showLine(text)}". Use "*** Add File: path", "*** Update File: path" or "*** Delete File: path".`,
    );
  }
  const path = readPath(cursor);
  if (kind === "delete") return { kind, path, line };
  if (kind === "add") return { kind, path, line, content: readContent(cursor) };
  const moveTo = readMarker(cursor.text)?.kind === "move" ? readPath(cursor) : undefined;
  const hunks = readHunks(cursor);
  if (hunks.length > 0 || moveTo !== undefined) return { kind, path, line, moveTo, hunks };
  throw patchInvalid(
    line,
    `updates "${toPrintable(path)}" without a hunk; add the changed lines below it.`,
  );
}

function readPath(cursor: PatchCursor): string {
  const { number: line } = cursor;
  const path = readMarker(cursor.text)?.path ?? "";
  cursor.advance();
  if (path !== "") return path;
  throw new ToolInputError(
    `Line ${line} of the patch names no file; write the path behind the colon.`,
    { reason: "path_invalid", details: { line } },
  );
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
  let blanks = 0;
  for (; !cursor.isDone && cursor.text !== NO_LINE_END; cursor.advance()) {
    const { text } = cursor;
    if (text.trim() === "") {
      blanks++;
      continue;
    }
    if (text.startsWith("+")) {
      // Blank lines before an added one are empty lines that lost their plus.
      for (; blanks > 0; blanks--) lines.push("");
      lines.push(text.slice(1));
      continue;
    }
    if (readMarker(text)) break;
    throw patchInvalid(
      cursor.number,
      `is in an added file and must begin with "+": "${showLine(text)}".`,
    );
  }
  return lines;
}
