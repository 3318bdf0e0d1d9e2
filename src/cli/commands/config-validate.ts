// `clawtools config validate`: every problem of the config, or of one file, as a table.

import { loadConfig } from "../../config/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { type CheckedConfig, checkConfig, describeProblem } from "../config-change/check-config.js";
import { UsageError } from "../failure.js";
import { formatColumns, wrapText } from "../wrap-text.js";

const EXIT_INVALID = 2;
const MAX_PROBLEM_CHARS = 4_000;

export async function run(call: CommandCall): Promise<number> {
  const { words, place, output, switches, width } = call;
  const [file] = words;
  if (file !== undefined && place.path !== undefined) {
    throw new UsageError("Name the file once: as FILE or with --config.");
  }
  const checked = checkConfig(
    await loadConfig(file === undefined ? place : { ...place, path: file }),
  );
  const { path, exists, ok, problems } = checked;
  if (switches.has("json")) printJson(output, { path: path ?? null, exists, ok, problems });
  else printLines(output, describe(checked, width));
  return ok ? 0 : EXIT_INVALID;
}

function describe({ path, exists, problems, ok }: CheckedConfig, width: number): string[] {
  const rows = problems.map((problem): [string, string] => [
    problem.severity,
    toPrintable(describeProblem(problem), MAX_PROBLEM_CHARS),
  ]);
  const file = path === undefined ? "The config" : toPrintable(path, 4_096);
  const summary = summarize({ file, exists, ok, count: problems.length });
  return [
    ...formatColumns({ rows, width }),
    ...(rows.length === 0 ? [] : [""]),
    ...wrapText(summary, width),
  ];
}

function summarize(facts: { file: string; exists: boolean; ok: boolean; count: number }): string {
  const { file, exists, ok, count } = facts;
  if (!ok) return `${file} cannot be used.`;
  if (!exists) return `${file} is not there, so the config is empty.`;
  return count === 0 ? `${file} has no problems.` : `${file} can be used.`;
}
