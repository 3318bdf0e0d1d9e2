// `clawtools tools explain`: for every tool, or one, why it is there or not, and what brings it back.

import type { ExplainRow } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { explainTool, type ToolkitUse, withToolkit } from "../with-toolkit.js";
import { formatColumns, wrapText } from "../wrap-text.js";

const EXIT_ABSENT = 1;
const MAX_REASON_CHARS = 1_000;

export async function run(call: CommandCall): Promise<number> {
  const [name] = call.words;
  return await withToolkit(call, async (use) =>
    name === undefined ? explainAll(call, use) : explainOne(call, { ...use, name }),
  );
}

function explainAll({ output, switches, width }: CommandCall, { toolkit }: ToolkitUse): number {
  const rows = toolkit.explain();
  if (switches.has("json")) {
    printJson(output, rows);
    return 0;
  }
  const [present, absent] = [ofStatus(rows, "present"), ofStatus(rows, "absent")];
  const columns = [...present, ...absent].map(({ id, status, reason }): [string, string] => [
    toPrintable(id),
    status === "present" ? "present" : `absent: ${toPrintable(reason, MAX_REASON_CHARS)}`,
  ]);
  const summary = `${present.length} present, ${absent.length} absent; \`clawtools tools explain NAME\` shows what brings one back.`;
  printLines(output, [...formatColumns({ rows: columns, width }), "", ...wrapText(summary, width)]);
  return 0;
}

function explainOne(
  { output, switches, width }: CommandCall,
  { toolkit, configPath, name }: ToolkitUse & { readonly name: string },
): number {
  const row = explainTool(toolkit, name);
  if (switches.has("json")) printJson(output, row);
  else printLines(output, describeRow(row, { width, configPath }));
  return row.status === "present" ? 0 : EXIT_ABSENT;
}

function describeRow(
  row: ExplainRow,
  { width, configPath }: { readonly width: number; readonly configPath: string | undefined },
): string[] {
  const { id, status, code, reason, rule, restore } = row;
  const verdict = status === "present" ? "present" : `absent: ${toPrintable(reason, 1_000)}`;
  const lines = wrapText(`${toPrintable(id)} is ${verdict}`, width);
  if (rule !== undefined) lines.push(...wrapText(`Rule: ${toPrintable(rule, 1_000)}`, width));
  if (restore !== undefined) return [...lines, ...describeRestore({ restore, configPath, width })];
  if (code !== "denied") return lines;
  return [...lines, ...wrapText("No change of the config alone brings it back.", width)];
}

/** The patch keeps its own line ends, so that it can be copied. */
function describeRestore(options: {
  readonly restore: Readonly<Record<string, unknown>>;
  readonly configPath: string | undefined;
  readonly width: number;
}): string[] {
  const { restore, configPath, width } = options;
  const file = configPath === undefined ? "the config" : toPrintable(configPath, 4_096);
  const how = `To bring it back, put this into ${file}; objects are joined key by key, lists are replaced:`;
  return [...wrapText(how, width), JSON.stringify(restore, null, 2)];
}

function ofStatus(rows: readonly ExplainRow[], status: ExplainRow["status"]): ExplainRow[] {
  return rows.filter((row) => row.status === status);
}
