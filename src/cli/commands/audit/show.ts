// `clawtools audit show`: the latest rows of the audit.

import { type ListedRow, listRows, type RowFilter } from "../../../audit/index.js";
import { stateDir } from "../../../config/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { parseSpanMs } from "../../../lib/time-span.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { UsageError } from "../../failure.js";
import { JSON_FLAG, readWhole } from "../../flags.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/;
const DEFAULT_ROWS = 50;
const MAX_ROWS = 100_000;

export const command: Command = {
  notes: ["The newest call is last. Times are UTC."],
  flags: {
    "--tool NAME": "Only calls of this tool.",
    "--call ID": "Only calls with this id.",
    "--since TIME": "Only since then: 90s, 30m, 12h, 7d, or a date such as 2026-01-31T12:00Z.",
    "--limit COUNT": "Number of rows, newest first (default 50).",
    ...JSON_FLAG,
  },
  run,
};

async function run(call: CommandCall): Promise<number> {
  const { texts, width } = call;
  const folder = stateDir(call.place);
  const filter: RowFilter = {
    toolName: texts.tool,
    toolCallId: texts.call,
    sinceMs: texts.since === undefined ? undefined : parseSince(texts.since, Date.now()),
    limit: readWhole(call, "limit", { min: 1, max: MAX_ROWS }) ?? DEFAULT_ROWS,
  };
  const rows = await listRows(folder, filter);
  return show(call, rows, () =>
    rows.length > 0
      ? formatColumns({ rows: rows.map((row) => [showTime(row.at), describeRow(row)]), width })
      : wrapText(describeNone(toPrintable(folder), filter), width),
  );
}

function describeNone(folder: string, { toolName, toolCallId, sinceMs }: RowFilter): string {
  const isFiltered = [toolName, toolCallId, sinceMs].some((part) => part !== undefined);
  return isFiltered
    ? `No matching call is recorded in "${folder}".`
    : `No call is recorded in "${folder}" yet.`;
}

/** Seconds are enough for people; programs take --json. */
function showTime(at: string): string {
  return at.slice(0, "2026-01-31T12:00:00".length).replace("T", " ");
}

function describeRow(row: ListedRow): string {
  if (row.kind === "torn") return "(a row was only partly written)";
  if (row.kind === "missing")
    return "(rows before this one are missing: run clawtools audit verify)";
  if (row.kind === "late") {
    return `(the audit could not be written for a while: ${textOf(row.late)} rows late, ${textOf(row.missed)} lost)`;
  }
  return [
    `${textOf(row.toolName)} ${describeEnd(row)};`,
    `${textOf(row.durationMs)} ms,`,
    [
      textOf(row.entryPoint),
      ...(row.agentId === undefined ? [] : [`agent ${textOf(row.agentId)}`]),
      ...(row.sender === undefined ? [] : [`from ${textOf(row.sender)}`]),
      ...(row.approvedBy === undefined
        ? []
        : [`approved by ${textOf(row.approvedBy).replace(/\.$/, "")}`]),
      textOf(row.toolCallId),
    ].join(", "),
  ].join(" ");
}

function describeEnd({ outcome, stage, code, reason, rule }: ListedRow): string {
  if (outcome === "ok") return "ok";
  const why = [code, reason].filter((part) => part !== undefined).map(textOf);
  const by = rule === undefined ? "" : ` by ${textOf(rule)}`;
  const where = outcome === "stopped" ? ` at ${textOf(stage)}` : "";
  return `${textOf(outcome)}${where}: ${why.join("/")}${by}`;
}

function textOf(value: unknown): string {
  return toPrintable(String(value));
}

function parseSince(text: string, nowMs: number): number {
  const spanMs = parseSpanMs(text);
  if (spanMs !== undefined) return nowMs - spanMs;
  const atMs = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new UsageError(
    "--since takes a span such as 90s, 30m, 12h or 7d, or a date such as 2026-01-31.",
  );
}
