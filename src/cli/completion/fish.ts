// The completion script for fish.

import { type Completes, type FlagTable, GLOBAL_FLAGS } from "../flags.js";
import type { Command, CommandTable } from "../table/command.js";
import { type CompletionWords, SETTER } from "./words.js";

const COMPLETE = "complete -c clawtools";
/** True where the words before the cursor, without flags and their values, are these. */
const AT = "__clawtools_at";
/** True where they begin with these. */
const IN = "__clawtools_in";

export function writeFish(words: CompletionWords, table: CommandTable): string[] {
  const { named, choices, values } = words;
  const { groups, commands } = table;
  return [
    "# clawtools: completion for fish. Load it with: clawtools completion fish | source",
    ...writeReader([...values.keys()]),
    `${COMPLETE} -f`,
    `${COMPLETE} -n '${AT}' -a help -d 'Show help.'`,
    ...Object.entries(groups).map(
      ([group, summary]) => `${COMPLETE} -n '${AT}' -a ${group} -d ${quote(summary)}`,
    ),
    ...commands.flatMap((command) => writeCommand(command, { commands, named })),
    ...[...choices].map(
      ([key, list]) => `${COMPLETE} -n '${AT} ${SETTER} ${key}'${offer(list, named)}`,
    ),
    ...writeFlags(GLOBAL_FLAGS, { condition: "", named }),
  ];
}

/** What fish has for this looks for a word anywhere, also among the values of flags. */
function writeReader(takers: readonly string[]): string[] {
  return [
    "function __clawtools_words",
    "    set -l line (commandline -opc)",
    "    set -e line[1]",
    "    set -l found",
    "    set -l skip 0",
    "    for word in $line",
    "        if test $skip -eq 1",
    "            set skip 0",
    "            continue",
    "        end",
    "        switch $word",
    `            case ${takers.join(" ")}`,
    "                set skip 1",
    "            case '-*'",
    "            case '*'",
    "                set -a found $word",
    "        end",
    "    end",
    '    if test "$found[1]" = help',
    "        set -e found[1]",
    "    end",
    "    for word in $found",
    "        echo $word",
    "    end",
    "end",
    `function ${AT}`,
    "    set -l words (__clawtools_words)",
    '    test "$words" = "$argv"',
    "end",
    `function ${IN}`,
    "    set -l words (__clawtools_words)",
    '    string match -q -- "$argv *" "$words "',
    "end",
  ];
}

function writeCommand(
  { group, name, summary, flags, operands }: Command,
  { commands, named }: Pick<CommandTable, "commands"> & Pick<CompletionWords, "named">,
): string[] {
  const hasSiblings = commands.some((one) => one.group === group && one.name !== "");
  const whole = `${group} ${name}`.trim();
  const inside = `${name === "" && hasSiblings ? AT : IN} ${whole}`;
  const operand = offer(operands[0]?.completes, named);
  return [
    ...(name === "" ? [] : [`${COMPLETE} -n '${AT} ${group}' -a ${name} -d ${quote(summary)}`]),
    ...(operand === "" ? [] : [`${COMPLETE} -n '${AT} ${whole}'${operand}`]),
    ...writeFlags(flags, { condition: ` -n '${inside}'`, named }),
  ];
}

function writeFlags(
  flags: FlagTable,
  { condition, named }: { readonly condition: string; readonly named: CompletionWords["named"] },
): string[] {
  return Object.entries(flags).map(([name, { type, short, text, completes }]) => {
    // A value is wanted; of files it must be told apart from `-f` above, which offers none.
    const wanted = completes === "files" ? " -r" : " -x";
    const words = type === "string" ? `${wanted}${offer(completes, named)}` : "";
    const letter = short === undefined ? "" : ` -s ${short}`;
    return `${COMPLETE}${condition} -l ${name}${letter}${words} -d ${quote(text)}`;
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
