// The commands for files that go into a page or come out of it, and for what a page wrote down.

import { type Command, optional } from "../command.js";
import { NEEDS_NONE, RECORD_FLAGS, TAB_FLAGS, URL_FLAG, USES_DAEMON } from "./flags.js";

export const SCREENSHOT: Command = {
  group: "browser",
  name: "screenshot",
  operands: [{ name: "FILE", required: true, completes: "files" }],
  summary: "Save a picture of a page: .png, or .jpg.",
  notes: [USES_DAEMON, NEEDS_NONE],
  flags: {
    ...URL_FLAG,
    full: { type: "boolean", text: "Of the whole page." },
    labels: { type: "boolean", text: "With elements numbered; the ref of each is printed." },
    ref: { type: "string", value: "REF", text: "Of this element." },
    element: { type: "string", value: "CSS", text: "Of the first match." },
    ...TAB_FLAGS,
  },
  required: [],
  load: () => import("../../commands/browser/screenshot.js"),
};

export const PDF: Command = {
  group: "browser",
  name: "pdf",
  operands: [{ name: "FILE", required: true, completes: "files" }],
  summary: "Save a page as PDF.",
  notes: [USES_DAEMON, NEEDS_NONE],
  flags: { ...URL_FLAG, ...TAB_FLAGS },
  required: [],
  load: async () => (await import("../../commands/browser/saved-file.js")).savedFile("pdf"),
};

export const UPLOAD: Command = {
  group: "browser",
  name: "upload",
  operands: [{ name: "FILE", required: true, isMany: true, completes: "files" }],
  summary: "Give files to a file input, or to the file chooser that is open.",
  notes: [USES_DAEMON, "The files must lie in the folder that the browser was opened in (--root)."],
  flags: {
    ref: { type: "string", value: "REF", text: "The file input, or what opens the chooser." },
    element: { type: "string", value: "CSS", text: "The file input, by CSS." },
    ...TAB_FLAGS,
  },
  required: [],
  sample: "clawtools browser upload report.pdf --ref e3",
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("upload"),
};

export const DOWNLOAD: Command = {
  group: "browser",
  name: "download",
  operands: optional("FILE", "files"),
  summary: "Save what a click downloads, or what came already.",
  notes: [
    USES_DAEMON,
    "Without FILE it goes to `downloads` in the folder that the browser was opened in (--root).",
  ],
  flags: {
    ref: { type: "string", value: "REF", text: "Click this first." },
    ...TAB_FLAGS,
  },
  required: [],
  sample: "clawtools browser download --ref e3",
  load: async () => (await import("../../commands/browser/saved-file.js")).savedFile("download"),
};

export const CONSOLE: Command = {
  group: "browser",
  name: "console",
  operands: [],
  summary: "List the newest messages of the console of a page.",
  notes: [USES_DAEMON],
  flags: {
    level: {
      type: "string",
      value: "LEVEL",
      text: "From this one on.",
      completes: ["error", "warning", "info", "log", "debug"],
    },
    ...RECORD_FLAGS,
  },
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("console"),
};

export const ERRORS: Command = {
  group: "browser",
  name: "errors",
  operands: [],
  summary: "List the newest errors that a page did not catch.",
  notes: [USES_DAEMON],
  flags: RECORD_FLAGS,
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("errors"),
};

export const REQUESTS: Command = {
  group: "browser",
  name: "requests",
  operands: [],
  summary: "List the newest requests of a page.",
  notes: [USES_DAEMON],
  flags: RECORD_FLAGS,
  required: [],
  load: async () =>
    (await import("../../commands/browser/plain-action.js")).plainAction("requests"),
};
