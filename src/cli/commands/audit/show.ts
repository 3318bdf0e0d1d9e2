// `clawtools audit show`: the latest rows of the audit.

import { type ListedRow, listRows, type RowFilter } from "../../../audit/index.js";
import { stateDir } from "../../../config/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { formatColumns, wrapText } from "../../wrap-text.js";

const SPAN = /^([1-9]\d{0,5})([smhd])$/;

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/;

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DEFAULT_ROWS = 50;

const MAX_ROWS = 100_000;

export async function run({ output, switches, texts, place, width }: CommandCall): Promise<number> {
  const folder = stateDir(place);
  const filter: RowFilter = {
    toolName: texts.tool,
    toolCallId: texts.call,
    sinceMs: texts.since === undefined ? undefined : parseSince(texts.since, Date.now()),
    limit: parseLimit(texts.limit),
  };
  const rows = await listRows(folder, filter);
  if (switches.has("json")) printJson(output, rows);
  else if (rows.length > 0) printLines(output, formatRows(rows, width));
  else printLines(output, wrapText(describeNone(toPrintable(folder), filter), width));
  return 0;
}

function describeNone(folder: string, { toolName, toolCallId, sinceMs }: RowFilter): string {
  const isFiltered = [toolName, toolCallId, sinceMs].some((part) => part !== undefined);
  return isFiltered
    ? `No such call is recorded in "${folder}".`
    : `No call is recorded in "${folder}" yet.`;
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ROWS;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_ROWS) return limit;
  throw new UsageError(`--limit takes a whole number from 1 to ${MAX_ROWS}.`);
}

function formatRows(rows: readonly ListedRow[], width: number): string[] {
  return formatColumns({
    rows: rows.map((row) => [showTime(row.at), describeRow(row)]),
    width,
  });
}

/** Seconds are enough for people; programs take --json. */
function showTime(at: string): string {
  return at.slice(0, "2026-01-31T12:00:00".length).replace("T", " ");
}

function describeRow(row: ListedRow): string {
  if (row.kind === "torn") return "(a row was not written to its end)";
  if (row.kind === "missing") return "(rows before this were missing: see clawtools audit verify)";
  if (row.kind === "late") {
    return `(could not be written for a time: ${textOf(row.late)} rows late, ${textOf(row.missed)} lost)`;
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
        : [`let through by ${textOf(row.approvedBy).replace(/\.$/, "")}`]),
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

/** Milliseconds since the epoch. Throws a UsageError. */
function parseSince(text: string, nowMs: number): number {
  const [, count, unit = ""] = SPAN.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count !== undefined && unitMs !== undefined) return nowMs - Number(count) * unitMs;
  const atMs = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new UsageError(
    "--since takes a span such as 90s, 30m, 12h or 7d, or a date such as 2026-01-31.",
  );
}
