// Reads the columns of a row. A row that is not as our tables are is a damaged index.

import { readField } from "../../../lib/read-field.js";

/** Throws for anything but text. */
export function textOf(row: unknown, column: string): string {
  const value = readField(row, column);
  if (typeof value === "string") return value;
  throw damaged(column);
}

/** Throws for anything but a number. */
export function numberOf(row: unknown, column: string): number {
  const value = readField(row, column);
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  throw damaged(column);
}

/** Throws for anything but bytes. */
export function bytesOf(row: unknown, column: string): Uint8Array {
  const value = readField(row, column);
  if (value instanceof Uint8Array) return value;
  throw damaged(column);
}

const CORRUPT_CODE = 11;

function damaged(column: string): Error {
  return Object.assign(new Error(`The column "${column}" is not as it was written.`), {
    sqliteExtendedCode: CORRUPT_CODE,
  });
}
