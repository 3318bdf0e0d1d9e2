// The commands that drive a browser by hand: each is one action of the `browser` tool.

import { resolve } from "node:path";
import { toPrintable } from "../../../lib/printable.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import { type Command, type CommandCall, type FlagTable, show } from "../../command.js";
import { UsageError } from "../../failure.js";
import { ALLOW_LOCAL_FLAG, JSON_FLAG } from "../../flags.js";
import { readActWords, readJsonObject } from "./act-words.js";
import { askDaemon } from "./daemon/ask.js";
import { REF, readParameters, type ToolArguments } from "./parameters.js";
import { printAnswer } from "./print-answer.js";
import { MAX_PATH_CHARS, saveAs, saveScreenshot } from "./save-file.js";
import { callOnce, keepOpen, withOwn, withPage } from "./with-caller.js";

const KEPT_OPEN = "Uses the browser that `clawtools browser open` keeps open.";
const OR_URL =
  "Uses the browser that `clawtools browser open` keeps open; with --url it needs none.";
const UNTIL_STOPPED =
  "Other commands of this group use it meanwhile. Ctrl-C or `clawtools browser stop` ends it.";

const PLACE = {
  "--profile NAME": "Browser profile (default chrome).",
  "--timeout-ms MS": "Time limit in milliseconds, at most 120000.",
  ...ALLOW_LOCAL_FLAG,
  ...JSON_FLAG,
} as const satisfies FlagTable;

const TAB = {
  "--tab ID": "Use this tab, such as t1 (default: the last used).",
  ...PLACE,
} as const satisfies FlagTable;

const URL_FLAG = {
  "--url URL": "Open this page first and close it afterwards.",
} as const satisfies FlagTable;

const PART = {
  "--query WORDS": "Only lines with all these words.",
  "--selector CSS": "Only what is inside the first match.",
  "--frame IFRAME": "Only this iframe: its ref or CSS.",
  "--page NUMBER": "This part of a long answer.",
  "--max-chars COUNT": "Number of characters (default 20000).",
} as const satisfies FlagTable;

const RECORDS = {
  "--query WORDS": "Only entries with all these words.",
  "--limit COUNT": "Number of rows, newest first (default 50).",
  "--clear": "Forget the entries that are shown.",
  ...TAB,
} as const satisfies FlagTable;

const OWN: readonly unknown[] = [
  ...["status", "profiles", "create-profile", "delete-profile", "reset-profile", "doctor"],
];

const NOT_OPEN = {
  content: [{ type: "text" as const, text: "No browser is open." }],
  details: { ok: true, running: false },
  isError: false,
};

function action(name: string, words: (call: CommandCall) => ToolArguments = () => ({})) {
  return async (call: CommandCall) => {
    const given = { action: name, ...readParameters(call), ...words(call) };
    return await callOnce(call, { given, isOwn: OWN.includes(name) });
  };
}

function view(name: string) {
  return async (call: CommandCall) =>
    await withPage(call, async (ask, given) =>
      printAnswer(call, await ask({ action: name, ...given })),
    );
}

