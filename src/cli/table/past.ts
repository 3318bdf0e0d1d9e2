// The commands about what calls have changed in files.

import { JSON_FLAG } from "../flags.js";
import { type Command, type CommandGroup, optional } from "./command.js";

const UNDO: Command = {
  group: "undo",
  name: "",
  operands: optional("CALL"),
  summary: "Take back what a call changed in files.",
  notes: [
    "Without CALL: the latest call that changed files in this root and is not undone.",
    "All files of the call are put back, or none. When one was changed since, nothing is done and the exit code is 6.",
  ],
  flags: {
    list: { type: "boolean", text: "List the calls that changed files here, newest first." },
    force: { type: "boolean", text: "Overwrite files that were changed since." },
    ...JSON_FLAG,
  },
  required: [],
  load: () => import("../commands/undo.js"),
};

const DIFF: Command = {
  group: "diff",
  name: "",
  operands: optional("CALL"),
  summary: "Show what a call changed in files.",
  notes: ["Without CALL: the latest call that changed files in this root and is not undone."],
  flags: JSON_FLAG,
  required: [],
  load: () => import("../commands/diff.js"),
};

export const UNDO_GROUP: CommandGroup = {
  name: "undo",
  summary: UNDO.summary,
  commands: [UNDO],
};

export const DIFF_GROUP: CommandGroup = {
  name: "diff",
  summary: DIFF.summary,
  commands: [DIFF],
};
