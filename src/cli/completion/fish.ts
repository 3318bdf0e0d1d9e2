// The completion script for fish.

import { type Completes, type FlagTable, GLOBAL_FLAGS } from "../flags.js";
import type { Command, CommandTable } from "../table/command.js";
import type { CompletionWords } from "./words.js";

const USED = "__fish_seen_subcommand_from";

export function writeFish(
  { named }: Pick<CompletionWords, "named">,
  { groups, commands }: CommandTable,
): string[] {
  const first = `not ${USED} ${Object.keys(groups).join(" ")}`;
  return [
    "# clawtools: completion for fish. Load it with: clawtools completion fish | source",
    "complete -c clawtools -f",
    ...Object.entries(groups).map(
      ([group, summary]) => `complete -c clawtools -n '${first}' -a ${group} -d ${quote(summary)}`,
    ),
    ...commands.flatMap((command) => writeCommand(command, { commands, named })),
    ...writeFlags(GLOBAL_FLAGS, { condition: "", named }),
  ];
}

function writeCommand(
  { group, name, summary, flags, operands }: Command,
  { commands, named }: Pick<CommandTable, "commands"> & Pick<CompletionWords, "named">,
): string[] {
  const siblings = commands.filter((one) => one.group === group && one.name !== "");
  const names = siblings.map((one) => one.name).join(" ");
  const before = names === "" ? `${USED} ${group}` : `${USED} ${group}; and not ${USED} ${names}`;
  const inside = name === "" ? before : `${USED} ${group}; and ${USED} ${name}`;
  const operand = offer(operands[0]?.completes, named);
  return [
    ...(name === ""
      ? []
      : [`complete -c clawtools -n '${before}' -a ${name} -d ${quote(summary)}`]),
    ...(operand === "" ? [] : [`complete -c clawtools -n '${inside}'${operand}`]),
    ...writeFlags(flags, { condition: ` -n '${inside}'`, named }),
  ];
}

function writeFlags(
  flags: FlagTable,
  { condition, named }: { readonly condition: string; readonly named: CompletionWords["named"] },
): string[] {
  return Object.entries(flags).map(([name, { type, short, text, completes }]) => {
    const words = type === "string" ? ` -x${offer(completes, named)}` : "";
    const letter = short === undefined ? "" : ` -s ${short}`;
    return `complete -c clawtools${condition} -l ${name}${letter}${words} -d ${quote(text)}`;
  });
}

function offer(completes: Completes | undefined, named: CompletionWords["named"]): string {
  if (completes === undefined) return "";
  if (completes === "files") return " -F";
  if (completes === "folders") return " -a '(__fish_complete_directories)'";
  const words = typeof completes === "string" ? (named[completes] ?? []) : completes;
  return ` -a ${quote(words.join(" "))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
