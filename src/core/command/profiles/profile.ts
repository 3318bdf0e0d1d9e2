// What a profile says about arguments: the files read or written, or why that is unknown.

import type { PathUse, RepositoryFacts } from "../plan.js";
import { type OptionSpec, readOptions } from "./read-options.js";

export type ProfileReading =
  | {
      readonly ok: true;
      readonly paths: readonly PathUse[];
      /** The arguments with which it is safe, where words have to be added. */
      readonly args?: readonly string[];
      readonly added?: readonly string[];
      /** It reads a file of settings there by itself. */
      readonly settings?: "home";
      /** Programs that it may start by their bare name, as the system has them. */
      readonly helpers?: readonly string[];
      /** Asks for the facts of the repository, and says what is wrong with them. */
      readonly judgeRepository?: (facts: RepositoryFacts, root: string) => string | undefined;
    }
  | { readonly ok: false; readonly why: string };

export interface ProgramProfile {
  readonly names: readonly string[];
  /** `args` are without the name; words that a reading added before are understood. */
  read(args: readonly string[]): ProfileReading;
}

export function unknownArguments(why: string): ProfileReading {
  return { ok: false, why };
}

export function toReads(words: readonly string[]): readonly PathUse[] {
  return words.filter((word) => word !== "-").map((word) => ({ word, use: "read" }));
}

export interface ProfileRow extends OptionSpec {
  readonly names: string;
  /** What they are; files that it reads unless said otherwise. */
  readonly operands?: "writes" | "text" | "pattern" | "none";
  readonly patternOptions?: string;
  readonly maxOperands?: number;
  /** It takes further arguments out of a file that a word with `@` names, wherever that is. */
  readonly hasResponseFiles?: true;
  /** Words for which an option's value must not be taken: they name a file of another kind. */
  readonly refusedValues?: RegExp;
  readonly adds?: string;
  readonly settings?: "home";
  readonly helpers?: string;
}

/** A date that says its own time zone, which is a file where it is a path. */
export const ZONED_DATE = /TZ\s*=/;

export function toProfile(row: ProfileRow): ProgramProfile {
  const { names, settings, helpers } = row;
  const known = {
    ...(settings === undefined ? {} : { settings }),
    ...(helpers === undefined ? {} : { helpers: helpers.split(" ") }),
  };
  return {
    names: names.split(" "),
    read(args) {
      const reading = withAdded(row, args);
      return reading.ok ? { ...reading, ...known } : reading;
    },
  };
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
  const response = row.hasResponseFiles && args.find((word) => word.startsWith("@"));
  if (response) return unknownArguments(`"${response}" may stand for arguments in a file`);
  const refused = options.find(({ value }) => value && row.refusedValues?.test(value));
  if (refused) return unknownArguments(`the value of ${refused.name} may name a file`);
  const most = row.operands === "none" ? 0 : (row.maxOperands ?? Number.POSITIVE_INFINITY);
  if (operands.length > most)
    return unknownArguments(`"${operands[most]}" is one operand too many`);
  if (row.operands === undefined) return { ok: true, paths: toReads(operands) };
  if (row.operands === "writes") {
    return { ok: true, paths: operands.map((word) => ({ word, use: "write" })) };
  }
  if (row.operands !== "pattern") return { ok: true, paths: [] };
  const givesPattern = row.patternOptions?.split(" ") ?? [];
  const hasPattern = options.some(({ name }) => givesPattern.includes(name));
  return { ok: true, paths: toReads(hasPattern ? operands : operands.slice(1)) };
}
