// What a command is, as data: its words, flags and help, and where its work is loaded from.

import type { CommandCall } from "../command-call.js";
import type { Completes, FlagTable } from "../flags.js";

export interface CommandModule {
  /** Resolves to the exit code. */
  run(call: CommandCall): Promise<number>;
}

export interface Command {
  readonly group: string;
  /** "" for a command that is one word, its group. */
  readonly name: string;
  /** What other programs call it: not understood, but answered with its name. */
  readonly alsoCalled?: readonly string[];
  /** What follows the two words, for help: `[NAME]`. */
  readonly operands: readonly Operand[];
  readonly summary: string;
  /** Further sentences of its help. */
  readonly notes: readonly string[];
  readonly flags: FlagTable;
  readonly required: readonly string[];
  /**
   * How it is called rightly, for whoever gives it a word or a flag that it does not take: `<NAME>`
   * stands for its first word, `<KEY>` for the flag, `<VALUE>` for the word.
   */
  readonly sample?: string;
  readonly load: () => Promise<CommandModule>;
}

/** The commands that share a first word, or the one command that is that word. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Command[];
}

export interface CommandTable {
  /** Each group with its summary. */
  readonly groups: Readonly<Record<string, string>>;
  readonly commands: readonly Command[];
}

export interface Operand {
  readonly name: string;
  readonly required: boolean;
  /** The last one, which takes all words that are left. */
  readonly isMany?: true;
  /** What a shell offers for it. */
  readonly completes?: Completes;
}

export function optional(name: string, completes?: Completes): Operand[] {
  return [{ name, required: false, ...(completes === undefined ? {} : { completes }) }];
}
