// `clawtools audit verify`: whether the audit is whole, and if not, where.

import { type AuditProblem, type VerifyResult, verifyAudit } from "../../../audit/index.js";
import { stateDir } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { tellFailure } from "../../tell-failure.js";
import { formatColumns, wrapText } from "../../wrap-text.js";

export async function run(call: CommandCall): Promise<number> {
  return await tellFailure(call, () => verify(call));
}

async function verify({ output, switches, texts, place, width }: CommandCall): Promise<number> {
  const folder = stateDir(place);
  const found = await verifyAudit(folder);
  if (texts["state-dir"] !== undefined && found.files === 0 && found.isWhole) throw noAudit(folder);
  if (switches.has("json")) printJson(output, found);
  else printLines(output, formatFindings(found, { folder, width }));
  return found.isWhole ? 0 : 1;
}

/** Who names a folder means one with an audit; a slip of the pen must not look like a whole one. */
function noAudit(folder: string): ToolError {
  return new ToolError(
    "not_found",
    `There is no audit in "${toPrintable(folder)}"; name the state folder with --state-dir.`,
    { reason: "audit_not_found" },
  );
}

function formatFindings(
  found: VerifyResult,
  { folder, width }: { readonly folder: string; readonly width: number },
): string[] {
  const { problems, problemCount, notes } = found;
  const left = problemCount - problems.length;
  return [
    ...wrapText(summarize(found, toPrintable(folder)), width),
    ...formatColumns({ rows: problems.map(toRow), width }),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...(notes.length > 0 ? ["Noted, and no harm:"] : []),
    ...formatColumns({ rows: notes.map(toRow), width }),
  ];
}

function summarize({ isWhole, files, rows, problemCount, last }: VerifyResult, folder: string) {
  if (files === 0 && isWhole) return `There is no audit in "${folder}".`;
  const size = `${count(rows, "row")} in ${count(files, "file")}`;
  if (!isWhole)
    return `The audit in "${folder}" is not whole: ${count(problemCount, "problem")}, ${size}.`;
  const end = last === undefined ? "" : ` The last is row ${last.sequence}, hash ${last.hash}.`;
  return `The audit in "${folder}" is whole: ${size}.${end}`;
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
}

function toRow({ file, line, sequence, message }: AuditProblem): [string, string] {
  const place = line === undefined ? file : `${file}:${line}`;
  return [place, sequence === undefined ? message : `row ${sequence}: ${message}`];
}
