// Compiles a schema once and checks values against it. Problems are worded for the model.

import { isToolError, ToolError, ToolInputError } from "../errors.js";
import type { TimeGuard } from "../ports/run-ports.js";
import { explain, fits } from "./check/inspect.js";
import { type LinkedDocument, linkSchema } from "./check/link.js";
import { createReport, type Problem, type Report, toProblemList } from "./check/report.js";
import { assessRisk, type Risk } from "./check/risk.js";
import { toTypebox } from "./check/to-typebox.js";
import { assertWellFormedSchema } from "./keywords.js";
import { assertSchemaWithinLimits, unreadableSchema } from "./limits.js";

export type { Problem } from "./check/report.js";

const DEFAULT_GUARD_MS = 50;

export type ValidationOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: Problem[] };

export interface Validator {
  /** Throws a ToolError `limit` when the check was stopped or the value is too deep to check. */
  check(value: unknown): ValidationOutcome;
}

export interface CompileOptions {
  /** Stops a check that would take long; without it a schema that needs one is refused. */
  readonly guard?: TimeGuard;
  /** 50 when absent. */
  readonly guardMs?: number;
}

const FITS: ValidationOutcome = Object.freeze({ ok: true });
const UNEXPLAINED: Problem = { path: "", message: "does not fit the schema" };

/**
 * Throws a ToolInputError when the schema is malformed or refers to what it does not have, a
 * ToolError `limit` when it is too large, `unavailable` when it needs a time guard and has none.
 */
export async function compileValidator(
  schema: unknown,
  options: CompileOptions = {},
): Promise<Validator> {
  const document = readDocument(schema);
  const risk = assessRisk(document);
  const { guard, guardMs = DEFAULT_GUARD_MS } = options;
  if (risk.needsGuard && guard === undefined) throw noTimeGuard();
  const isFitting = await chooseCheck(document, risk);
  const inspectValue = (value: unknown): ValidationOutcome =>
    isFitting(value) ? FITS : explainProblems(document, value);
  if (!risk.needsGuard || guard === undefined) {
    return { check: (value) => withTypedErrors(() => inspectValue(value)) };
  }
  const guarded = { isFitting, document, guard, guardMs };
  return { check: (value) => withTypedErrors(() => checkGuarded(guarded, value)) };
}

async function chooseCheck(document: LinkedDocument, risk: Risk): Promise<IsFitting> {
  if (risk.tooLargeToCompile && !document.tracksKeys) {
    return (value) => fits(document.root, value, document.definitions);
  }
  const { compileCheck } = await import("./check/to-typebox.js");
  return compileCheck(toTypebox(document));
}

export function isRisky(schema: unknown): boolean {
  try {
    return assessRisk(readDocument(schema)).needsGuard;
  } catch (error) {
    if (isToolError(error)) return true;
    throw error;
  }
}

function readDocument(schema: unknown): LinkedDocument {
  assertSchemaWithinLimits(schema);
  try {
    assertWellFormedSchema(schema);
    return linkSchema(schema);
  } catch (error) {
    if (isToolError(error)) throw error;
    throw unreadableSchema(error);
  }
}

type IsFitting = (value: unknown) => boolean;

interface GuardedCheck {
  readonly isFitting: IsFitting;
  readonly document: LinkedDocument;
  readonly guard: TimeGuard;
  readonly guardMs: number;
}

function checkGuarded(guarded: GuardedCheck, value: unknown): ValidationOutcome {
  const { isFitting, document, guard, guardMs } = guarded;
  let report: Report | undefined;
  try {
    return guard.run(() => {
      report = undefined;
      if (isFitting(value)) return FITS;
      report = createReport();
      return explainProblems(document, value, report);
    }, guardMs);
  } catch (error) {
    // What was found until the time was over.
    if (report === undefined || !isToolError(error)) throw error;
    return toOutcome(report);
  }
}

function explainProblems(
  document: LinkedDocument,
  value: unknown,
  report: Report = createReport(),
): ValidationOutcome {
  explain(document, value, report);
  return toOutcome(report);
}

function toOutcome(report: Report): ValidationOutcome {
  const problems = toProblemList(report);
  return { ok: false, problems: problems.length === 0 ? [UNEXPLAINED] : problems };
}

/** A value that exhausts the stack, or that throws when read, must not look like a fault of ours. */
function withTypedErrors<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (isToolError(error)) throw error;
    if (error instanceof SyntaxError) throw refusedPattern(error);
    if (!(error instanceof RangeError)) throw unreadableValue(error);
    throw new ToolError(
      "limit",
      "The value is too deep or too large to check; send less at once.",
      {
        reason: "check_exhausted",
        cause: error,
      },
    );
  }
}

function refusedPattern(cause: unknown): ToolInputError {
  return new ToolInputError("The schema has a pattern that cannot be run; make it simpler.", {
    reason: "schema_invalid",
    cause,
  });
}

function unreadableValue(cause: unknown): ToolInputError {
  return new ToolInputError("The value cannot be read; send plain JSON.", {
    reason: "arguments_unreadable",
    cause,
  });
}

function noTimeGuard(): ToolError {
  return new ToolError(
    "unavailable",
    "The schema has patterns or alternatives that can take long, and no time guard is set to stop them. " +
      "Simplify it, or give a guard.",
    { reason: "no_time_guard" },
  );
}
