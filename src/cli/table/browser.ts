// The commands that drive a browser by hand, with the tool that an agent has.

import { ALLOW_LOCAL_FLAG, type FlagTable, JSON_FLAG } from "../flags.js";
import type { Command, CommandGroup } from "./command.js";

const PLACE_FLAGS = {
  profile: { type: "string", value: "NAME", text: "This profile of the browser; default chrome." },
  "timeout-ms": { type: "string", value: "MS", text: "The time for it, at most 120000." },
  ...ALLOW_LOCAL_FLAG,
  ...JSON_FLAG,
} as const satisfies FlagTable;

const TAB_FLAG = {
  tab: { type: "string", value: "ID", text: "This tab, such as t1; default: the last used." },
} as const satisfies FlagTable;

const URL_FLAG = {
  url: { type: "string", value: "URL", text: "Open this page for it, and close it afterwards." },
} as const satisfies FlagTable;

const HELD = "It speaks to the browser that `clawtools browser open` keeps open.";

const STATUS: Command = {
  group: "browser",
  name: "status",
  operands: [],
  summary: "Say which browser is there, and whether it runs.",
  notes: [],
  flags: PLACE_FLAGS,
  required: [],
  load: () => import("../commands/browser/status.js"),
};

const START: Command = {
  group: "browser",
  name: "start",
  operands: [],
  summary: "Start a browser and keep it open until this command ends.",
  notes: ["Other commands of this group use it meanwhile; Ctrl+C, or `stop`, ends it."],
  flags: PLACE_FLAGS,
  required: [],
  load: () => import("../commands/browser/start.js"),
};

const STOP: Command = {
  group: "browser",
  name: "stop",
  operands: [],
  summary: "End the browser that another command keeps open.",
  notes: [],
  flags: JSON_FLAG,
  required: [],
  load: () => import("../commands/browser/stop.js"),
};

const TABS: Command = {
  group: "browser",
  name: "tabs",
  operands: [],
  summary: "List the open tabs.",
  notes: [HELD],
  flags: PLACE_FLAGS,
  required: [],
  load: () => import("../commands/browser/tabs.js"),
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
  load: () => import("../commands/browser/open.js"),
};

const SNAPSHOT: Command = {
  group: "browser",
  name: "snapshot",
  operands: [],
  summary: "List the elements of a page with their refs.",
  notes: [HELD, "With --url none needs to be open."],
  flags: {
    ...URL_FLAG,
    interactive: { type: "boolean", text: "Only what can be acted on." },
    compact: { type: "boolean", text: "Without structure that has no name." },
    urls: { type: "boolean", text: "With the addresses of links." },
    depth: { type: "string", value: "LEVELS", text: "No deeper than this." },
    query: { type: "string", value: "WORDS", text: "Only lines with all these words." },
    selector: { type: "string", value: "CSS", text: "Only what is in the first match." },
    ref: { type: "string", value: "REF", text: "Only what is in this element." },
    page: { type: "string", value: "NUMBER", text: "This part of a long list." },
    "max-chars": { type: "string", value: "COUNT", text: "Characters at most; default 20000." },
    ...TAB_FLAG,
    ...PLACE_FLAGS,
  },
  required: [],
  load: () => import("../commands/browser/snapshot.js"),
};

const SCREENSHOT: Command = {
  group: "browser",
  name: "screenshot",
  operands: [{ name: "FILE", required: true, completes: "files" }],
  summary: "Save a picture of a page: .png, or .jpg.",
  notes: [HELD, "With --url none needs to be open."],
  flags: {
    ...URL_FLAG,
    full: { type: "boolean", text: "Of the whole page." },
    labels: { type: "boolean", text: "With elements numbered; the ref of each is printed." },
    ref: { type: "string", value: "REF", text: "Of this element." },
    ...TAB_FLAG,
    ...PLACE_FLAGS,
  },
  required: [],
  load: () => import("../commands/browser/screenshot.js"),
};

const ACT: Command = {
  group: "browser",
  name: "act",
  operands: [
    { name: "KIND", required: true },
    { name: "WORDS", required: false, isMany: true },
  ],
  summary: "Click, type and the like, and say what changed.",
  notes: [
    HELD,
    "click, hover, scrollIntoView REF; clickCoords X Y; type REF TEXT; select REF OPTION...; fill REF=TEXT...; press KEY [REF]; drag REF REF; wait TEXT; resize WIDTH HEIGHT; evaluate SCRIPT [REF]; batch JSON...; close.",
    'Or one request as JSON in the place of KIND: \'{"kind":"click","ref":"e1","button":"right"}\'.',
  ],
  flags: {
    submit: { type: "boolean", text: "Press Enter after typing." },
    ...TAB_FLAG,
    ...PLACE_FLAGS,
  },
  required: [],
  sample: "clawtools browser act click e12",
  load: () => import("../commands/browser/act.js"),
};

const DIALOG: Command = {
  group: "browser",
  name: "dialog",
  operands: [
    { name: "ANSWER", required: true, completes: ["accept", "dismiss"] },
    { name: "TEXT", required: false },
  ],
  summary: "Answer a dialog of the page: accept, with a text for a prompt, or dismiss.",
  notes: [HELD],
  flags: { ...TAB_FLAG, ...PLACE_FLAGS },
  required: [],
  load: () => import("../commands/browser/dialog.js"),
};

const CALL: Command = {
  group: "browser",
  name: "call",
  operands: [{ name: "ARGUMENTS", required: true }],
  summary: "Any other call of the tool, its arguments as JSON.",
  notes: [HELD, "What is about profiles needs none: `profiles`, `create-profile` and the like."],
  flags: PLACE_FLAGS,
  required: [],
  sample: `clawtools browser call '{"action":"console"}'`,
  load: () => import("../commands/browser/call.js"),
};

const DOCTOR: Command = {
  group: "browser",
  name: "doctor",
  operands: [],
  summary: "Check what a browser needs here.",
  notes: ["The exit code is 1 when something is to be done."],
  flags: PLACE_FLAGS,
  required: [],
  load: () => import("../commands/browser/doctor.js"),
};

export const BROWSER: CommandGroup = {
  name: "browser",
  summary: "Drive a browser by hand.",
  commands: [STATUS, START, STOP, TABS, OPEN, SNAPSHOT, SCREENSHOT, ACT, DIALOG, CALL, DOCTOR],
};
