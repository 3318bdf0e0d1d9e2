// The commands that look at a page and act on it.

import { type Command, optional } from "../command.js";
import { NEEDS_NONE, PART_FLAGS, PLACE_FLAGS, TAB_FLAGS, URL_FLAG, USES_DAEMON } from "./flags.js";

/** Of the tool, and three that it knows by these words too. */
const KINDS = [
  "click",
  "clickCoords",
  "type",
  "press",
  "hover",
  "drag",
  "select",
  "fill",
  "resize",
  "wait",
  "evaluate",
  "scrollIntoView",
  "batch",
  "close",
  "scroll",
  "check",
  "uncheck",
];

export const FOCUS: Command = {
  group: "browser",
  name: "focus",
  operands: [{ name: "TAB", required: true }],
  summary: "Bring a tab to the front, such as t2.",
  notes: [USES_DAEMON],
  flags: PLACE_FLAGS,
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("focus"),
};

export const CLOSE: Command = {
  group: "browser",
  name: "close",
  operands: optional("TAB"),
  summary: "Close a tab, such as t2; without TAB the current one.",
  notes: [USES_DAEMON, "`clawtools browser stop` ends the browser."],
  flags: TAB_FLAGS,
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("close"),
};

export const NAVIGATE: Command = {
  group: "browser",
  name: "navigate",
  alsoCalled: ["goto", "go", "visit"],
  operands: [{ name: "URL", required: true, completes: ["back", "forward", "reload"] }],
  summary: "Go to another address in the same tab, or back, forward, reload.",
  notes: [USES_DAEMON],
  flags: TAB_FLAGS,
  required: [],
  load: async () =>
    (await import("../../commands/browser/plain-action.js")).plainAction("navigate"),
};

export const SNAPSHOT: Command = {
  group: "browser",
  name: "snapshot",
  operands: [],
  summary: "List the elements of a page with their refs.",
  notes: [USES_DAEMON, NEEDS_NONE],
  flags: {
    ...URL_FLAG,
    interactive: { type: "boolean", text: "Only what can be acted on." },
    compact: { type: "boolean", text: "Without structure that has no name." },
    efficient: { type: "boolean", text: "Both, six levels deep, in 8000 characters." },
    urls: { type: "boolean", text: "With the addresses of links." },
    labels: { type: "boolean", text: "With a picture that has numbers on the elements." },
    depth: { type: "string", value: "LEVELS", text: "No deeper than this." },
    ref: { type: "string", value: "REF", text: "Only what is in this element." },
    ...PART_FLAGS,
    format: {
      type: "string",
      value: "FORMAT",
      text: "ai (default), or aria: every element, boxes too.",
      completes: ["ai", "aria"],
    },
    limit: { type: "string", value: "COUNT", text: "Elements a part with --format aria." },
    ...TAB_FLAGS,
  },
  required: [],
  load: async () =>
    (await import("../../commands/browser/plain-action.js")).plainAction("snapshot"),
};

export const TEXT: Command = {
  group: "browser",
  name: "text",
  operands: [],
  summary: "Print the words of a page, of its main part.",
  notes: [USES_DAEMON, NEEDS_NONE],
  flags: { ...URL_FLAG, ...PART_FLAGS, ...TAB_FLAGS },
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("text"),
};

export const ACT: Command = {
  group: "browser",
  name: "act",
  operands: [
    { name: "KIND", required: true, completes: KINDS },
    { name: "WORDS", required: false, isMany: true },
  ],
  summary: "Click, type and the like, and say what changed.",
  notes: [
    USES_DAEMON,
    "click, hover, check, uncheck, scrollIntoView REF; scroll down, up, top, bottom; clickCoords X Y; type REF TEXT; select REF OPTION...; fill REF=TEXT... (true or false for a checkbox); press KEY [REF]; drag REF REF; wait TEXT; resize WIDTH HEIGHT; evaluate SCRIPT [REF]; batch JSON...; close.",
    "wait also takes --time-ms, --text-gone, --selector, --wait-url and --load-state in the place of TEXT, or beside it.",
    'Or one request as JSON in the place of KIND: \'{"kind":"click","ref":"e1","button":"right"}\'.',
  ],
  flags: {
    submit: { type: "boolean", text: "type: press Enter afterwards." },
    slowly: { type: "boolean", text: "type: key by key." },
    append: { type: "boolean", text: "type: behind what the field holds." },
    double: { type: "boolean", text: "click: twice." },
    button: {
      type: "string",
      value: "BUTTON",
      text: "click: left, right or middle.",
      completes: ["left", "right", "middle"],
    },
    "time-ms": { type: "string", value: "MS", text: "wait: so many milliseconds." },
    "text-gone": { type: "string", value: "TEXT", text: "wait: until this is not there." },
    selector: { type: "string", value: "CSS", text: "wait: until a match is seen." },
    "wait-url": { type: "string", value: "GLOB", text: "wait: until the address is like this." },
    "load-state": {
      type: "string",
      value: "STATE",
      text: "wait: load, domcontentloaded or networkidle.",
      completes: ["load", "domcontentloaded", "networkidle"],
    },
    frame: { type: "string", value: "IFRAME", text: "evaluate: in this iframe, its ref or CSS." },
    ...TAB_FLAGS,
  },
  required: [],
  sample: "clawtools browser act click e12",
  load: () => import("../../commands/browser/act.js"),
};

export const DIALOG: Command = {
  group: "browser",
  name: "dialog",
  operands: [
    { name: "ANSWER", required: true, completes: ["accept", "dismiss"] },
    { name: "TEXT", required: false },
  ],
  summary: "Answer a dialog of the page: accept, with a text for a prompt, or dismiss.",
  notes: [USES_DAEMON],
  flags: TAB_FLAGS,
  required: [],
  load: async () => (await import("../../commands/browser/plain-action.js")).plainAction("dialog"),
};
