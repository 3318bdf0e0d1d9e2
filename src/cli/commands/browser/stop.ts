// `clawtools browser stop`: ends the browser that another command keeps open.

import { askDaemon } from "../../browser/daemon/ask.js";
import { printAnswer } from "../../browser/print-answer.js";
import type { CommandCall } from "../../command-call.js";

const NOTHING = {
  content: [{ type: "text" as const, text: "No browser is kept open." }],
  details: { ok: true, running: false },
  isError: false,
};

export async function run(call: CommandCall): Promise<number> {
  return printAnswer(call, (await askDaemon(call, { stop: true })) ?? NOTHING);
}
