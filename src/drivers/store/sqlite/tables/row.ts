// Reads columns of a row: what the database gives is unknown until it was looked at.

import { ToolError } from "../../../../core/index.js";
import { readField } from "../../../../lib/read-field.js";

export function integerOf(row: unknown, column: string): number {
  const value = readField(row, column);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw damaged(column);
}

export function optionalIntegerOf(row: unknown, column: string): number | undefined {
  return readField(row, column) === null ? undefined : integerOf(row, column);
}

export function textOf(row: unknown, column: string): string {
  const value = readField(row, column);
  if (typeof value === "string") return value;
  throw damaged(column);
}

/** The value of a record. */
export function jsonOf(row: unknown, column: string): unknown {
  try {
    return JSON.parse(textOf(row, column));
  } catch (cause) {
    throw damaged(column, cause);
  }
}

function damaged(column: string, cause?: unknown): ToolError {
  return new ToolError(
    "failed",
    `A record of the state database has no valid "${column}"; restore state.db from a backup, or move it away to start again.`,
    { reason: "store_corrupt", cause },
  );
}
