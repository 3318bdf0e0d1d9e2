// `clawtools tools explain`: for every tool, or one, why it is there or not, and what brings it back.

import { findParts, valueAsWritten } from "../../config/index.js";
import type { ExplainRow } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { webSearch } from "../../tools/web_search/index.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { readSearchSetup } from "../configure/search-setup.js";
import { type Edit, listEdits } from "../describe-change.js";
import type { UsableConfig } from "../usable-config.js";
import { type ToolkitUse, withToolkit } from "../with-toolkit.js";
import { formatColumns, wrapText } from "../wrap-text.js";

const EXIT_ABSENT = 1;
const MAX_REASON_CHARS = 1_000;

export async function run(call: CommandCall): Promise<number> {
  const [name] = call.words;
  return await withToolkit(call, async (use) =>
    name === undefined ? explainAll(call, use) : explainOne(call, { ...use, name }),
  );
}

function explainAll(
  { output, switches, width }: CommandCall,
  { toolkit, config }: ToolkitUse,
): number {
  const rows = valueAsWritten(toolkit.explain(), config.written);
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

async function explainOne(
  { output, switches, width }: CommandCall,
  { toolkit, config, name }: ToolkitUse & { readonly name: string },
): Promise<number> {
  // What contains commands is known only when it was tried.
  if (toolkit.explain(name).facts !== undefined) await toolkit.commandFacts();
  const found = await withSetup(toolkit.explain(name), config);
  const row = valueAsWritten(found, config.written);
  if (switches.has("json")) printJson(output, row);
  else printLines(output, describeRow(row, { width, config }));
  return row.status === "present" ? 0 : EXIT_ABSENT;
}

/** That a tool is there does not say that it has somebody to ask. */
async function withSetup(row: ExplainRow, { config }: UsableConfig): Promise<ExplainRow> {
  if (row.id !== webSearch.name || row.status === "absent") return row;
  return { ...row, facts: [(await readSearchSetup(config)).text] };
}

function describeRow(
  row: ExplainRow,
  { width, config }: { readonly width: number; readonly config: UsableConfig },
): string[] {
  const { id, status, code, reason, rule, restore, facts = [] } = row;
  const verdict = status === "present" ? "present" : `absent: ${toPrintable(reason, 1_000)}`;
  const lines = wrapText(`${toPrintable(id)} is ${verdict}`, width);
  if (rule !== undefined) lines.push(...wrapText(`Rule: ${toPrintable(rule, 1_000)}`, width));
  if (restore !== undefined) {
    const aim = rule === undefined ? "To bring it in" : "To lift the rule";
    return [...lines, ...describeRestore({ aim, restore, config, width })];
  }
  for (const fact of facts) lines.push(...wrapText(toPrintable(fact, 1_000), width));
  if (code !== "denied") return lines;
  return [...lines, ...wrapText("No change of the config alone brings it back.", width)];
}

/**
 * The patch keeps its own line ends, so that it can be copied. Of a rule it is not said that lifting
 * it is enough: the reason may name more that keeps the tool away.
 */
function describeRestore(options: {
  readonly aim: string;
  readonly restore: unknown;
  readonly config: UsableConfig;
  readonly width: number;
}): string[] {
  const { aim, restore, config, width } = options;
  const edits = listEdits(valueAsWritten(config.config, config.written), restore);
  const changes = edits.flatMap(({ text }) => wrapText(`Change: ${text}`, width));
  const file = config.path === undefined ? "the config" : toPrintable(config.path, 4_096);
  const place = config.parts.length > 1 ? describeParts(edits, config) : `put this into ${file}`;
  const how = `${aim}, ${place}; objects are joined key by key, entries of a list by their id, other lists are replaced:`;
  return [...changes, ...wrapText(how, width), JSON.stringify(restore, null, 2)];
}

/** Lists of several files are put one after the other: a patch of the main file would only add. */
function describeParts(edits: readonly Edit[], { parts }: UsableConfig): string {
  const files = edits.flatMap(({ path }) => findParts(parts, keysOf(path)));
  const shown = [...new Set(files)].map((file) => toPrintable(file, 4_096)).join(", ");
  return shown === ""
    ? "change one of the files that the config includes"
    : `make the change where the rule stands, in ${shown}, because included lists are put one after the other`;
}

/** Down to the first list. */
function keysOf(path: Edit["path"]): string[] {
  const end = path.findIndex((step) => typeof step === "number");
  return path.slice(0, end === -1 ? undefined : end).map(String);
}

function ofStatus(rows: readonly ExplainRow[], status: ExplainRow["status"]): ExplainRow[] {
  return rows.filter((row) => row.status === status);
}
