// `clawtools audit verify`: whether the audit is whole, and if not, where.

import { type AuditProblem, type VerifyResult, verifyAudit } from "../../../audit/index.js";
import { stateDir } from "../../../config/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { formatColumns, wrapText } from "../../wrap-text.js";

export async function run({ output, switches, place, width }: CommandCall): Promise<number> {
  const folder = stateDir(place);
  const found = await verifyAudit(folder);
  if (switches.has("json")) printJson(output, found);
  else printLines(output, formatFindings(found, { folder, width }));
  return found.isWhole ? 0 : 1;
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
