// `clawtools config validate`: every problem of the config, or of one file, as a table.

import { loadConfig } from "../../../config/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, show } from "../../command.js";
import { UsageError } from "../../failure.js";
import { JSON_FLAG } from "../../flags.js";
import { type Style, showMark } from "../../terminal/style.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";
import { type CheckedConfig, checkConfig, describeProblem } from "./check-config.js";

const EXIT_INVALID = 2;
const MAX_PROBLEM_CHARS = 4_000;

export const command: Command = {
  usage: "[FILE]",
  notes: ["The exit code is 2 when a problem is an error."],
  flags: JSON_FLAG,
  async run(call) {
    const { words, place, width } = call;
    const [file] = words;
    if (file !== undefined && place.path !== undefined) {
      throw new UsageError("Name the file once: as FILE or with --config.");
    }
    const source = file === undefined ? place : { ...place, path: file };
    const checked = checkConfig(await loadConfig(source));
    const { path = null, exists, ok, problems } = checked;
    show(call, { path, exists, ok, problems }, () =>
      describe(checked, { width, style: call.output.style }),
    );
    return ok ? 0 : EXIT_INVALID;
  },
};

function describe(
  { path, exists, problems, ok }: CheckedConfig,
  { width, style }: { readonly width: number; readonly style: Style },
): string[] {
  const rows = problems.map((problem): [string, string] => [
    showMark(problem.severity, style),
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
  if (!exists) return `${file} does not exist, so the config is empty.`;
  return count === 0 ? `${file} has no problems.` : `${file} can be used.`;
}
