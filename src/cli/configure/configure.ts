// `clawtools configure`: questions about one section of the config, in a terminal or by flags; what
// comes of the answers is checked and written as `config set` does it.

import { type ConfigEdit, findKey, parseKeyPath } from "../../config/edit/index.js";
import { type ClawtoolsConfig, loadConfig, readConfigValue } from "../../config/index.js";
import { ToolError, ToolInputError } from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { toPrintable } from "../../lib/printable.js";
import type { CommandCall } from "../command-call.js";
import { applyChange } from "../config-change/apply-change.js";
import { UsageError } from "../failure.js";
import { inOwnWords } from "../own-command/own-command.js";
import { readInput } from "../read-input.js";
import { tellFailure } from "../tell-failure.js";
import { type Asking, askLine } from "./ask.js";
import { describeKey, listChoices, readAnswer } from "./read-answer.js";
import {
  flagsOf,
  keyOfProvider,
  PROVIDER_KEY,
  type Question,
  SECTIONS,
  type Section,
  SHARED_KEY,
} from "./sections.js";

const MAX_KEY_BYTES = 16 * 1024;

const NOTHING_CHANGED = "Nothing was changed.";

const SECTION_NAMES = SECTIONS.map(({ name }) => name);

export async function run(call: CommandCall): Promise<number> {
  return await tellFailure(call, () => runOpen(call));
}

async function runOpen(call: CommandCall): Promise<number> {
  if (!call.isInteractive) return await configure(call, undefined);
  const terminal = await call.openTerminal();
  try {
    return await call.untilStopped((signal) => configureAsking(call, { terminal, signal }));
  } finally {
    terminal.close();
  }
}

/** Only a question can be left: what is written is written as a whole. */
async function configureAsking(call: CommandCall, asking: Asking): Promise<number> {
  try {
    return await configure(call, asking);
  } catch (error) {
    if (!asking.signal.aborted || error !== asking.signal.reason) throw error;
    throw new ToolError("aborted", NOTHING_CHANGED, { cause: error });
  }
}

async function configure(call: CommandCall, asking: Asking | undefined): Promise<number> {
  const section = await chooseSection(call, asking);
  if (section === undefined) return sayUnchanged(call);
  assertOwnFlags(call, section);
  const named = new Map(Object.entries(call.texts).map(([flag, text = ""]) => [flag, text]));
  const missing = section.questions.filter(
    (one) => one.required && !isGiven(call, one) && isDue(one, named),
  );
  const given = section.questions.filter((one) => isGiven(call, one));
  const isComplete = missing.length === 0 && given.length > 0;
  if (asking === undefined && !isComplete) throw incomplete(section, missing);
  const loaded = await loadConfig(call.place);
  const config = (loaded.ok ? loaded.config : loaded.draft) ?? {};
  const edits = await collect({ call, section, config, asking: isComplete ? undefined : asking });
  if (edits.length === 0) return sayUnchanged(call);
  for (const { path } of edits) assertKey(path);
  const exitCode = await applyChange(call, edits);
  for (const line of tellLeftKey(edits, config))
    call.output.warn(inOwnWords(line, call.ownCommand));
  return exitCode;
}

function sayUnchanged({ output }: CommandCall): number {
  output.print(NOTHING_CHANGED);
  return 0;
}

/** undefined when the input ends before there is an answer. */
async function chooseSection(
  { texts }: CommandCall,
  asking: Asking | undefined,
): Promise<Section | undefined> {
  const findFault = (name: string) =>
    SECTION_NAMES.includes(name) ? undefined : `must be one of ${SECTION_NAMES.join(", ")}`;
  if (texts.section === undefined && asking === undefined) {
    throw new UsageError(`--section is missing: ${SECTION_NAMES.join(", ")}.`);
  }
  const name =
    texts.section ??
    (asking &&
      (await askLine(asking, {
        text: "Which part",
        choices: SECTION_NAMES,
        meanings: Object.fromEntries(SECTIONS.map((section) => [section.name, section.about])),
        enter: "asks again",
        findFault,
      })));
  if (name === undefined) return undefined;
  const found = SECTIONS.find((section) => section.name === name);
  if (found !== undefined) return found;
  const nearest = nearestName(name, SECTION_NAMES);
  const hint =
    nearest === undefined ? `Sections: ${SECTION_NAMES.join(", ")}` : `Did you mean ${nearest}`;
  throw new UsageError(
    `"${toPrintable(name, 80)}" is no section. ${hint}${nearest === undefined ? "." : "?"}`,
  );
}

/** A flag of another section would be passed over in silence. */
function assertOwnFlags({ texts, switches }: CommandCall, section: Section): void {
  const own = new Set(section.questions.flatMap(flagsOf));
  for (const other of SECTIONS) {
    for (const flag of other.questions.flatMap(flagsOf)) {
      if (own.has(flag) || (texts[flag] === undefined && !switches.has(flag))) continue;
      throw new UsageError(`--${flag} belongs to --section ${other.name}.`);
    }
  }
}

function isDue({ isAsked = () => true }: Question, answers: ReadonlyMap<string, string>): boolean {
  return isAsked(answers);
}