export const COMMANDS = {
  status: { flags: PLACE, run: action("status") },
  start: {
    notes: [UNTIL_STOPPED],
    flags: PLACE,
    run: (call) => keepOpen(call, { action: "start", ...readParameters(call) }),
  },
  stop: {
    flags: JSON_FLAG,
    run: async (call) => printAnswer(call, (await askDaemon(call, { stop: true })) ?? NOT_OPEN),
  },
  open: {
    usage: "URL",
    notes: [
      UNTIL_STOPPED,
      "If a browser is already open, the page is opened there and this command ends.",
      "Pages of this machine are refused without --allow-local.",
    ],
    flags: PLACE,
    run: (call) =>
      keepOpen(call, { action: "open", targetUrl: call.words[0], ...readParameters(call) }),
  },
  tabs: { notes: [KEPT_OPEN], flags: PLACE, run: action("tabs") },
  focus: {
    usage: "TAB",
    notes: [KEPT_OPEN],
    flags: PLACE,
    run: action("focus", ({ words: [targetId] }) => ({ targetId })),
  },
  close: {
    usage: "[TAB]",
    notes: [KEPT_OPEN, "`clawtools browser stop` ends the browser."],
    flags: TAB,
    run: action("close", ({ words: [targetId] }) => (targetId ? { targetId } : {})),
  },
  navigate: {
    usage: "URL",
    notes: [KEPT_OPEN, "URL may also be back, forward or reload."],
    flags: TAB,
    run: action("navigate", ({ words: [targetUrl] }) => ({ targetUrl })),
  },
  snapshot: {
    notes: [OR_URL],
    flags: {
      ...URL_FLAG,
      "--interactive": "Only elements that can be acted on.",
      "--compact": "Without structure that has no name.",
      "--efficient": "Both of these, six levels deep, in 8000 characters.",
      "--urls": "With the addresses of links.",
      "--labels": "With a picture that has numbers on the elements.",
      "--depth LEVELS": "Not deeper than this.",
      "--ref REF": "Only what is inside this element.",
      ...PART,
      "--format ai|aria": "Format (default ai); aria lists every element with its box.",
      "--limit COUNT": "Elements per part with --format aria.",
      ...TAB,
    },
    run: view("snapshot"),
  },
  text: { notes: [OR_URL], flags: { ...URL_FLAG, ...PART, ...TAB }, run: view("text") },
  screenshot: {
    usage: "FILE",
    notes: [OR_URL, "FILE ends in .png or .jpg."],
    flags: {
      ...URL_FLAG,
      "--full": "The whole page.",
      "--labels": "Number the elements; the ref of each is printed.",
      "--ref REF": "Only this element.",
      "--element CSS": "Only the first match.",
      ...TAB,
    },
    run: saveScreenshot,
  },
  pdf: {
    usage: "FILE",
    notes: [OR_URL],
    flags: { ...URL_FLAG, ...TAB },
    run: (call) => saveFile(call, "pdf"),
  },
  act: {
    usage: "KIND [WORDS...]",
    notes: [
      KEPT_OPEN,
      "click, hover, check, uncheck, scrollIntoView REF; scroll down, up, top, bottom; clickCoords X Y; type REF TEXT; select REF OPTION...; fill REF=TEXT... (true or false for a checkbox); press KEY [REF]; drag REF REF; wait TEXT; resize WIDTH HEIGHT; evaluate SCRIPT [REF]; batch JSON...; close.",
      "wait also takes --time-ms, --text-gone, --selector, --wait-url and --load-state.",
      'Or one request as JSON instead of KIND: \'{"kind":"click","ref":"e1","button":"right"}\'.',
    ],
    flags: {
      "--submit": "type: press Enter afterwards.",
      "--slowly": "type: key by key.",
      "--append": "type: after the text of the field.",
      "--double": "click: twice.",
      "--button left|right|middle": "click: this button.",
      "--time-ms MS": "wait: this many milliseconds.",
      "--text-gone TEXT": "wait: until this text is gone.",
      "--selector CSS": "wait: until a match is visible.",
      "--wait-url GLOB": "wait: until the address matches.",
      "--load-state load|domcontentloaded|networkidle": "wait: until this load state.",
      "--frame IFRAME": "evaluate: in this iframe, its ref or CSS.",
      ...TAB,
    },
    sample: "clawtools browser act click e12",
    run: act,
  },
  dialog: {
    usage: "accept|dismiss [TEXT]",
    notes: [KEPT_OPEN],
    flags: TAB,
    run: action("dialog", ({ words: [answer, promptText] }) => ({
      accept: answer === "accept",
      ...(promptText === undefined ? {} : { promptText }),
    })),
  },
  upload: {
    usage: "FILE...",
    notes: [KEPT_OPEN, "The files must be in the folder that the browser was opened in (--root)."],
    flags: {
      "--ref REF": "The file input, or what opens the chooser.",
      "--element CSS": "The file input, by CSS.",
      ...TAB,
    },
    sample: "clawtools browser upload report.pdf --ref e3",
    run: action("upload", (call) => {
      assertNoRef(call);
      return { paths: call.words.map((file) => resolve(call.place.cwd, file)) };
    }),
  },
  download: {
    usage: "[FILE]",
    notes: [
      KEPT_OPEN,
      "Without FILE it goes to `downloads` in the folder that the browser was opened in (--root).",
    ],
    flags: { "--ref REF": "Click this first.", ...TAB },
    sample: "clawtools browser download --ref e3",
    run: (call) => saveFile(call, "download"),
  },
  console: {
    notes: [KEPT_OPEN],
    flags: { "--level error|warning|info|log|debug": "This level and above.", ...RECORDS },
    run: action("console"),
  },
  errors: { notes: [KEPT_OPEN], flags: RECORDS, run: action("errors") },
  requests: { notes: [KEPT_OPEN], flags: RECORDS, run: action("requests") },
  call: {
    usage: "ARGUMENTS",
    notes: [KEPT_OPEN, "Actions on profiles, such as `profiles`, need no open browser."],
    flags: PLACE,
    sample: `clawtools browser call '{"action":"profiles"}'`,
    async run(call) {
      const given = { ...readParameters(call), ...readJsonObject(call.words[0] ?? "") };
      return await callOnce(call, { given, isOwn: OWN.includes(given.action), isRaw: true });
    },
  },
  doctor: {
    notes: ["The exit code is 1 when something is missing."],
    flags: PLACE,
    run: async (call) =>
      await withOwn(call, async (ask) => {
        const answer = await ask({ action: "doctor", ...readParameters(call) });
        const exitCode = printAnswer(call, answer);
        return exitCode === 0 && readField(answer.details, "ok") === false ? 1 : exitCode;
      }),
  },
} as const satisfies Record<string, Command>;

