// `clawtools browser doctor`: what a browser needs here, and what of it is there.

import { readField } from "../../../lib/read-field.js";
import { readParameters } from "../../browser/parameters.js";
import { printAnswer } from "../../browser/print-answer.js";
import { withOwn } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  return await withOwn(call, async (ask) => {
    const answer = await ask({ action: "doctor", ...readParameters(call) });
    const exitCode = printAnswer(call, answer);
    return exitCode === 0 && readField(answer.details, "ok") === false ? 1 : exitCode;
  });
}
