// `clawtools browser act KIND WORDS`: one act on the page that is kept open.

import { readActWords } from "../../browser/act-words.js";
import { readParameters } from "../../browser/parameters.js";
import { callOnce } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  const request = readActWords(call.words);
  return await callOnce(call, { given: { action: "act", request, ...readParameters(call) } });
}
