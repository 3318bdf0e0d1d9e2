// The commands that drive a browser by hand, with the tool that an agent has: here what is about the
// browser, in page.ts and records.ts what is about a page.

import { JSON_FLAG } from "../../flags.js";
import type { Command, CommandGroup } from "../command.js";
import { PLACE_FLAGS, USES_DAEMON } from "./flags.js";
import { ACT, CLOSE, DIALOG, FOCUS, NAVIGATE, SNAPSHOT, TEXT } from "./page.js";
import { CONSOLE, DOWNLOAD, ERRORS, PDF, REQUESTS, SCREENSHOT, UPLOAD } from "./records.js";

const STATUS: Command = {
  group: "browser",
  name: "status",
  operands: [],
  summary: "Say which browser is there, and whether it runs.",
  notes: [],
  flags: PLACE_FLAGS,
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("status"),
};

const START: Command = {
  group: "browser",
  name: "start",
  operands: [],
  summary: "Start a browser and keep it open until this command ends.",
  notes: ["Other commands of this group use it meanwhile; Ctrl+C, or `stop`, ends it."],
  flags: PLACE_FLAGS,
  required: [],
  load: () => import("../../commands/browser/start.js"),
};

const STOP: Command = {
  group: "browser",
  name: "stop",
  operands: [],
  summary: "End the browser that another command keeps open.",
  notes: [],
  flags: JSON_FLAG,
  required: [],
  load: () => import("../../commands/browser/stop.js"),
};

const TABS: Command = {
  group: "browser",
  name: "tabs",
  operands: [],
  summary: "List the open tabs; `*` is before the current one.",
  notes: [USES_DAEMON],
  flags: PLACE_FLAGS,
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("tabs"),
};

const OPEN: Command = {
  group: "browser",
  name: "open",
  operands: [{ name: "URL", required: true }],
  summary: "Open a page and keep the browser open until this command ends.",
  notes: [
    "Other commands of this group use it meanwhile; Ctrl+C, or `stop`, ends it.",
    "When a browser is kept open already, the page is opened there, and this command ends.",
    "Pages on this machine are refused without --allow-local.",
  ],
  flags: PLACE_FLAGS,
  required: [],
  load: () => import("../../commands/browser/open.js"),
};

const CALL: Command = {
  group: "browser",
  name: "call",
  operands: [{ name: "ARGUMENTS", required: true }],
  summary: "Any other call of the tool, its arguments as JSON.",
  notes: [
    USES_DAEMON,
    "What is about profiles needs none: `profiles`, `create-profile` and the like.",
  ],
  flags: PLACE_FLAGS,
  required: [],
  sample: `clawtools browser call '{"action":"profiles"}'`,
  load: () => import("../../commands/browser/call.js"),
};

const DOCTOR: Command = {
  group: "browser",
  name: "doctor",
  operands: [],
  summary: "Check what a browser needs here.",
  notes: ["The exit code is 1 when something is to be done."],
  flags: PLACE_FLAGS,
  required: [],
  load: () => import("../../commands/browser/doctor.js"),
};

export const BROWSER: CommandGroup = {
  name: "browser",
  summary: "Drive a browser by hand.",
  commands: [
    ...[STATUS, START, STOP, OPEN, TABS, FOCUS, CLOSE, NAVIGATE],
    ...[SNAPSHOT, TEXT, SCREENSHOT, PDF, ACT, DIALOG, UPLOAD, DOWNLOAD],
    ...[CONSOLE, ERRORS, REQUESTS, CALL, DOCTOR],
  ],
};
