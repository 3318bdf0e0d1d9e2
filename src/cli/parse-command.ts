// Parses a command line. Errors name the nearest known word and the help to read.

import { parseArgs } from "node:util";
import { nearestName } from "../lib/nearest-name.js";
import { toPrintable } from "../lib/printable.js";
import { shellQuote } from "../lib/system/shell-words.js";
import type { Command } from "./command.js";
import { ALIASES, GROUPS } from "./command-list.js";
import { UsageError } from "./failure.js";
import { AUDIENCE_FLAGS, type Flag, GLOBAL_FLAGS, readFlagTable, readOperands } from "./flags.js";

export interface GivenFlags {
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
}

export type ParsedCommand =
  | { readonly kind: "version" }
  | {
      readonly kind: "help";
      readonly words: readonly string[];
      readonly command: Command | undefined;
    }
  | {
      readonly kind: "run";
      readonly command: Command;
      readonly words: readonly string[];
      readonly flags: GivenFlags;
    };

type Tokens = ReturnType<typeof split>;

/** Enough to find the words of the command. */
const SCOUT_FLAGS = readFlagTable({ ...GLOBAL_FLAGS, ...AUDIENCE_FLAGS });

export async function parseCommand(args: readonly string[]): Promise<ParsedCommand> {
  const scout = split(args, SCOUT_FLAGS);
  const isHelpWord = scout.words[0]?.value === "help";
  const [first, next] = isHelpWord ? scout.words.slice(1) : scout.words;
  const has = (flag: string) => scout.options.some(({ name }) => name === flag);
  if (first !== undefined) assertGroup(first.value);
  const group = first === undefined ? undefined : GROUPS[first.value];
  const named = group?.commands.find(({ name }) => name === next?.value);
  const row = named ?? group?.commands.find(({ name }) => name === "");
  if (first && next && row === undefined) throw unknownCommand(first.value, next.value);
  const found = [first, named && next].flatMap((token) => token ?? []);
  const path = found.map(({ value }) => value);
  const command = await row?.load();
  if (isHelpWord || has("help")) return { kind: "help", words: path, command };
  if (has("version")) return { kind: "version" };
  if (command === undefined) {
    readFlags(scout, { flags: readFlagTable(GLOBAL_FLAGS), path });
    return { kind: "help", words: path, command };
  }
  const used = new Set(found.map(({ index }) => index));
  return readCommand(command, { path, args: args.filter((_, index) => !used.has(index)) });
}

function readCommand(
  command: Command,
  { path, args }: { readonly path: readonly string[]; readonly args: readonly string[] },
): ParsedCommand {
  const flagTable = readFlagTable({ ...GLOBAL_FLAGS, ...command.flags });
  const found = split(args, flagTable);
  const words = found.words.map(({ value }) => value);
  const operands = readOperands(command);
  if (words.length < operands.length) assertNoNumber(found, { path, args });
  const flags = readFlags(found, { flags: flagTable, path, sample: command.sample });
  const missing = operands.slice(words.length).find(({ isRequired }) => isRequired);
  if (missing) throw usageError(`Missing ${missing.name}`, path);
  const extra = operands.at(-1)?.isMany ? undefined : words[operands.length];
  if (extra !== undefined) throw unexpected(extra, { command, path });
  const wrong = operands.findIndex(({ choices }, index) => {
    const word = words[index];
    return word !== undefined && choices !== undefined && !choices.includes(word);
  });
  const { choices = [] } = operands[wrong] ?? {};
  if (wrong >= 0) {
    throw usageError(`${quote(words[wrong] ?? "")} must be one of ${choices.join(", ")}`, path);
  }
  const unset = (command.required ?? []).find((name) => flags.texts[name] === undefined);
  if (unset !== undefined) {
    const { shown = `--${unset}` } = flagTable.find(({ name }) => name === unset) ?? {};
    throw usageError(`Missing ${shown}`, path);
  }
  return { kind: "run", command, words, flags };
}

/** `-5` as an operand looks like a flag to the parser. */
function assertNoNumber(
  { options, words }: Tokens,
  { path, args }: { readonly path: readonly string[]; readonly args: readonly string[] },
): void {
  const found = options.find(({ rawName }) => /^-[\d.]/.test(rawName));
  const number = found && args[found.index];
  if (number === undefined) return;
  const before = words.map(({ value }) => shellQuote(value));
  const line = ["clawtools", ...path, ...before, "--", shellQuote(number)].join(" ");
  throw usageError(`${quote(number)} is read as a flag. Write \`${line}\``, path);
}

