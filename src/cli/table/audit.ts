// The commands that show the record of all calls and look whether it is whole.

import { JSON_FLAG } from "../flags.js";
import type { Command, CommandGroup } from "./command.js";

const SHOW: Command = {
  group: "audit",
  name: "show",
  operands: [],
  summary: "Show the latest calls: who, what, by which rule, and how they ended.",
  notes: ["The newest call stands last. Times are UTC."],
  flags: {
    tool: { type: "string", value: "NAME", text: "Only calls of this tool." },
    call: { type: "string", value: "ID", text: "Only calls with this id." },
    since: {
      type: "string",
      value: "TIME",
      text: "Only since then: 90s, 30m, 12h, 7d, or a date such as 2026-01-31T12:00Z.",
    },
    limit: { type: "string", value: "COUNT", text: "At most so many; default: 50." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("../commands/audit/show.js"),
};

const VERIFY: Command = {
  group: "audit",
  name: "verify",
  operands: [],
  summary: "Look whether a row was changed, removed, moved or cut off.",
  notes: [
    "Ends with 1 when something is wrong, and names the file and the row; with 5 when --state-dir names a folder without an audit.",
  ],
  flags: { ...JSON_FLAG },
  required: [],
  load: () => import("../commands/audit/verify.js"),
};

export const AUDIT: CommandGroup = {
  name: "audit",
  summary: "The record of all calls.",
  commands: [SHOW, VERIFY],
};
