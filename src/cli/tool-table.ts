// The table of tools for a terminal: one line a tool by section, and under each tool that cannot
// run the reason why.

import type { ExplainRow, ToolMeta, ToolSection } from "../core/index.js";

const NAME_WIDTH = 18;
const INDENT = " ".repeat(4 + NAME_WIDTH);
const READY = "✓";
const NOT_READY = "·";

export interface ToolTable {
  readonly sections: ReadonlyArray<ToolSection & { readonly tools: readonly ToolMeta[] }>;
  readonly rows: readonly ExplainRow[];
  /** Columns of the terminal. */
  readonly width: number;
}

export function formatToolTable(table: ToolTable): string[] {
  const rows = new Map(table.rows.map((row) => [row.id, row]));
  return table.sections.flatMap((section) => [
    section.label,
    ...section.tools.flatMap((meta) => formatTool(meta, rows.get(meta.id), table.width)),
    "",
  ]);
}

export function countReady(rows: readonly ExplainRow[]): number {
  return rows.filter(({ code }) => code === "ready").length;
}

function formatTool(meta: ToolMeta, row: ExplainRow | undefined, width: number): string[] {
  const ready = row?.code === "ready";
  const mark = ready ? READY : NOT_READY;
  const line = `  ${mark} ${meta.id.padEnd(NAME_WIDTH)}${meta.description}`;
  if (ready || row === undefined) return [line];
  return [line, ...wrapText(row.reason, width - INDENT.length).map((text) => INDENT + text)];
}

/** Breaks at spaces; a longer word stands alone on its line. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
