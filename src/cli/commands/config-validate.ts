// `clawtools config validate`: every problem of the config, or of one file, as a table.

import { type ConfigProblem, type LoadedConfig, loadConfig } from "../../config/index.js";
import { toPrintable } from "../../lib/printable.js";
import { findPolicyProblems } from "../../toolkit/index.js";
import { sentenceAsWritten } from "../as-written.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
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
  const checked = check(await loadConfig(file === undefined ? place : { ...place, path: file }));
  const { path, exists, ok, problems } = checked;
  if (switches.has("json")) printJson(output, { path: path ?? null, exists, ok, problems });
  else printLines(output, describe(checked, width));
  return ok ? 0 : EXIT_INVALID;
}

type Checked = Pick<LoadedConfig, "path" | "exists" | "ok" | "problems">;

/** The policy is compiled for everybody, so that no `tools` command refuses what passes here. */
function check(loaded: LoadedConfig): Checked {
  const { path, exists, written } = loaded;
  const config = loaded.ok ? loaded.config : loaded.draft;
  const told = new Set(loaded.problems.map((problem) => problem.path));
  const more = findPolicyProblems(config ?? {})
    // Where the schema has found something wrong, it has said it better.
    .filter((problem) => loaded.ok || (problem.code !== "malformed" && !told.has(problem.path)))
    .map(({ path: place, severity, message }): ConfigProblem => {
      return { path: place, severity, message: sentenceAsWritten(message, written) };
    });
  const problems = [...loaded.problems, ...more];
  const ok = loaded.ok && more.every(({ severity }) => severity !== "error");
  return { path, exists, ok, problems };
}

function describe({ path, exists, problems, ok }: Checked, width: number): string[] {
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

function describeProblem({ path, message }: ConfigProblem): string {
  return path === "" ? message : `${path}: ${message}`;
}

function summarize(facts: { file: string; exists: boolean; ok: boolean; count: number }): string {
  const { file, exists, ok, count } = facts;
  if (!ok) return `${file} cannot be used.`;
  if (!exists) return `${file} is not there, so the config is empty.`;
  return count === 0 ? `${file} has no problems.` : `${file} can be used.`;
}
