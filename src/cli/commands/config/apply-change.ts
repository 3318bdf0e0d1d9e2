// Config changes of commands: planned, refused if the result would not load, shown without secrets.

import {
  type ConfigEdit,
  type ConfigPlan,
  findKey,
  parseKeyPath,
  planConfigChange,
  replaceFile,
} from "../../../config/edit/index.js";
import { type ConfigProblem, hideSecrets, readConfigValue } from "../../../config/index.js";
import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { withoutUndefined } from "../../../lib/without-undefined.js";
import { type CommandCall, HIDDEN, show } from "../../command.js";
import { wrapText } from "../../terminal/wrap-text.js";
import { type CheckedConfig, checkConfig, describeProblem } from "./check-config.js";

const MAX_SHOWN_CHARS = 300;
const REFERENCE = /^\$\{[A-Z_][A-Z0-9_]*\}$/;
const MAX_PROBLEM_CHARS = 4_000;
const VARIABLE = /(?<!\$)\$\{([A-Z_][A-Z0-9_]*)\}/;

export async function applyChange(
  call: CommandCall,
  edits: readonly ConfigEdit[],
): Promise<number> {
  for (const { path, value } of edits) if (value !== undefined) assertKnown(path, call);
  const plan = await planConfigChange(call.place, edits);
  const [before, after] = [checkConfig(plan.before), checkConfig(plan.after)];
  assertBetter({ plan, before, after, call });
  const isDry = call.switches.has("dry-run");
  const written = plan.isChange && !isDry;
  if (written) await replaceFile({ path: plan.file, before: plan.bytes, text: plan.text });
  const changes = listChanges(plan, edits);
  const left = after.problems.filter(isNew(before)).concat(after.ok ? [] : errorsOf(after));
  for (const problem of left) call.output.warn(formatProblem(sayWhatToSet(problem, edits)));
  const document = { file: plan.file, changes, written, ok: after.ok };
  return show(call, document, () => describe({ plan, changes, isDry, width: call.width }));
}

function assertKnown(path: string, { output }: CommandCall): void {
  const found = findKey(parseKeyPath(path));
  if (found.status === "unknown") {
    const end = /[.?]$/.test(found.why) ? "" : ".";
    throw new ToolInputError(`${found.place} ${found.why}${end} Nothing was changed.`, {
      reason: "config_key_unknown",
    });
  }
  if (found.status === "known") return;
  output.warn(`warning: ${toPrintable(path, 200)}: clawtools does not use this key`);
}

/** A broken config may be fixed step by step. A variable may be missing only in this shell. */
function assertBetter(request: {
  readonly plan: ConfigPlan;
  readonly before: CheckedConfig;
  readonly after: CheckedConfig;
  readonly call: CommandCall;
}): void {
  const { plan, before, after, call } = request;
  if (after.ok || !plan.isChange) return;
  const [old, now] = [errorsOf(before), errorsOf(after)];
  const fresh = now.filter(isNew(before));
  const isOnlyUnfilled = now.every(({ path }) => plan.after.unfilled.has(path));
  const isNoWorse = now.length < old.length || isOnlyUnfilled;
  if (plan.before.exists && fresh.length === 0 && isNoWorse) return;
  const [first, ...others] = fresh.length > 0 ? fresh : now;
  for (const problem of others) call.output.warn(formatProblem(problem));
  const why = first === undefined ? "the config cannot be used" : describeProblem(first);
  const shown = toPrintable(why.replace(/\.$/, ""), MAX_PROBLEM_CHARS);
  const joint = shown.endsWith("?") ? " Nothing" : "; nothing";
  throw new ToolInputError(`${shown}${joint} was changed, because the config would not load.`, {
    reason: "config_invalid",
  });
}

/** A reference that was just written may be set where the server starts. */
function sayWhatToSet(problem: ConfigProblem, edits: readonly ConfigEdit[]): ConfigProblem {
  const value = edits.find(({ path }) => path === problem.path)?.value;
  const [, name] = typeof value === "string" ? (VARIABLE.exec(value) ?? []) : [];
  if (name === undefined || !problem.message.includes(`environment variable ${name}`)) {
    return problem;
  }
  const message = `set ${name} where the server starts. It is not set here, so what needs it is not set up`;
  return { ...problem, message };
}

function errorsOf({ problems }: CheckedConfig): ConfigProblem[] {
  return problems.filter(({ severity }) => severity === "error");
}

function isNew({ problems }: CheckedConfig): (problem: ConfigProblem) => boolean {
  const known = new Set(problems.map(formatProblem));
  return (problem) => !known.has(formatProblem(problem));
}

function formatProblem(problem: ConfigProblem): string {
  return toPrintable(`${problem.severity}: ${describeProblem(problem)}`, MAX_PROBLEM_CHARS);
}

function describe(options: {
  readonly plan: ConfigPlan;
  readonly changes: readonly ShownChange[];
  readonly isDry: boolean;
  readonly width: number;
}): string[] {
  const { plan, changes, isDry, width } = options;
  const file = toPrintable(plan.file, 4_096);
  const lines = changes.flatMap(({ path, before, after }) =>
    wrapText(`${toPrintable(path, 200)}: ${showValue(before)} -> ${showValue(after)}`, width),
  );
  const end = !plan.isChange
    ? `${file} already says so.`
    : isDry
      ? `Not written to ${file} (--dry-run).`
      : `Written to ${file}.`;
  return [...lines, ...wrapText(end, width)];
}

interface ShownChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

function listChanges({ values }: ConfigPlan, edits: readonly ConfigEdit[]): ShownChange[] {
  const { before, after } = values;
  return edits.flatMap(({ path, value }) => {
    // In a list the next entry moves to the index of a removed one.
    const isKept = value !== undefined;
    if (isKept && isSame(readConfigValue(before, path), readConfigValue(after, path))) return [];
    const old = readShown(before, path);
    const now = isKept ? readShown(after, path) : undefined;
    return [{ path, ...withoutUndefined({ before: old, after: now }) }];
  });
}

/** Compares the real values: two secrets look alike when hidden. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function showValue(value: unknown): string {
  if (value === undefined) return "(not set)";
  if (value === HIDDEN) return "(hidden)";
  return toPrintable(JSON.stringify(value), MAX_SHOWN_CHARS);
}

function readShown(config: unknown, path: string): unknown {
  const value = readConfigValue(config, path);
  if (typeof value === "string" && REFERENCE.test(value)) return value;
  return readConfigValue(hideSecrets(config, HIDDEN), path);
}
