// `clawtools audit verify`: whether the audit is intact, and if not, where.

import { type AuditProblem, type VerifyResult, verifyAudit } from "../../../audit/index.js";
import { stateDir } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { countOf, formatColumns, wrapText } from "../../terminal/wrap-text.js";

export const command: Command = {
  notes: [
    "The exit code is 1 when something is wrong; file and row are named. It is 5 when --state-dir names a folder without an audit.",
  ],
  flags: JSON_FLAG,
  async run(call) {
    const folder = stateDir(call.place);
    const found = await verifyAudit(folder);
    const isNamed = call.texts["state-dir"] !== undefined;
    if (isNamed && found.files === 0 && found.isWhole) throw noAudit(folder);
    show(call, found, () => formatFindings(found, { folder, width: call.width }));
    return found.isWhole ? 0 : 1;
  },
};

/** A mistyped folder must not look like an intact audit. */
function noAudit(folder: string): ToolError {
  return new ToolError(
    "not_found",
    `No audit found in "${toPrintable(folder)}". Name the state folder with --state-dir.`,
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
    ...(notes.length > 0 ? ["Notes, nothing is wrong:"] : []),
    ...formatColumns({ rows: notes.map(toRow), width }),
  ];
}

function summarize({ isWhole, files, rows, problemCount, last }: VerifyResult, folder: string) {
  if (files === 0 && isWhole) return `No audit found in "${folder}".`;
  const size = `${countOf(rows, "row")} in ${countOf(files, "file")}`;
  if (!isWhole)
    return `The audit in "${folder}" is not intact: ${countOf(problemCount, "problem")}, ${size}.`;
  const end = last === undefined ? "" : ` The last is row ${last.sequence}, hash ${last.hash}.`;
  return `The audit in "${folder}" is intact: ${size}.${end}`;
}

function toRow({ file, line, sequence, message }: AuditProblem): [string, string] {
  const place = line === undefined ? file : `${file}:${line}`;
  return [place, sequence === undefined ? message : `row ${sequence}: ${message}`];
}
