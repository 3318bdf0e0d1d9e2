// The help texts, made from the command table.

import { COMMANDS, GROUPS } from "./command-table.js";
import { type FlagTable, GLOBAL_FLAGS, showFlag } from "./flags.js";
import type { Command } from "./table/command.js";
import { formatColumns, wrapText } from "./wrap-text.js";

export interface HelpRequest {
  readonly group: string | undefined;
  readonly command: Command | undefined;
  readonly width: number;
}

export function formatHelp({ group, command, width }: HelpRequest): string[] {
  if (command !== undefined) return formatCommandHelp(command, width);
  const commands = COMMANDS.filter((one) => group === undefined || one.group === group);
  const about = group === undefined ? "Tools for AI agents." : (GROUPS[group] ?? "");
  const rows = commands.map((one): [string, string] => [
    [...(group === undefined ? [one.group] : []), ...nameOf(one), ...listOperands(one)].join(" "),
    one.summary,
  ]);
  return [
    `Usage: clawtools ${group ?? "<group>"} <command> [flags]`,
    "",
    ...wrapText(about, width),
    "",
    "Commands:",
    ...formatColumns({ rows, width }),
    "",
    "Flags of every command:",
    ...formatFlags(GLOBAL_FLAGS, width),
  ];
}

function formatCommandHelp(command: Command, width: number): string[] {
  const required = command.required.map((name) => {
    const flag = command.flags[name];
    return flag ? showFlag(name, flag) : `--${name}`;
  });
  const words = [
    "clawtools",
    command.group,
    ...nameOf(command),
    ...listOperands(command),
    ...required,
  ];
  return [
    ...wrapText(`Usage: ${words.join(" ")} [flags]`, width),
    "",
    ...[command.summary, ...command.notes].flatMap((text) => wrapText(text, width)),
    ...formatOwnFlags(command, width),
    ...formatSiblings(command, width),
    "",
    "Flags of every command:",
    ...formatFlags(GLOBAL_FLAGS, width),
  ];
}

function formatOwnFlags({ flags }: Command, width: number): string[] {
  if (Object.keys(flags).length === 0) return [];
  return ["", "Flags:", ...formatFlags(flags, width)];
}

/** What else begins with the word that is this command. */
function formatSiblings({ group, name }: Command, width: number): string[] {
  const siblings = COMMANDS.filter((one) => one.group === group && one.name !== "");
  if (name !== "" || siblings.length === 0) return [];
  const rows = siblings.map((one): [string, string] => [`${group} ${one.name}`, one.summary]);
  return ["", "Further commands:", ...formatColumns({ rows, width })];
}

function nameOf({ name }: Command): string[] {
  return name === "" ? [] : [name];
}

function listOperands({ operands }: Command): string[] {
  return operands.map(({ name, required, isMany }) => {
    const shown = isMany ? `${name}...` : name;
    return required ? shown : `[${shown}]`;
  });
}

function formatFlags(flags: FlagTable, width: number): string[] {
  const rows = Object.entries(flags).map(([name, flag]): [string, string] => [
    showFlag(name, flag),
    flag.text,
  ]);
  return formatColumns({ rows, width });
}
