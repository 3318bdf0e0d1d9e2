// Parts of a checked config: one value, the agents, the text as written, secrets hidden.

import { foldName, isSecretName, listAgents, redactUrl } from "../core/index.js";
import { parseKeyPath, showKeyPath, valueAt } from "./problem.js";
import type { ClawtoolsConfig } from "./schema.js";

/** undefined when nothing is there; throws a ToolInputError when the path is malformed. */
export function readConfigValue(config: unknown, dottedPath: string): unknown {
  return valueAt(config, parseKeyPath(dottedPath));
}

const MAIN_AGENT = "main";

type ListedAgent = NonNullable<NonNullable<ClawtoolsConfig["agents"]>["list"]>[number];

type Agent = ListedAgent & {
  readonly path: string;
};

export function readAgents(config: object): Agent[] {
  return listAgents(config).map(({ id, path, value }) => {
    // A parse border: the schema has checked both forms.
    return { ...Object(value), id, path: showKeyPath(path) } as Agent;
  });
}

export function findAgent(config: object, agentId: string | undefined): Agent | undefined {
  if (agentId === undefined) return undefined;
  return readAgents(config).find(({ id = "" }) => foldName(id) === foldName(agentId));
}

/** The one with `default: true`, else the first, else `main`. */
export function defaultAgentId(config: object): string {
  const agents = readAgents(config);
  return (agents.find((agent) => agent.default === true) ?? agents[0])?.id ?? MAIN_AGENT;
}

/** Filled text to the text as written. */
type Written = ReadonlyMap<string, string>;

/** Shorter values are parts of ordinary words, and are replaced in quotes only. */
const MIN_BARE_CHARS = 8;
/** Messages cut long texts, so what follows this many characters may be missing. */
const MAX_COMPARED_CHARS = 60;

function sentenceAsWritten(sentence: string, written: Written): string {
  const longestFirst = [...written].sort(([one], [other]) => other.length - one.length);
  return longestFirst.reduce((shown, [filled, text]) => {
    const value = filled.trim();
    if (value === "") return shown;
    const rest = value.length > MAX_COMPARED_CHARS ? '[^\\s"]*' : "";
    const start = value.slice(0, MAX_COMPARED_CHARS).replace(/[^\w\s]/g, "\\$&");
    const isBare = value.length >= MIN_BARE_CHARS;
    const pattern = isBare ? `${start}${rest}` : `(?<=")${start}(?=")`;
    return shown.replace(new RegExp(pattern, "gi"), () => text);
  }, sentence);
}

export function valueAsWritten<T>(value: T, written: Written): T;
export function valueAsWritten(value: unknown, written: Written): unknown {
  if (written.size === 0) return value;
  if (typeof value === "string") return written.get(value) ?? sentenceAsWritten(value, written);
  if (Array.isArray(value)) return value.map((item) => valueAsWritten(item, written));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, valueAsWritten(item, written)]),
  );
}

const SECRET_FOLDER = /^(?:env|headers|credentials|cookies)$/i;
const SECRET_FLAG =
  /^(-{1,2}[\w-]*(?:token|secret|passw|passphrase|credential|cookie|key|auth)[\w-]*)(=.*)?$/is;
const ADDRESS_WITH_PASSWORD = /:\/\/[^/\s@]*@/;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
const REDACTED = "[redacted]";
const PLAIN_WORD = /^[\w@./+-]+$/;

interface Hiding {
  readonly mustHide: boolean;
  readonly mark: string;
}

export function hideSecrets(config: unknown, mark: string): unknown {
  const shown: unknown = copy(config, { mustHide: false, mark });
  const command = readConfigValue(shown, "update.command");
  if (typeof command !== "string") return shown;
  const { update, ...rest } = Object(shown);
  return { ...rest, update: { ...update, command: hideInCommand(command, mark) } };
}

/** Of a shell command that is more than plain words, only the program is shown. */
function hideInCommand(command: string, mark: string): string {
  const words = command.split(" ");
  const isPlain = words.every((word) => PLAIN_WORD.test(word) && !SECRET_FLAG.test(word));
  if (command === mark || (isPlain && redactUrl(command) === command)) return command;
  const [program = ""] = words;
  return PLAIN_WORD.test(program) ? `${program} ${mark}` : mark;
}

function copyItem(
  item: unknown,
  { mustHide, mark, before }: Hiding & { readonly before: unknown },
): unknown {
  const [, flag, value] = typeof item === "string" ? (SECRET_FLAG.exec(item) ?? []) : [];
  if (flag !== undefined) return value === undefined ? item : `${flag}=${mark}`;
  const [, flagBefore, valueBefore] =
    typeof before === "string" ? (SECRET_FLAG.exec(before) ?? []) : [];
  const isValue = flagBefore !== undefined && valueBefore === undefined;
  return copy(item, { mustHide: mustHide || isValue, mark });
}

function copy(value: unknown, { mustHide, mark }: Hiding): unknown {
  if (typeof value === "string") {
    if (mustHide || ADDRESS_WITH_PASSWORD.test(value)) return mark;
    return ADDRESS.test(value) ? redactUrl(value).replaceAll(REDACTED, mark) : value;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => copyItem(item, { mustHide, mark, before: value[index - 1] }));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isSecret = typeof inner === "string" ? isSecretName(name) : false;
      const isHidden = mustHide || isSecret || SECRET_FOLDER.test(name);
      return [name, copy(inner, { mustHide: isHidden, mark })];
    }),
  );
}
