// The commands of `browser` that are one action of the tool: their words and flags are its parameters.

import { resolve } from "node:path";
import { assertNoRef } from "../../browser/assert-no-ref.js";
import { readParameters, type ToolArguments } from "../../browser/parameters.js";
import { printAnswer } from "../../browser/print-answer.js";
import { callOnce, withPage } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import type { CommandModule } from "../../table/command.js";

interface PlainAction {
  readonly readWords?: (call: CommandCall) => ToolArguments;
  /** It needs no browser that is kept open: `own` starts nothing, `page` opens `--url` for itself. */
  readonly without?: "own" | "page";
}

const ACTIONS = {
  status: { without: "own" },
  tabs: {},
  focus: { readWords: ({ words: [targetId] }) => ({ targetId }) },
  close: { readWords: ({ words: [targetId] }) => (targetId === undefined ? {} : { targetId }) },
  navigate: { readWords: ({ words: [targetUrl] }) => ({ targetUrl }) },
  snapshot: { without: "page" },
  text: { without: "page" },
  console: {},
  errors: {},
  requests: {},
  upload: { readWords: (call) => ({ paths: readFiles(call) }) },
  dialog: { readWords: readAnswer },
} as const satisfies Record<string, PlainAction>;

export function plainAction(action: keyof typeof ACTIONS): CommandModule {
  const { readWords, without }: PlainAction = ACTIONS[action];
  return {
    async run(call) {
      const words = readWords?.(call);
      if (without !== "page") {
        const given = { action, ...readParameters(call), ...words };
        return await callOnce(call, { given, isOwn: without === "own" });
      }
      return await withPage(call, async (ask, given) =>
        printAnswer(call, await ask({ action, ...given })),
      );
    },
  };
}

/** Where this command stands, not where the browser was opened. */
function readFiles(call: CommandCall): string[] {
  assertNoRef(call);
  return call.words.map((file) => resolve(call.place.cwd, file));
}

function readAnswer({ words: [word, promptText] }: CommandCall): ToolArguments {
  if (word !== "accept" && word !== "dismiss") {
    throw new UsageError("The answer is accept or dismiss. See `clawtools browser dialog --help`.");
  }
  return { accept: word === "accept", ...(promptText === undefined ? {} : { promptText }) };
}
