// The tools as lines for a terminal: those that run, then those that cannot with the reason.

import type { ExplainRow, ToolMeta } from "../core/index.js";
import { wrapText } from "./terminal/wrap-text.js";

const NAME_WIDTH = 18;
/** Below this width the text goes on the line after the name. */
const MIN_TEXT_WIDTH = 24;
const READY = "✓";
const NOT_READY = "·";

export interface ToolTable {
  readonly tools: readonly ToolMeta[];
  readonly rows: readonly ExplainRow[];
  /** Columns of the terminal. */
  readonly width: number;
  /** By tool id: what a running tool still needs to be useful. */
  readonly needs?: ReadonlyMap<string, string> | undefined;
}

export function formatToolTable({ tools, rows, width, needs }: ToolTable): string[] {
  const states = new Map(rows.map((row) => [row.id, row]));
  const isReady = ({ id }: ToolMeta) => states.get(id)?.code === "ready";
  const ready = tools.filter(isReady);
  const others = tools.filter((meta) => !isReady(meta));
  return [
    ...ready.flatMap(({ id, description }) =>
      formatLine({ mark: READY, name: id, text: needs?.get(id) ?? description, width }),
    ),
    "",
    ...others.flatMap(({ id }) =>
      formatLine({ mark: NOT_READY, name: id, text: toReason(states.get(id)), width }),
    ),
  ];
}

export function countReady(rows: readonly ExplainRow[]): number {
  return rows.filter(({ code }) => code === "ready").length;
}

/** The list already shows that the tool is not ready, so only the cause is printed. */
function toReason(row: ExplainRow | undefined): string {
  return row?.reason.replace(/^not built yet; /, "") ?? "";
}

function formatLine(tool: { mark: string; name: string; text: string; width: number }): string[] {
  const { mark, name, text, width } = tool;
  const head = `  ${mark} ${name.padEnd(NAME_WIDTH)}`;
  if (width - head.length < MIN_TEXT_WIDTH) {
    return [head.trimEnd(), ...wrapText(text, width - 4).map((line) => `    ${line}`)];
  }
  const [first = "", ...rest] = wrapText(text, width - head.length);
  return [`${head}${first}`, ...rest.map((line) => " ".repeat(head.length) + line)];
}
