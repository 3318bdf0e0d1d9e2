// `clawtools configure`: questions about one section of the config, in a terminal or by flags; what
// comes of the answers is checked and written as `config set` does it.

import type { ConfigEdit } from "../../../config/edit/index.js";
import { type ClawtoolsConfig, loadConfig, readConfigValue } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Command, CommandCall } from "../../command.js";
import { UsageError } from "../../failure.js";
import { JSON_FLAG } from "../../flags.js";
import { inOwnWords } from "../../own-command.js";
import { readInput } from "../../read-input.js";
import { applyChange } from "../config/apply-change.js";
import { DRY_RUN_FLAG } from "../config/set.js";
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

export const command: Command = {
  notes: [
    "In a terminal it asks for what no flag says; elsewhere it names the missing flags.",
    "The key of a service is written as a reference to a variable (--api-key-env) or into the config (--api-key-stdin), never taken from the command line.",
  ],
  flags: {
    "--section tools|web|exec|memory": "The part to set up.",
    "--profile minimal|coding|messaging|full": "tools: the set of tools.",
    "--provider NAME": "web: who searches. memory: who makes embeddings.",
    "--api-key-env NAME": "web, memory: the variable with the key.",
    "--api-key-stdin": "web, memory: read the key from stdin.",
    "--base-url URL": "web: address of the provider, such as your SearXNG.",
    "--max-results COUNT": "web: results of one search.",
    "--sandbox auto|bwrap|none": "exec: what contains commands.",
    "--network on|off": "exec: network in the sandbox.",
    "--security deny|allowlist|full": "exec: what may run.",
    "--ask off|on-miss|always": "exec: when a person is asked.",
    "--memory on|off": "memory: offer the memory tools.",
    "--citations auto|on|off": "memory: name the source of each hit.",
    ...DRY_RUN_FLAG,
    ...JSON_FLAG,
  },
  sample: "clawtools configure --section web --provider brave --api-key-env BRAVE_API_KEY",
  async run(call) {
    if (!call.isInteractive) return await configure(call, undefined);
    const terminal = await call.openTerminal();
    try {
      return await call.untilStopped((signal) => configureAsking(call, { terminal, signal }));
    } finally {
      terminal.close();
    }
  },
};

/** Only a question can be cancelled: the change is written as a whole. */
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
    throw new UsageError(`Missing --section: ${SECTION_NAMES.join(", ")}.`);
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
  return SECTIONS.find((section) => section.name === name);
}

/** A flag of another section would be ignored silently. */
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
    `No terminal to ask in. Give ${words}. See \`clawtools configure --help\`.`,
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
    if (text === "") throw new UsageError(`--${stdin} found no key on stdin. Nothing was changed.`);
    if (/[\r\n]/.test(text)) {
      throw new UsageError(`--${stdin} takes a key of one line. Nothing was changed.`);
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
  // Enter keeps a list of allowed hosts, which a yes or no cannot express.
  const isList = typeof current === "object" && question.kind === "switch";
  const isShown = current !== undefined && question.kind !== "secret" && !isList;
  // A choice without a meaning is valid in the file, but leads to nothing here.
  const isOffered = (choice: string) =>
    Object.hasOwn(question.meanings ?? { [choice]: "" }, choice);
  const choices = question.kind === "switch" ? ["on", "off"] : listChoices(key).filter(isOffered);
  const answer = isShown ? showCurrent(current) : question.suggested?.(answers);
  const { about, preset } = describeKey(key);
  const unset = preset === undefined ? (question.unsetMeans ?? "as it is") : showCurrent(preset);
  const stays = isList ? "as it is" : unset;
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

/** A key that looks like a variable is still a literal. */
function asLiteral(text: string): string {
  return text.replace(/\$\{[A-Z_][A-Z0-9_]*\}/g, (variable) => `$${variable}`);
}

/** `config` is from before the edits. The old key is kept for switching back. */
function tellLeftKey(edits: readonly ConfigEdit[], config: ClawtoolsConfig): string[] {
  const provider = edits.find(({ path }) => path === PROVIDER_KEY)?.value;
  if (typeof provider !== "string" || provider === readConfigValue(config, PROVIDER_KEY)) return [];
  const isLeft = readConfigValue(config, SHARED_KEY) !== undefined;
  if (!isLeft || keyOfProvider(provider) === SHARED_KEY) return [];
  return [
    `note: ${SHARED_KEY} is still set, and ${provider} does not use it. \`clawtools config unset ${SHARED_KEY}\` removes it.`,
  ];
}
