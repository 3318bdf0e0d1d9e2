// Checks the rows of one file against the chain, and goes on after a fault.

import {
  type FileBegin,
  type FileLine,
  hashSpan,
  parseBegin,
  readForward,
  type Span,
} from "./lines.js";
import type { AuditPart } from "./list-rows.js";
import { CHAIN_START, NO_HASH, nameRows, readRow, type StoredRow } from "./row.js";
import type { AuditProblem } from "./verify.js";

export interface ChainState {
  last: StoredRow | undefined;
  rows: number;
  begin: FileBegin | undefined;
  readonly headSequence: number | undefined;
  headHash: string | undefined;
  readonly tell: (problem: AuditProblem) => void;
  readonly note: (problem: AuditProblem) => void;
}

interface Garbage extends Span {
  readonly line: number;
  readonly lines: number;
}

interface FileCheck {
  readonly part: AuditPart;
  readonly state: ChainState;
  line: number;
  rowsHere: number;
  garbage: Garbage | undefined;
}

export async function checkFile(part: AuditPart, state: ChainState): Promise<void> {
  const check: FileCheck = { part, state, line: 0, rowsHere: 0, garbage: undefined };
  for await (const line of readForward(part.handle, part.sizeBytes)) {
    check.line += 1;
    const row = line.bytes && readRow(line.bytes);
    if (row === undefined) gatherGarbage(check, line);
    else await checkRow(check, row);
    if (!line.isEnded && row === undefined) return endTorn(check);
    if (!line.isEnded && row !== undefined) checkLastEnd(check, row);
  }
  tellGarbage(check);
}

function gatherGarbage(check: FileCheck, { start, end }: FileLine): void {
  const { garbage, line } = check;
  check.garbage = { line, start, ...garbage, end, lines: (garbage?.lines ?? 0) + 1 };
}

/** The newest line may be written at this moment, or its writer was killed; the head knows better. */
function endTorn(check: FileCheck): void {
  const { garbage, line, part, state } = check;
  if (garbage === undefined || garbage.line !== line || part.number !== undefined) {
    tellGarbage(check);
    return;
  }
  const message = "The last line was not written to its end; the next row marks it.";
  state.note({ file: part.name, line, message });
}

/** A row that the head names was on the disk with its line feed; a killed writer left none behind it. */
function checkLastEnd({ part, line, state }: FileCheck, { sequence }: StoredRow): void {
  const isOld = part.number !== undefined || sequence <= (state.headSequence ?? 0);
  const message = "The line feed behind the last row is missing.";
  (isOld ? state.tell : state.note)({ file: part.name, line, sequence, message });
}

function tellGarbage({ garbage, part, state }: FileCheck): void {
  if (garbage === undefined) return;
  const sequence = (state.last?.sequence ?? 0) + 1;
  const message = "The line is not a row: it was changed.";
  state.tell({ file: part.name, line: garbage.line, sequence, message });
}

async function checkRow(check: FileCheck, row: StoredRow): Promise<void> {
  const { state } = check;
  const passedOver = await settleGarbage(check, row);
  if (row.hash !== row.computed) {
    tellRow(check, { row, message: "The row was changed: its hash does not fit what it says." });
  }
  checkPlace(check, { row, passedOver });
  checkKind(check, row);
  state.rows += 1;
  check.rowsHere += 1;
  if (row.sequence > (state.last?.sequence ?? 0)) state.last = row;
  if (row.sequence === state.headSequence) state.headHash = row.hash;
}

/**
 * How many changed rows stand before it. A line that was torn is none, when the row behind it says
 * just that.
 */
async function settleGarbage(check: FileCheck, { body }: StoredRow): Promise<number> {
  const { garbage, part, state } = check;
  if (garbage === undefined) return 0;
  const bytes = garbage.end - garbage.start;
  const isMarked =
    body.kind === "torn" &&
    body.bytes === bytes &&
    body.sha256 === (await hashSpan(part.handle, garbage));
  if (isMarked) {
    const message = `${bytes} bytes of a row whose writer was killed; the next row marks them.`;
    state.note({ file: part.name, line: garbage.line, message });
  } else {
    tellGarbage(check);
  }
  check.garbage = undefined;
  return isMarked ? 0 : garbage.lines;
}

function checkPlace(
  check: FileCheck,
  { row, passedOver }: { readonly row: StoredRow; readonly passedOver: number },
): void {
  const { last } = check.state;
  const before = last ?? startOf(check, row);
  const next = before.sequence + 1;
  if (passedOver > 0 && row.sequence === next + passedOver) return;
  if (row.sequence > next) {
    const rows = nameRows(next, row.sequence - 1);
    tellRow(check, { row, message: `${rows} missing before it.` });
  } else if (row.sequence < next) {
    const message = `The row comes after row ${before.sequence}: it was moved or put in.`;
    tellRow(check, { row, message });
  } else if (row.previous !== before.hash && row.previous !== last?.computed) {
    tellRow(check, {
      row,
      message: "The row does not follow the one before it, which was replaced.",
    });
  }
}

/** Older files may have been removed; then the oldest that is left says where the chain begins. */
function startOf({ part }: FileCheck, row: StoredRow) {
  const begin = parseBegin(row.body);
  const isFirst = begin?.file === 1 || (begin === undefined && part.number === undefined);
  if (isFirst || row.previous === NO_HASH) return CHAIN_START;
  return { sequence: row.sequence - 1, hash: row.previous };
}

function checkKind(check: FileCheck, row: StoredRow): void {
  const { part, state, rowsHere } = check;
  const { kind } = row.body;
  const begin = parseBegin(row.body);
  if (begin) {
    const isRight = part.number === undefined || part.number === begin.file;
    if (!isRight)
      tellRow(check, { row, message: `The row begins file ${begin.file}, not this one.` });
    state.begin = begin;
  } else if (rowsHere === 0 && kind !== "torn") {
    tellRow(check, { row, message: "The first row of the file is missing." });
  }
  if (kind === "missing") tellRow(check, { row, message: describeMissing(row) });
}

function describeMissing({ body }: StoredRow): string {
  const { headSequence, foundSequence } = body;
  if (headSequence === undefined) return "The row says that the head was gone when it was written.";
  return `The row says that the head named row ${String(headSequence)}, and row ${String(foundSequence)} was the last that was found.`;
}

function tellRow(
  { part, line, state }: FileCheck,
  { row, message }: { readonly row: StoredRow; readonly message: string },
): void {
  state.tell({ file: part.name, line, sequence: row.sequence, message });
}
