// The tools as lines for a terminal: ready ones first, the others with the reason.

import type { ExplainRow, ToolMeta } from "../core/index.js";
import { formatColumns } from "./terminal/wrap-text.js";

export interface ToolTable {
  readonly tools: readonly ToolMeta[];
  readonly rows: readonly ExplainRow[];
  readonly width: number;
  /** By tool id: what a running tool still needs to be useful. */
  readonly needs?: ReadonlyMap<string, string> | undefined;
}

export function formatToolTable({ tools, rows, width, needs }: ToolTable): string[] {
  const states = new Map(rows.map((row) => [row.id, row]));
  const isReady = ({ id }: ToolMeta) => states.get(id)?.code === "ready";
  const ready = tools.filter(isReady).map(({ id, description }): [string, string] => {
    return [`✓ ${id}`, needs?.get(id) ?? description];
  });
  // The mark says that it is not ready, so only the cause is printed.
  const others = tools
    .filter((meta) => !isReady(meta))
    .map(({ id }): [string, string] => {
      return [`· ${id}`, states.get(id)?.reason.replace(/^not built yet; /, "") ?? ""];
    });
  const lines = formatColumns({ rows: [...ready, ["", ""], ...others], width });
  return lines.map((line) => line.trimEnd());
}

export function countReady(rows: readonly ExplainRow[]): number {
  return rows.filter(({ code }) => code === "ready").length;
}
