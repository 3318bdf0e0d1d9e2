// The commands about the notes of an agent.

import { type FlagTable, JSON_FLAG } from "../flags.js";
import type { Command, CommandGroup } from "./command.js";

const AGENT_FLAG = {
  agent: { type: "string", value: "ID", text: "The notes of this agent of the config." },
} as const satisfies FlagTable;

const INDEX: Command = {
  group: "memory",
  name: "index",
  operands: [],
  summary: "Bring the index of the notes up to date.",
  notes: ["Searches do so by themselves; this is for many notes at once, and shows how far it is."],
  flags: {
    fresh: { type: "boolean", text: "Make it anew; searches use the old one until then." },
    ...AGENT_FLAG,
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("../commands/memory/index-notes.js"),
};

const SEARCH: Command = {
  group: "memory",
  name: "search",
  operands: [{ name: "WORDS", required: true, isMany: true }],
  summary: "Search the notes.",
  notes: ["Any of the words may match. The exit code is 1 when no note matches."],
  flags: {
    also: { type: "string", value: "WORDS", text: "Other words the notes may use." },
    max: { type: "string", value: "COUNT", text: "Hits at most; default 6." },
    ...AGENT_FLAG,
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("../commands/memory/search-notes.js"),
};

const STATUS: Command = {
  group: "memory",
  name: "status",
  operands: [],
  summary: "Show how many notes are indexed, and what is left out.",
  notes: [],
  flags: { ...AGENT_FLAG, ...JSON_FLAG },
  required: [],
  load: () => import("../commands/memory/show-status.js"),
};

export const MEMORY: CommandGroup = {
  name: "memory",
  summary: "Search the notes of an agent, and keep their index.",
  commands: [INDEX, SEARCH, STATUS],
};
