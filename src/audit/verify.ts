// Checks that the audit is whole: every row as written, in its place, none missing.

import { type ChainState, checkFile } from "./check-file.js";
import { type AuditPart, withAuditFiles } from "./list-rows.js";
import { AUDIT_FILE, archiveName, type FoundHead, HEAD_FILE, nameRows, readHead } from "./row.js";

const MAX_PROBLEMS = 100;

export interface AuditProblem {
  readonly file: string;
  readonly line?: number;
  readonly sequence?: number;
  readonly message: string;
}

export interface VerifyResult {
  readonly isWhole: boolean;
  readonly files: number;
  readonly rows: number;
  readonly problems: readonly AuditProblem[];
  readonly problemCount: number;
  /** What is not a harm, such as a line that a killed process left and the next one marked. */
  readonly notes: readonly AuditProblem[];
  /** Of the last row: anyone who keeps it elsewhere can tell later that nothing before it changed. */
  readonly last?: { readonly sequence: number; readonly hash: string };
}

/** The head is read first: rows that are written meanwhile are not contradiction. */
export async function verifyAudit(folder: string): Promise<VerifyResult> {
  const head = await readHead(folder);
  return withAuditFiles(folder, async ({ parts, unreadable }) => {
    const problems: AuditProblem[] = [];
    const notes: AuditProblem[] = [];
    let problemCount = 0;
    const state: ChainState = {
      last: undefined,
      rows: 0,
      begin: undefined,
      headHash: undefined,
      headSequence: head.kind === "found" ? head.link.sequence : undefined,
      tell(problem) {
        problemCount += 1;
        if (problems.length < MAX_PROBLEMS) problems.push(problem);
      },
      note: (problem) => notes.push(problem),
    };
    for (const { name, why } of unreadable) state.tell({ file: name, message: why });
    for (const part of parts) {
      checkOrder(part, state);
      await checkFile(part, state);
    }
    checkFiles(parts, state);
    checkHead(head, state);
    return {
      isWhole: problemCount === 0,
      files: parts.length,
      rows: state.rows,
      problems,
      problemCount,
      notes,
      ...(state.last && { last: { sequence: state.last.sequence, hash: state.last.hash } }),
    };
  });
}

function checkOrder({ number }: AuditPart, state: ChainState): void {
  const before = state.begin?.file;
  if (before === undefined || number === undefined) return;
  for (let missing = before + 1; missing < number; missing++) tellMissing(missing, state);
}

function checkFiles(parts: readonly AuditPart[], state: ChainState): void {
  const { begin } = state;
  if (begin === undefined) return;
  const found = new Set(parts.map(({ number }) => number));
  const known = [...found].filter((number) => number !== undefined);
  const first = Math.min(begin.file, ...known);
  for (let missing = begin.oldestFile; missing < first; missing++) tellMissing(missing, state);
  const newest = known.length === 0 ? undefined : Math.max(...known);
  if (!found.has(undefined) || newest === undefined) return;
  for (let missing = newest + 1; missing < begin.file; missing++) tellMissing(missing, state);
}

function tellMissing(number: number, state: ChainState): void {
  state.tell({ file: archiveName(number), message: "The file is missing." });
}

function checkHead(head: FoundHead, state: ChainState): void {
  const { last, tell } = state;
  const lastSequence = last?.sequence ?? 0;
  if (head.kind !== "found") {
    if (head.kind === "none" && last === undefined) return;
    const what = head.kind === "none" ? "is missing" : "was changed";
    const message = `The head ${what}, so rows cut off at the end are not missed.`;
    tell({ file: HEAD_FILE, message });
    return;
  }
  const { sequence, hash } = head.link;
  if (sequence > lastSequence) {
    const rows = nameRows(lastSequence + 1, sequence);
    const message = `${rows} missing at the end: the head names row ${sequence} as written.`;
    tell({ file: AUDIT_FILE, sequence, message });
  } else if (state.headHash !== undefined && state.headHash !== hash) {
    const message = `The head names another row ${sequence} than the one that is there.`;
    tell({ file: HEAD_FILE, sequence, message });
  }
}
