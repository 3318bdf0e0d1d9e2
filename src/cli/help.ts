// The help texts, made from the list of commands and, for one command, from its own file.

import { type Command, type FlagTable, type Group, type HelpTable, SECTIONS } from "./command.js";
import { GROUPS } from "./command-list.js";
import { GLOBAL_FLAGS, readFlagTable } from "./flags.js";
import type { Style } from "./terminal/style.js";
import { formatColumns, wrapText } from "./terminal/wrap-text.js";

export interface HelpRequest {
  readonly words: readonly string[];
  readonly command: Command | undefined;
  readonly width: number;
  readonly style: Style;
}

type Row = [left: string, right: string];

export async function formatHelp(request: HelpRequest): Promise<string[]> {
  const { words, command, width } = request;
  const table = await command?.helpTable?.();
  const group = words[0] === undefined ? undefined : GROUPS[words[0]];
  const summary = group?.commands.find(({ name }) => name === (words[1] ?? ""))?.summary;
  const usage = ["clawtools", ...words, command ? usageOf(command) : "<command>", "[flags]"];
  const texts = [summary ?? group?.summary ?? "Tools for AI agents.", ...(command?.notes ?? [])];
  return [
    ...wrapText(`${request.style.bold("Usage:")} ${usage.join(" ").replace(/ +/g, " ")}`, width),
    "",
    ...texts.flatMap((text) => wrapText(text, width)),
    ...formatFlags("Flags", command?.flags ?? {}, request),
    ...(group === undefined ? listGroups(request) : listCommands(group, request)),
    ...(table ? block(table.title, table.rows, request) : []),
    ...formatFlags("Global flags", GLOBAL_FLAGS, request),
  ];
}

function usageOf({ usage = "", flags = {}, required = [] }: Command): string {
  const all = readFlagTable(flags);
  const needed = required.flatMap((name) => all.filter((flag) => flag.name === name));
  return [usage, ...needed.map(({ shown }) => shown)].join(" ");
}

function listGroups(request: HelpRequest): string[] {
  const more = "`clawtools <command> --help` lists its commands and flags.";
  return [
    ...SECTIONS.flatMap((section) => {
      const groups = Object.entries(GROUPS).filter(([, group]) => group.section === section);
      return block(
        section,
        groups.map(([name, { summary }]): Row => [name, summary]),
        request,
      );
    }),
    "",
    ...wrapText(more, request.width),
  ];
}

/** For `mcp` only the commands below it, such as `mcp install`. */
function listCommands(group: Group, request: HelpRequest): string[] {
  const [first = "", second] = request.words;
  const named = group.commands.filter(({ name }) => name !== "");
  if (second !== undefined || named.length === 0) return [];
  const rows = named.map(({ name, summary }): Row => [`${first} ${name}`, summary]);
  return block(request.command ? "More commands" : "Commands", rows, request);
}

function formatFlags(title: string, flags: FlagTable, request: HelpRequest): string[] {
  const rows = readFlagTable(flags).map(({ shown, text }): Row => [shown, text]);
  return block(title, rows, request);
}

function block(title: string, rows: HelpTable["rows"], { width, style }: HelpRequest): string[] {
  if (rows.length === 0) return [];
  const shown = rows.map(([left, right]): Row => [style.cyan(left), right]);
  return ["", style.bold(`${title}:`), ...formatColumns({ rows: shown, width })];
}