const MS_PER_SECOND = 1_000;
/** Without a unit, a number from here on means milliseconds. */
const MIN_MS = 100;

async function act(call: CommandCall): Promise<number> {
  const request = readActWords(call.words);
  if (request.kind === "wait") warnOfNumber(call, request.text);
  return await callOnce(call, { given: { action: "act", request, ...readParameters(call) } });
}

function warnOfNumber({ output }: CommandCall, text: unknown): void {
  const [, number = "", unit] = /^(\d+(?:\.\d+)?) ?(ms|s)?$/.exec(String(text)) ?? [];
  if (number === "") return;
  const isMs = unit === undefined ? Number(number) >= MIN_MS : unit === "ms";
  const timeMs = Math.round(Number(number) * (isMs ? 1 : MS_PER_SECOND));
  output.warn(`Waiting for the text "${text}"; to wait for a time use --time-ms ${timeMs}.`);
}

async function saveFile(call: CommandCall, name: "pdf" | "download"): Promise<number> {
  assertNoRef(call);
  const [word] = call.words;
  const file = word === undefined ? undefined : resolve(call.place.cwd, word);
  return await withPage(call, async (ask, given) => {
    const answer = await ask({ action: name, ...given });
    if (answer.isError) return printAnswer(call, answer);
    if (file !== undefined) await saveAs(file, { answer, isMoved: true });
    const path = file ?? readText(answer.details, "path") ?? "";
    return show(call, { ...Object(answer.details), path }, () => [
      `Saved ${toPrintable(path, MAX_PATH_CHARS)} (${readNumber(answer.details, "bytes")} bytes).`,
    ]);
  });
}

/** A ref in the place of a file is a mistake, unless --ref is there too. */
function assertNoRef({ words, texts }: CommandCall): void {
  const ref = words.find((word) => REF.test(word));
  if (ref === undefined || texts.ref !== undefined) return;
  throw new UsageError(`"${ref}" is a ref, not a file. Write --ref ${ref}.`);
}
