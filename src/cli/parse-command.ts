// The words of a command line to a command with its flags. Whatever is wrong with them is an error
// that names the nearest known word and the help to ask for.

import { parseArgs } from "node:util";
import { nearestName } from "../lib/nearest-name.js";
import { toPrintable } from "../lib/printable.js";
import { shellQuote } from "../lib/system/shell-quote.js";
import { COMMANDS, GROUPS } from "./command-table.js";
import { UsageError } from "./failure.js";
import { AUDIENCE_FLAGS, type Flag, type FlagTable, GLOBAL_FLAGS, JSON_FLAG } from "./flags.js";
import type { Command } from "./table/command.js";
import { sampleField } from "./table/tool-samples.js";

export interface GivenFlags {
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
}

export type ParsedCommand =
  | { readonly kind: "version" }
  | {
      readonly kind: "help";
      readonly group: string | undefined;
      readonly command: Command | undefined;
    }
  | {
      readonly kind: "run";
      readonly command: Command;
      readonly words: readonly string[];
      readonly flags: GivenFlags;
    };

interface OptionToken {
  readonly index: number;
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

interface Split {
  readonly args: readonly string[];
  readonly options: readonly OptionToken[];
  readonly words: ReadonlyArray<{ readonly value: string; readonly index: number }>;
}

/** Enough to tell the words of the command from the values of flags. */
const SCOUT_FLAGS: FlagTable = { ...GLOBAL_FLAGS, ...AUDIENCE_FLAGS, ...JSON_FLAG };
const HELP_WORD = "help";

/** Throws a UsageError. */
export function parseCommand(args: readonly string[]): ParsedCommand {
  const scout = split(args, SCOUT_FLAGS);
  const isHelpWord = scout.words[0]?.value === HELP_WORD;
  const [first, next] = isHelpWord ? scout.words.slice(1) : scout.words;
  const wantsHelp = isHelpWord || scout.options.some(({ name }) => name === "help");
  const group = first === undefined ? undefined : findGroup(first.value);
  const lone = COMMANDS.find((one) => one.group === group && one.name === "");
  const second = lone && !isSibling(lone, next?.value) ? undefined : next;
  const command = group && second ? findCommand(group, second.value) : lone;
  if (wantsHelp) return { kind: "help", group, command };
  if (scout.options.some(({ name }) => name === "version")) return { kind: "version" };
  if (command === undefined) {
    readFlags(scout, { flags: GLOBAL_FLAGS, help: ["clawtools", group, "--help"] });
    return { kind: "help", group, command };
  }
  const rest = args.filter((_, index) => index !== first?.index && index !== second?.index);
  return readCommand(command, rest);
}

function readCommand(command: Command, args: readonly string[]): ParsedCommand {
  const flagTable = { ...GLOBAL_FLAGS, ...command.flags };
  const found = split(args, flagTable);
  const words = found.words.map(({ value }) => value);
  const help = ["clawtools", command.group, command.name || undefined, "--help"];
  const { sample } = command;
  assertNoBareNumber(found, command, help);
  const flags = readFlags(found, { flags: flagTable, help, sample });
  const missing = command.operands.slice(words.length).find(({ required }) => required);
  if (missing) throw usageError(`${missing.name} is missing`, help);
  const isOpen = command.operands.at(-1)?.isMany === true;
  const extra = isOpen ? undefined : words[command.operands.length];
  if (extra !== undefined) {
    const near = nearestSibling(command, extra);
    if (near !== undefined) throw usageError(near, help);
    const key = sampleField(words[0] ?? "", extra);
    const right = toSample(sample, { NAME: words[0], KEY: key, VALUE: extra });
    throw usageError(withSample(`${quote(extra)} is one word too many`, right), help);
  }
  const unset = command.required.find((name) => flags.texts[name] === undefined);
  if (unset !== undefined) throw usageError(describeUnset(unset, command), help);
  return { kind: "run", command, words, flags };
}

/** `-5` in the place of an operand: a number to whoever typed it, a flag to the parser. */
function assertNoBareNumber(
  { args, options, words }: Split,
  { group, name, operands }: Command,
  help: ReadonlyArray<string | undefined>,
): void {
  const found = options.find(({ rawName }) => /^-[\d.]/.test(rawName));
  const number = found && args[found.index];
  if (number === undefined || words.length >= operands.length) return;
  const before = words.map(({ value }) => shellQuote(value));
  const right = ["clawtools", group, name, ...before, "--", shellQuote(number)];
  const line = right.filter((word) => word !== "").join(" ");
  throw usageError(`${quote(number)} is read as a flag; write \`${line}\``, help);
}

function describeUnset(name: string, { flags }: Command): string {
  const completes = flags[name]?.completes;
  const words = typeof completes === "object" ? `: ${completes.join(", ")}` : "";
  return `--${name} is missing${words}`;
}

function split(args: readonly string[], flags: FlagTable): Split {
  const { tokens } = parseArgs({
    args: [...args],
    options: toParseOptions(flags),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return {
    args,
    options: tokens.filter((token) => token.kind === "option"),
    words: tokens.filter((token) => token.kind === "positional"),
  };
}

function toParseOptions(flags: FlagTable) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
  );
}

interface FlagReading {
  readonly flags: FlagTable;
  readonly help: ReadonlyArray<string | undefined>;
  readonly sample?: string | undefined;
}

function readFlags({ options, words }: Split, { flags, help, sample }: FlagReading): GivenFlags {
  const texts: Record<string, string | undefined> = {};
  const switches = new Set<string>();
  for (const option of options) {
    const flag = Object.hasOwn(flags, option.name) ? flags[option.name] : undefined;
    if (flag === undefined) {
      const right = toSample(sample, { NAME: words[0]?.value, KEY: option.name, VALUE: "..." });
      throw usageError(withSample(describeUnknown(option, flags), right), help);
    }
    const fault = findFault(option, flag);
    if (fault !== undefined) throw usageError(`${option.rawName} ${fault}`, help);
    if (option.value === undefined) {
      switches.add(option.name);
      continue;
    }
    if (texts[option.name] !== undefined) {
      throw usageError(`${option.rawName} is given twice${howToJoin(flag)}`, help);
    }
    texts[option.name] = option.value;
  }
  return { texts, switches };
}

/** The one that is left out of account might be the one that closes something. */
function howToJoin({ value }: Flag): string {
  return value === "NAMES" ? "; give all names at once, with commas" : "";
}

function findFault({ value, inlineValue }: OptionToken, flag: Flag): string | undefined {
  if (flag.type === "boolean") return value === undefined ? undefined : "takes no value";
  const isNextFlag = inlineValue !== true && value !== undefined && /^-./.test(value);
  return value === undefined || value.trim() === "" || isNextFlag
    ? `needs a value, ${flag.value}`
    : undefined;
}

function describeUnknown({ name, rawName }: OptionToken, flags: FlagTable): string {
  const nearest = nearestName(name, Object.keys(flags));
  const hint = nearest === undefined ? "" : `; did you mean --${nearest}?`;
  return `${quote(rawName)} is no flag of this command${hint}`;
}

function findGroup(word: string): string {
  if (Object.hasOwn(GROUPS, word)) return word;
  const owner = COMMANDS.find(({ name }) => name === word);
  const nearest = owner ? `${owner.group} ${word}` : nearestName(word, Object.keys(GROUPS));
  const hint = nearest === undefined ? "" : `; did you mean \`clawtools ${nearest}\`?`;
  throw usageError(`${quote(word)} is no command${hint}`, ["clawtools", "--help"]);
}

/** A group that is a command itself may have further commands: `mcp` and `mcp install`. */
function isSibling({ group }: Command, word: string | undefined): boolean {
  return COMMANDS.some((one) => one.group === group && one.name === word);
}

/** A word too many of a command without operands may be meant for one of its siblings. */
function nearestSibling({ group, name, operands }: Command, word: string): string | undefined {
  if (name !== "" || operands.length > 0) return undefined;
  const names = COMMANDS.filter((one) => one.group === group && one.name !== "");
  const nearest = nearestOf(
    word,
    names.map((one) => one.name),
  );
  if (nearest === undefined) return undefined;
  return `${quote(word)} is no command of ${group}; did you mean \`clawtools ${group} ${nearest}\`?`;
}

/** A word that was not written to its end means the only one that begins so. */
function nearestOf(word: string, names: readonly string[]): string | undefined {
  const begun = names.filter((name) => name.startsWith(word));
  return begun.length === 1 ? begun[0] : nearestName(word, names);
}

function findCommand(group: string, word: string): Command {
  const siblings = COMMANDS.filter((command) => command.group === group);
  const found = siblings.find(({ name }) => name === word);
  if (found) return found;
  const nearest =
    siblings.find(({ alsoCalled = [] }) => alsoCalled.includes(word.toLowerCase()))?.name ??
    findTaker(siblings, word) ??
    nearestOf(
      word,
      siblings.map(({ name }) => name),
    );
  const hint = nearest === undefined ? "" : `; did you mean \`clawtools ${group} ${nearest}\`?`;
  throw usageError(`${quote(word)} is no command of ${group}${hint}`, [
    "clawtools",
    group,
    "--help",
  ]);
}

/** A word that another command takes as its first: `act click` for `click`. */
function findTaker(siblings: readonly Command[], word: string): string | undefined {
  const taker = siblings.find(({ operands: [first] }) => {
    const words = typeof first?.completes === "object" ? first.completes : [];
    return words.some((one) => one.toLowerCase() === word.toLowerCase());
  });
  return taker && `${taker.name} ${word}`;
}

function toSample(sample: string | undefined, given: Readonly<Record<string, string | undefined>>) {
  return sample?.replace(/<([A-Z]+)>/g, (_, name: string) => toPrintable(given[name] ?? name, 80));
}

/** A near name is the better advice. */
function withSample(what: string, sample: string | undefined): string {
  return sample === undefined || what.endsWith("?") ? what : `${what}; write \`${sample}\``;
}

function usageError(what: string, help: ReadonlyArray<string | undefined>): UsageError {
  const end = what.endsWith("?") ? "" : ".";
  const command = help.filter((word) => word !== undefined).join(" ");
  return new UsageError(`${what}${end} See \`${command}\`.`);
}

function quote(word: string): string {
  return `"${toPrintable(word, 80)}"`;
}
