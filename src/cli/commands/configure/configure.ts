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
import { type Answer, describeKey, listChoices, readAnswer } from "./read-answer.js";
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
    (one) => one.required && !isGiven(call, one) && (one.isAsked?.(named) ?? true),
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
    const isDue = isGiven(call, question) || (question.isAsked?.(answers) ?? true);
    if (!isDue) continue;
    const key = typeof question.key === "string" ? question.key : question.key(answers);
    const value = await answerOne(question, { call, asking, answers, key, config });
    if (value !== undefined) edits.push({ path: key, value });
  }
  return edits;
}

interface Answering {
  readonly call: CommandCall;
  readonly asking: Asking | undefined;
  readonly answers: Map<string, string>;
  readonly key: string;
  readonly config: ClawtoolsConfig;
}

/** The value for the config; undefined to leave it as it is. */
async function answerOne(question: Question, answering: Answering): Promise<unknown> {
  const { call, asking, answers, key, config } = answering;
  const [flag = "", stdin] = flagsOf(question);
  const given = call.texts[flag];
  if (stdin !== undefined && call.switches.has(stdin)) {
    if (given !== undefined) throw new UsageError(`Give --${flag} or --${stdin}, not both.`);
    return await readKey(call, stdin);
  }
  const read = (typed: string) => readAnswer(question, { key, typed, config });
  const typed = given ?? (asking && (await askOne(asking, { question, answering, read })));
  if (typed === undefined) return undefined;
  const answer = read(typed);
  if ("fault" in answer) throw new UsageError(`--${flag} ${answer.fault}.`);
  answers.set(question.flag, typed);
  return answer.value;
}

async function readKey(call: CommandCall, flag: string): Promise<string> {
  const text = (await readInput(call.input, MAX_KEY_BYTES)).trim();
  if (text === "") throw new UsageError(`--${flag} found no key on stdin. Nothing was changed.`);
  if (/[\r\n]/.test(text)) {
    throw new UsageError(`--${flag} takes a key of one line. Nothing was changed.`);
  }
  return asLiteral(text);
}

async function askOne(
  asking: Asking,
  options: {
    readonly question: Question;
    readonly answering: Answering;
    readonly read: (typed: string) => Answer;
  },
): Promise<string | undefined> {
  const { question, answering, read } = options;
  const { answers, key, config } = answering;
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
    ...{ answer, stays },
    findFault: (typed) => {
      const found = read(typed);
      return "fault" in found ? found.fault : undefined;
    },
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
