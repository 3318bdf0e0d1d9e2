// Programs of which a line says all: their options, and what their operands are.

import { type ProfileReading, type ProgramProfile, toReads, unknownArguments } from "./profile.js";
import { type OptionSpec, readOptions } from "./read-options.js";

export interface ProfileRow extends OptionSpec {
  readonly names: string;
  /**
   * `reads` and `writes`: each is a path. `text`: none is. `pattern`: the first is text unless an
   * option of `patternOptions` gave it, the rest are paths. `none`: there are none.
   */
  readonly operands: "reads" | "writes" | "text" | "pattern" | "none";
  readonly patternOptions?: string;
  readonly maxOperands?: number;
  /** An option that is put before the others. */
  readonly adds?: string;
}

export function toProfile(row: ProfileRow): ProgramProfile {
  return { names: row.names.split(" "), read: (args) => withAdded(row, args) };
}

function withAdded({ adds, ...row }: ProfileRow, args: readonly string[]): ProfileReading {
  const reading = readRow(row, args);
  if (!reading.ok || adds === undefined) return reading;
  const rest = args[0] === adds ? args.slice(1) : args;
  return { ...reading, args: [adds, ...rest], added: [adds] };
}

function readRow(row: ProfileRow, args: readonly string[]): ProfileReading {
  const reading = readOptions(args, row);
  if (!reading.ok) return reading;
  const { options, operands } = reading;
  const most = row.operands === "none" ? 0 : (row.maxOperands ?? Number.POSITIVE_INFINITY);
  if (operands.length > most)
    return unknownArguments(`"${operands[most]}" is one operand too many`);
  if (row.operands === "reads") return { ok: true, paths: toReads(operands) };
  if (row.operands === "writes") {
    return { ok: true, paths: operands.map((word) => ({ word, use: "write" })) };
  }
  if (row.operands !== "pattern") return { ok: true, paths: [] };
  const givesPattern = row.patternOptions?.split(" ") ?? [];
  const hasPattern = options.some(({ name }) => givesPattern.includes(name));
  return { ok: true, paths: toReads(hasPattern ? operands : operands.slice(1)) };
}
