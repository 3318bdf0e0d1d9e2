// Where problems are collected while a value is inspected: the first ones in full, the rest counted.

import { showPath } from "../json-value.js";

export const MAX_PROBLEMS = 20;

export interface Problem {
  /** `edits[0].oldText`; "" for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** What kind of rule was broken; a union uses it to tell which variant was meant. */
export type Fault = "kind" | "literal" | "other";

export interface Finding {
  readonly path: string;
  /** Made only for the problems that are shown: it may list the keys of a very wide value. */
  readonly message: () => string;
  readonly fault: Fault;
  readonly depth: number;
}

export interface Report {
  readonly findings: Finding[];
  more: number;
  readonly path: (string | number)[];
}

export function createReport(path: readonly (string | number)[] = []): Report {
  return { findings: [], more: 0, path: [...path] };
}

interface NewFinding extends Pick<Finding, "fault" | "message"> {
  /** A key of the value, when the finding is about it rather than about the value. */
  readonly key?: string;
}

export function isFull(report: Report): boolean {
  return report.findings.length >= MAX_PROBLEMS;
}

export function addFinding(report: Report, finding: NewFinding): void {
  if (isFull(report)) {
    report.more += 1;
    return;
  }
  const { key, fault, message } = finding;
  const path = key === undefined ? report.path : [...report.path, key];
  report.findings.push({ path: showPath(path), message, fault, depth: path.length });
}

export function addFindings(report: Report, other: Report): void {
  for (const finding of other.findings) {
    if (!isFull(report)) report.findings.push(finding);
    else report.more += 1;
  }
  report.more += other.more;
}

export function toProblemList(report: Report): Problem[] {
  const problems = report.findings.map(({ path, message }) => ({ path, message: message() }));
  return report.more === 0
    ? problems
    : [...problems, { path: "", message: `and ${report.more} more` }];
}
