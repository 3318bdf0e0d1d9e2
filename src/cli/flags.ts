// Flags that several commands have, and how a table of flags is read.

import type { Command, CommandCall, FlagTable } from "./command.js";
import { UsageError } from "./failure.js";

export const GLOBAL_FLAGS = {
  "--config FILE": "Use this config file.",
  "--root DIR": "Folder that file tools may use (default: the working folder).",
  "--state-dir DIR": "State folder (default: CLAWTOOLS_STATE_DIR, else ~/.clawtools).",
  "--no-color": "Print without colours; NO_COLOR and FORCE_COLOR are respected too.",
  "-h, --help": "Show help; works at every level.",
  "-V, --version": "Show the version.",
} as const satisfies FlagTable;

export const JSON_FLAG = {
  "--json": "Print one JSON document.",
} as const satisfies FlagTable;

export const AGENT_FLAG = {
  "--agent ID": "Act as this agent of the config.",
} as const satisfies FlagTable;

export const CONVERSATION_FLAGS = {
  "--session KEY": "Continue this session (default: the agent's main session).",
  "--model MODEL": "Use this provider/model from now on in the session.",
  ...AGENT_FLAG,
} as const satisfies FlagTable;

export const ALLOW_LOCAL_FLAG = {
  "--allow-local": "Let the browser open pages of this machine (localhost, 127.0.0.1, ::1).",
} as const satisfies FlagTable;

/** Which tools an MCP client is offered. */
export const NARROWING_FLAGS = {
  "--profile minimal|coding|messaging|full": "Use this profile instead of the one in the config.",
  "--allow NAMES": "Offer only these tools or groups, separated by commas.",
  "--deny NAMES": "Leave out these tools or groups, separated by commas.",
  "--read-only": "Offer only tools that change nothing.",
  ...AGENT_FLAG,
  ...ALLOW_LOCAL_FLAG,
} as const satisfies FlagTable;

/** Who asks: each of these can change which tools the policy allows. */
export const AUDIENCE_FLAGS = {
  ...AGENT_FLAG,
  "--provider NAME": "For a model of this provider: anthropic, google or openai.",
  "--model ID": "For this model.",
  "--channel NAME": "For a request from this channel.",
  "--group ID": "For a request from this group of the channel.",
  "--sender ID": "For a request from this sender.",
  "--subagent leaf|orchestrator": "As a sub-agent; an orchestrator can start others.",
  ...JSON_FLAG,
} as const satisfies FlagTable;

export interface Flag {
  readonly name: string;
  readonly short: string | undefined;
  readonly value: string | undefined;
  readonly choices: readonly string[] | undefined;
  readonly shown: string;
  readonly text: string;
}

export function readFlagTable(table: FlagTable): Flag[] {
  return Object.entries(table).map(([shown, text]) => {
    const [, short, name = "", value] = /^(?:-(\w), )?--([\w-]+)(?: (.+))?$/.exec(shown) ?? [];
    return { name, short, value, choices: readChoices(value), shown, text };
  });
}

/** `on|off` as two words; undefined for a placeholder such as FILE. */
export function readChoices(value: string | undefined): readonly string[] | undefined {
  return value !== undefined && /[a-z]/.test(value) ? value.split("|") : undefined;
}

export interface Operand {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isMany: boolean;
  readonly choices: readonly string[] | undefined;
}

export function readOperands({ usage = "" }: Command): Operand[] {
  return usage.split(" ").flatMap((text) => {
    const name = text.replace(/^\[|\]$|\.\.\.\]?$/g, "").replace(/\]$/, "");
    if (name === "") return [];
    const isMany = text.includes("...");
    return [{ name, isRequired: !text.startsWith("["), isMany, choices: readChoices(name) }];
  });
}

/** undefined without the flag. Throws a UsageError. */
export function readWhole(
  { texts }: Pick<CommandCall, "texts">,
  flag: string,
  { min = 0, max }: { readonly min?: number; readonly max?: number } = {},
): number | undefined {
  const text = texts[flag];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= (max ?? value)) return value;
  const end = max === undefined ? "" : ` to ${max}`;
  throw new UsageError(`--${flag} must be a whole number from ${min}${end}.`);
}

/** `what` starts the sentence. Throws a UsageError. */
export function parseJson(what: string, text: string, sample?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const such = sample === undefined ? "" : `, such as ${sample}`;
    throw new UsageError(`${what} is not valid JSON (${why}). Write it in single quotes${such}.`);
  }
}
