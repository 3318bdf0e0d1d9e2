// Checks options from plain JavaScript by name: a wrong `owner`, say, must not become its default.

import { resolve } from "node:path";
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import {
  type CallerOptions,
  type FsBridge,
  type SchemaRequest,
  ToolInputError,
} from "../../core/index.js";
import { homeDirectory } from "../../drivers/environment.js";
import type { NodeBridgeOptions } from "../../drivers/fs/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import { readSection } from "./settings.js";
import type { ToolkitOptions } from "./toolkit-options.js";

type Check = readonly [isRight: (value: unknown) => boolean, expected: string];
type Fields = Readonly<Record<string, Check>>;

const isText = (value: unknown) => typeof value === "string";
const FOLDER: Check = [isPath, "the path of a folder"];
const TEXT: Check = [isText, "a text"];
const TEXTS: Check = [(value) => Array.isArray(value) && value.every(isText), "a list of texts"];
const YES_OR_NO: Check = [(value) => typeof value === "boolean", "true or false"];
const RECORD: Check = [isRecord, "an object"];
const FUNCTION: Check = [(value) => typeof value === "function", "a function"];
const COUNT: Check = [
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  "a whole number from 1 on",
];
const SIGNAL: Check = [
  (value) => isRecord(value) && typeof value.aborted === "boolean",
  "an AbortSignal",
];
const FUNCTIONS: Check = [
  (value) => Array.isArray(value) && value.every((entry) => typeof entry === "function"),
  "a list of functions",
];

const OPTIONS = {
  root: FOLDER,
  stateDir: [(value) => value === false || isPath(value), "the path of a folder, or false"],
  agentDir: FOLDER,
  config: RECORD,
  changeConfig: FUNCTION,
  approvals: RECORD,
  bridge: RECORD,
  artifacts: withMethods("put", "read"),
  models: withMethods("list", "complete"),
  vision: YES_OR_NO,
  protect: TEXTS,
  hooks: RECORD,
  approve: FUNCTION,
  tools: [Array.isArray, "a list of tools"],
  owner: YES_OR_NO,
  sandboxed: YES_OR_NO,
  agentId: TEXT,
  sessionKey: TEXT,
  provider: TEXT,
  model: TEXT,
  messageChannel: TEXT,
  groupId: TEXT,
  sender: RECORD,
  subagent: [(value) => value === "leaf" || value === "orchestrator", '"leaf" or "orchestrator"'],
  toolsAllow: TEXTS,
} as const satisfies Record<keyof ToolkitOptions, Check>;

const CALLER = {
  sessionKey: TEXT,
  runId: TEXT,
  owner: YES_OR_NO,
  sender: RECORD,
  channel: TEXT,
  groupId: TEXT,
  provider: TEXT,
  model: TEXT,
  vision: YES_OR_NO,
  agentId: TEXT,
  subagent: OPTIONS.subagent,
  toolsAllow: TEXTS,
  sandboxed: YES_OR_NO,
} as const satisfies Record<keyof CallerOptions, Check>;

const UNDO = { force: YES_OR_NO, signal: SIGNAL } as const satisfies Fields;
const DIFF = { maxChars: COUNT, signal: SIGNAL } as const satisfies Fields;
const SCHEMA_REQUEST = {
  provider: TEXT,
  model: TEXT,
  aliases: YES_OR_NO,
} as const satisfies Fields;
const HOOKS = { beforeCall: FUNCTIONS, afterCall: FUNCTIONS } as const satisfies Fields;
const SENDER = { id: TEXT, e164: TEXT, username: TEXT, name: TEXT } as const satisfies Fields;

const BRIDGE_METHODS = ["stat", "readFile", "mkdirp", "writeFile"] as const satisfies ReadonlyArray<
  keyof FsBridge
>;
const FURTHER_METHODS = [
  "openFile",
  "list",
  "remove",
  "removeFolder",
  "rename",
  "exclusive",
] as const satisfies ReadonlyArray<keyof FsBridge>;

/** Throws a ToolInputError that names the option. */
export function assertToolkitOptions(options: unknown): void {
  if (!isRecord(options)) throw invalid("createToolkit takes an object with root.");
  const [isFolder, folder] = FOLDER;
  if (!isFolder(options.root)) throw invalid(`createToolkit: root must be ${folder}.`);
  assertFields(options, { fields: OPTIONS, prefix: "" });
  assertBridge(options.bridge);
  assertFields(options.hooks ?? {}, { fields: HOOKS, prefix: "hooks." });
  assertFields(options.sender ?? {}, { fields: SENDER, prefix: "sender." });
}

