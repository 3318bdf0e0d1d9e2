// The flags of the command line: their names, what they take, and the words that help shows.

export interface Flag {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** What stands for the value in help; only where there is one. */
  readonly value?: string;
  readonly text: string;
  /** What a shell offers for its value. */
  readonly completes?: Completes;
}

/** The words themselves, or what they are. */
export type Completes = readonly string[] | "files" | "folders" | "tools" | "config-keys";

export type FlagTable = Readonly<Record<string, Flag>>;

/** Known to every command. */
export const GLOBAL_FLAGS = {
  config: { type: "string", value: "FILE", text: "Use this config file.", completes: "files" },
  root: {
    type: "string",
    value: "DIR",
    text: "The folder that file tools may use; default: the working folder.",
    completes: "folders",
  },
  "state-dir": {
    type: "string",
    value: "DIR",
    text: "The state folder; default: CLAWTOOLS_STATE_DIR, else ~/.clawtools.",
    completes: "folders",
  },
  "no-color": { type: "boolean", text: "Accepted for scripts; no colour is used." },
  help: { type: "boolean", short: "h", text: "Show help; it works at every level." },
  version: { type: "boolean", short: "V", text: "Show the version." },
} as const satisfies FlagTable;

export const JSON_FLAG = {
  json: { type: "boolean", text: "Print one JSON document, for programs." },
} as const satisfies FlagTable;

export const ALLOW_LOCAL_FLAG = {
  "allow-local": {
    type: "boolean",
    text: "The browser may open pages of this machine: localhost, 127.0.0.1, ::1.",
  },
} as const satisfies FlagTable;

/** For whom: each of these can change what policy leaves. */
export const AUDIENCE_FLAGS = {
  agent: { type: "string", value: "ID", text: "As this agent of the config." },
  provider: {
    type: "string",
    value: "NAME",
    text: "For a model of this provider.",
    completes: ["anthropic", "google", "openai"],
  },
  model: { type: "string", value: "ID", text: "For this model." },
  channel: { type: "string", value: "NAME", text: "As asked for from this channel." },
  group: { type: "string", value: "ID", text: "As asked for in this group of the channel." },
  sender: { type: "string", value: "ID", text: "As asked for by the sender with this id." },
  subagent: {
    type: "string",
    value: "KIND",
    text: "As a sub-agent: leaf, or orchestrator, which starts others.",
    completes: ["leaf", "orchestrator"],
  },
} as const satisfies FlagTable;

/** `--provider NAME`, as help and errors show it. */
export function showFlag(name: string, flag: Flag): string {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  return `${short}--${name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
}
