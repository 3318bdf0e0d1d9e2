// `clawtools browser snapshot`: the elements of a page with their refs.

import { printAnswer } from "../../browser/print-answer.js";
import { readCount } from "../../browser/read-count.js";
import { withPage } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

const SWITCHES = ["interactive", "compact", "urls"] as const;
const TEXTS = ["query", "selector", "ref"] as const;
const COUNTS = { depth: "depth", page: "page", "max-chars": "maxChars" } as const;

export async function run(call: CommandCall): Promise<number> {
  const view = readView(call);
  return await withPage(call, async (ask, place) =>
    printAnswer(call, await ask({ action: "snapshot", ...view, ...place })),
  );
}

function readView(call: CommandCall): Readonly<Record<string, unknown>> {
  const { switches, texts } = call;
  const counts = Object.entries(COUNTS).map(([flag, name]) => [name, readCount(call, flag)]);
  const given = [
    ...SWITCHES.map((name) => [name, switches.has(name) ? true : undefined]),
    ...TEXTS.map((name) => [name, texts[name]]),
    ...counts,
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