/** Throws a ToolInputError that names the option. */
export function assertCallerOptions(caller: unknown): void {
  if (!isRecord(caller)) throw invalid("forCaller takes an object.");
  assertFields(caller, { fields: CALLER, prefix: "", member: "forCaller" });
  assertFields(caller.sender ?? {}, { fields: SENDER, prefix: "sender.", member: "forCaller" });
}

/** Throws a ToolInputError that names the option. */
export function assertUndoOptions(options: unknown, member: "undo" | "diff"): void {
  if (!isRecord(options)) {
    throw invalid(`${member} takes the id of a call and an object with options.`);
  }
  assertFields(options, { fields: member === "undo" ? UNDO : DIFF, prefix: "", member });
}

/** Fields it does not know are left out. Throws a ToolInputError that names the field. */
export function readSchemaRequest(
  given: SchemaRequest | undefined,
  member: "schemas" | "prompt" | "explain",
): SchemaRequest {
  const { provider, model, aliases } = given ?? {};
  const request: SchemaRequest = { provider, model, aliases };
  if (given !== undefined && !isRecord(given)) {
    throw invalid(`${member} takes an object with provider and model, or nothing.`);
  }
  assertFields(request, { fields: SCHEMA_REQUEST, prefix: "", member });
  return request;
}

function assertBridge(bridge: unknown): void {
  if (!isRecord(bridge)) return;
  const isFunction = (name: string) => typeof bridge[name] === "function";
  const missing = BRIDGE_METHODS.find((name) => !isFunction(name));
  if (missing !== undefined) {
    throw invalid(
      `createToolkit: bridge.${missing} must be a function; every bridge has ${BRIDGE_METHODS.join(", ")}.`,
    );
  }
  const wrong = FURTHER_METHODS.find((name) => bridge[name] !== undefined && !isFunction(name));
  if (wrong === undefined) return;
  throw invalid(`createToolkit: bridge.${wrong} must be a function, or left out.`);
}

/** What is undefined is as good as left out. */
function assertFields(
  value: unknown,
  checked: { readonly fields: Fields; readonly prefix: string; readonly member?: string },
): void {
  const { fields, prefix, member = "createToolkit" } = checked;
  if (!isRecord(value)) return;
  for (const name of Object.keys(value)) {
    const given = value[name];
    if (given === undefined) continue;
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check === undefined) throw unknownOption(name, { fields, prefix, member });
    const [isRight, expected] = check;
    if (!isRight(given)) throw invalid(`${member}: ${prefix}${name} must be ${expected}.`);
  }
}

function unknownOption(
  name: string,
  { fields, prefix, member }: { fields: Fields; prefix: string; member: string },
): ToolInputError {
  const shown = `${prefix}${name}`.slice(0, 80);
  const known = Object.keys(fields);
  const nearest = nearestName(name, known);
  const hint =
    nearest === undefined
      ? `there are ${known.map((one) => prefix + one).join(", ")}.`
      : `did you mean ${prefix}${nearest}?`;
  return invalid(`${member}: ${shown} is not an option; ${hint}`);
}

function withMethods(one: string, other: string): Check {
  const has = (value: Readonly<Record<string, unknown>>) =>
    [one, other].every((name) => typeof value[name] === "function");
  return [(value) => isRecord(value) && has(value), `an object with ${one} and ${other}`];
}

function isPath(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    !value.includes("\0") &&
    !hasLoneSurrogate(value)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "options_invalid" });
}

interface ProtectionSource {
  readonly config: ClawtoolsConfig;
  readonly agentId?: string | undefined;
  readonly stateDir: string | undefined;
  readonly protect?: readonly string[] | undefined;
}

/** The configuration has been checked before; the agent's own word counts first. */
export function toProtection(source: ProtectionSource): NodeBridgeOptions {
  const { config, agentId, stateDir, protect } = source;
  const agentTools = readSection(findAgent(config, agentId) ?? {}, "tools");
  const fs = { ...config.tools?.fs, ...readSection(agentTools, "fs") };
  const home = homeDirectory() ?? "~";
  return {
    alsoProtect: protect,
    stateDir,
    loads: config.plugins?.load?.paths?.map((path) => resolve(path.replace(/^~(?=\/|$)/, home))),
    protectClientFiles: fs.protectClientFiles,
  };
}