function split(args: readonly string[], flags: readonly Flag[]) {
  const options = flags.map(({ name, short, value }) => {
    const type: "boolean" | "string" = value === undefined ? "boolean" : "string";
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return {
    options: tokens.filter((token) => token.kind === "option"),
    words: tokens.filter((token) => token.kind === "positional"),
  };
}

interface FlagReading {
  readonly flags: readonly Flag[];
  readonly path: readonly string[];
  readonly sample?: string | undefined;
}

function readFlags({ options }: Pick<Tokens, "options">, reading: FlagReading): GivenFlags {
  const { flags, path, sample } = reading;
  const texts: Record<string, string | undefined> = {};
  const switches = new Set<string>();
  for (const { name, rawName, value, inlineValue } of options) {
    const flag = flags.find((one) => one.name === name);
    if (flag === undefined) {
      const nearest = nearestName(
        name,
        flags.map((one) => one.name),
      );
      const hint = nearest === undefined ? undefined : `Did you mean --${nearest}?`;
      throw usageError(`Unknown flag ${quote(rawName)}`, path, hint ?? showSample(sample));
    }
    const fault = findFault(flag, { value, isInline: inlineValue === true });
    if (fault !== undefined) throw usageError(`${rawName} ${fault}`, path);
    if (value === undefined) switches.add(name);
    else if (texts[name] === undefined) texts[name] = value;
    else {
      const join = flag.value === "NAMES" ? ". Separate names with commas" : "";
      throw usageError(`${rawName} is given twice${join}`, path);
    }
  }
  return { texts, switches };
}

function findFault(
  flag: Flag,
  { value, isInline }: { readonly value: string | undefined; readonly isInline: boolean },
): string | undefined {
  if (flag.value === undefined) return value === undefined ? undefined : "does not take a value";
  const isNextFlag = !isInline && value !== undefined && /^-./.test(value);
  if (value === undefined || value.trim() === "" || isNextFlag)
    return `needs a value: ${flag.value}`;
  if (flag.choices === undefined || flag.choices.includes(value)) return undefined;
  const nearest = nearestName(value, flag.choices);
  const hint = nearest === undefined ? "" : `. Did you mean ${nearest}?`;
  return `must be one of ${flag.choices.join(", ")}${hint}`;
}

function assertGroup(word: string): void {
  if (Object.hasOwn(GROUPS, word)) return;
  const owner = Object.entries(GROUPS).find(([, { commands }]) =>
    commands.some(({ name }) => name === word),
  );
  const nearest = owner ? `${owner[0]} ${word}` : nearestName(word, Object.keys(GROUPS));
  throw usageError(`Unknown command ${quote(word)}`, [], didYouMean(nearest));
}

function unknownCommand(group: string, word: string): UsageError {
  const names = GROUPS[group]?.commands.map(({ name }) => name) ?? [];
  const begun = names.filter((name) => name.startsWith(word));
  const near = begun.length === 1 ? begun[0] : nearestName(word, names.filter(Boolean));
  const alias = Object.entries(ALIASES).find(
    ([words]) => words.toLowerCase() === `${group} ${word}`.toLowerCase(),
  );
  const meant = alias?.[1] ?? (near && `${group} ${near}`);
  return usageError(`Unknown command ${quote(`${group} ${word}`)}`, [group], didYouMean(meant));
}

/** It may be a mistyped sub-command. */
function unexpected(
  word: string,
  { command, path }: { readonly command: Command; readonly path: readonly string[] },
): UsageError {
  const [group = "", name] = path;
  const siblings = GROUPS[group]?.commands.flatMap((one) => one.name || []) ?? [];
  if (name === undefined && command.usage === undefined && nearestName(word, siblings)) {
    return unknownCommand(group, word);
  }
  return usageError(`Unexpected argument ${quote(word)}`, path, showSample(command.sample));
}

function showSample(sample: string | undefined): string | undefined {
  return sample === undefined ? undefined : `Example: \`${sample}\`.`;
}

function didYouMean(words: string | undefined): string | undefined {
  return words === undefined ? undefined : `Did you mean \`clawtools ${words}\`?`;
}

function usageError(what: string, path: readonly string[], hint?: string): UsageError {
  const sentence = what.endsWith("?") ? what : `${what}.`;
  const help = `See \`${["clawtools", ...path, "--help"].join(" ")}\`.`;
  return new UsageError([sentence, ...(hint === undefined ? [] : [hint]), help].join(" "));
}

function quote(word: string): string {
  return `"${toPrintable(word, 80)}"`;
}
