// A command as data: its words, its flags, its help, and where what it does is loaded from.

import type { CommandCall } from "../command-call.js";
import type { FlagTable } from "../flags.js";

export interface CommandModule {
  /** Resolves to the exit code. */
  run(call: CommandCall): Promise<number>;
}

export interface Command {
  readonly group: string;
  /** "" for a command that is one word, its group. */
  readonly name: string;
  /** What follows the two words, for help: `[NAME]`. */
  readonly operands: readonly Operand[];
  readonly summary: string;
  /** Further sentences of its help. */
  readonly notes: readonly string[];
  readonly flags: FlagTable;
  readonly required: readonly string[];
  /** How it is called rightly, for whoever gives it a word or a flag that it does not take. */
  readonly sample?: string;
  readonly load: () => Promise<CommandModule>;
}

export interface Operand {
  readonly name: string;
  readonly required: boolean;
}

export const optional = (name: string): Operand[] => [{ name, required: false }];