function isGiven({ texts, switches }: CommandCall, question: Question): boolean {
  return flagsOf(question).some((flag) => texts[flag] !== undefined || switches.has(flag));
}

function incomplete(section: Section, missing: readonly Question[]): UsageError {
  const wanted = missing.length > 0 ? missing : section.questions;
  const flags = wanted.map((one) =>
    flagsOf(one)
      .map((flag) => `--${flag}`)
      .join(" or "),
  );
  const words = missing.length > 0 ? flags.join(", ") : `one of ${flags.join(", ")}`;
  return new UsageError(
    `There is no terminal to ask in; give ${words}. See \`clawtools configure --help\`.`,
  );
}

async function collect(options: {
  readonly call: CommandCall;
  readonly section: Section;
  readonly config: ClawtoolsConfig;
  readonly asking: Asking | undefined;
}): Promise<ConfigEdit[]> {
  const { call, section, config, asking } = options;
  const answers = new Map<string, string>();
  const edits: ConfigEdit[] = [];
  for (const question of section.questions) {
    if (!isGiven(call, question) && !isDue(question, answers)) continue;
    const key = question.key(answers);
    const answer = await answerOne(question, { call, asking, answers, key, config });
    if (answer === undefined) continue;
    if (answer.typed !== undefined) answers.set(question.flag, answer.typed);
    edits.push({ path: key, value: answer.value });
  }
  return edits;
}

interface OneAnswer {
  readonly value: unknown;
  readonly typed: string | undefined;
}

async function answerOne(
  question: Question,
  options: {
    readonly call: CommandCall;
    readonly asking: Asking | undefined;
    readonly answers: ReadonlyMap<string, string>;
    readonly key: string;
    readonly config: ClawtoolsConfig;
  },
): Promise<OneAnswer | undefined> {
  const { call, asking, answers, key, config } = options;
  const [first = "", stdin] = flagsOf(question);
  if (stdin !== undefined && call.switches.has(stdin)) {
    if (call.texts[first] !== undefined)
      throw new UsageError(`Give --${first} or --${stdin}, not both.`);
    const text = (await readInput(call.input, MAX_KEY_BYTES)).trim();
    if (text === "") throw new UsageError(`--${stdin} found no key in stdin; nothing was changed.`);
    if (/[\r\n]/.test(text)) {
      throw new UsageError(`--${stdin} takes a key of one line; nothing was changed.`);
    }
    return { value: asLiteral(text), typed: undefined };
  }
  const given = call.texts[first];
  const findFault = (typed: string) => {
    const answer = readAnswer(question, { key, typed, config });
    return "fault" in answer ? answer.fault : undefined;
  };
  if (given !== undefined) {
    const fault = findFault(given);
    if (fault !== undefined) throw new UsageError(`--${first} ${fault}.`);
  }
  const typed =
    given ?? (asking && (await askOne(asking, { question, answers, key, config, findFault })));
  if (typed === undefined) return undefined;
  const answer = readAnswer(question, { key, typed, config });
  return "value" in answer ? { value: answer.value, typed } : undefined;
}

async function askOne(
  asking: Asking,
  options: {
    readonly question: Question;
    readonly answers: ReadonlyMap<string, string>;
    readonly key: string;
    readonly config: ClawtoolsConfig;
    readonly findFault: (typed: string) => string | undefined;
  },
): Promise<string | undefined> {
  const { question, answers, key, config, findFault } = options;
  const current = readConfigValue(config, key);
  const isShown = current !== undefined && question.kind !== "secret";
  const choices = question.kind === "switch" ? ["on", "off"] : listChoices(key);
  const answer = isShown ? showCurrent(current) : question.suggested?.(answers);
  const { about, preset } = describeKey(key);
  const stays = preset === undefined ? (question.unsetMeans ?? "as it is") : showCurrent(preset);
  return await askLine(asking, {
    text: question.text,
    choices: choices.length > 0 ? choices : (question.examples ?? []),
    meanings: question.meanings,
    about,
    enter: answer === undefined ? { stays } : { answer },
    findFault,
  });
}

function showCurrent(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return toPrintable(String(value), 80);
}

/** A key that happens to look like a variable is none. */
function asLiteral(text: string): string {
  return text.replace(/\$\{[A-Z_][A-Z0-9_]*\}/g, (variable) => `$${variable}`);
}

/** Another version may not know a key that this one asks for. */
function assertKey(path: string): void {
  if (findKey(parseKeyPath(path)).status === "known") return;
  throw new ToolInputError(`${path} is no key of this version; nothing was changed.`, {
    reason: "config_key_unknown",
  });
}

/** `config` is that before the edits. It is not removed: anyone who goes back wants it again. */
function tellLeftKey(edits: readonly ConfigEdit[], config: ClawtoolsConfig): string[] {
  const provider = edits.find(({ path }) => path === PROVIDER_KEY)?.value;
  if (typeof provider !== "string" || provider === readConfigValue(config, PROVIDER_KEY)) return [];
  const isLeft = readConfigValue(config, SHARED_KEY) !== undefined;
  if (!isLeft || keyOfProvider(provider) === SHARED_KEY) return [];
  return [
    `note ${SHARED_KEY} is still there, and ${provider} does not use it; \`clawtools config unset ${SHARED_KEY}\` removes it.`,
  ];
}
