// What a shell may offer at each place of a command line, read from the command table.

import { type Completes, type FlagTable, GLOBAL_FLAGS } from "../flags.js";
import type { Command, CommandTable } from "../table/command.js";

/** The command whose second operand is a value of the key that is its first. */
export const SETTER = "config set";

export interface CompletionWords {
  /** Lists that have a name: those of tools and of keys of the config. */
  readonly named: Readonly<Record<string, readonly string[]>>;
  /** What keys of the config take, where that is one of some words. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  /** By "" for the first word, by the group, and by "group name". */
  readonly places: readonly CompletionPlace[];
  /** Flags that take a value, and what is offered for it. */
  readonly values: ReadonlyMap<string, Completes | undefined>;
}

export interface CompletionPlace {
  /** The words before it. */
  readonly place: string;
  /** What may stand there next: words of commands, then what the first operand takes. */
  readonly words: readonly string[];
  readonly operand: Completes | undefined;
  readonly flags: readonly string[];
}

export function collectWords(
  { groups: summaries, commands }: CommandTable,
  { named, choices }: Pick<CompletionWords, "named" | "choices">,
): CompletionWords {
  const groups = Object.keys(summaries);
  const start: CompletionPlace = {
    place: "",
    words: [...groups, "help"],
    operand: undefined,
    flags: toFlags(GLOBAL_FLAGS),
  };
  return {
    named,
    choices,
    places: [start, ...groups.flatMap((group) => toPlaces(group, commands))],
    values: listValues(commands),
  };
}

function toPlaces(group: string, all: readonly Command[]): CompletionPlace[] {
  const commands = all.filter((command) => command.group === group);
  const lone = commands.find(({ name }) => name === "");
  const named = commands.filter(({ name }) => name !== "");
  const own: CompletionPlace = {
    place: group,
    words: named.map(({ name }) => name),
    operand: lone?.operands[0]?.completes,
    flags: toFlags({ ...lone?.flags, ...GLOBAL_FLAGS }),
  };
  const inner = named.map(({ name, operands, flags }) => ({
    place: `${group} ${name}`,
    words: [],
    operand: operands[0]?.completes,
    flags: toFlags({ ...flags, ...GLOBAL_FLAGS }),
  }));
  return [own, ...inner];
}

function toFlags(flags: FlagTable): string[] {
  return Object.keys(flags).map((name) => `--${name}`);
}

/** A flag of several commands takes a value in all of them, or in none that has another meaning. */
function listValues(commands: readonly Command[]): Map<string, Completes | undefined> {
  const values = new Map<string, Completes | undefined>();
  const tables: FlagTable[] = [GLOBAL_FLAGS, ...commands.map(({ flags }) => flags)];
  for (const [name, flag] of tables.flatMap((table) => Object.entries(table))) {
    if (flag.type !== "string" || name === "json") continue;
    values.set(`--${name}`, merge(values.get(`--${name}`), flag.completes));
  }
  return values;
}

function merge(one: Completes | undefined, other: Completes | undefined): Completes | undefined {
  if (typeof one === "string" || other === undefined) return one;
  if (typeof other === "string" || one === undefined) return other;
  return [...new Set([...one, ...other])];
}
