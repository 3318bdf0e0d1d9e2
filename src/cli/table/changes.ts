// The commands about what calls changed in files.

import { JSON_FLAG } from "../flags.js";
import { type Command, optional } from "./command.js";

export const UNDO: Command = {
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

export const DIFF: Command = {
  group: "diff",
  name: "",
  operands: optional("CALL"),
  summary: "Show what a call changed in files.",
  notes: ["Without CALL: the latest call that changed files in this root and is not undone."],
  flags: JSON_FLAG,
  required: [],
  load: () => import("../commands/diff.js"),
};
