// `clawtools browser act KIND WORDS`: one act on the page that is kept open.

import { readActWords } from "../../browser/act-words.js";
import { readParameters } from "../../browser/parameters.js";
import { callOnce } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

const MS_PER_SECOND = 1_000;
/** Nobody waits so many seconds: without a unit they are milliseconds. */
const MIN_MS = 100;

export async function run(call: CommandCall): Promise<number> {
  const request = readActWords(call.words);
  if (request.kind === "wait") warnOfNumber(call, request.text);
  return await callOnce(call, { given: { action: "act", request, ...readParameters(call) } });
}

/** It may be meant; whoever means a time would wait for the text until the time of the call is over. */
function warnOfNumber({ output }: CommandCall, text: unknown): void {
  const [, number = "", unit] = /^(\d+(?:\.\d+)?) ?(ms|s)?$/.exec(String(text)) ?? [];
  if (number === "") return;
  const isMs = unit === undefined ? Number(number) >= MIN_MS : unit === "ms";
  const timeMs = Math.round(Number(number) * (isMs ? 1 : MS_PER_SECOND));
  output.warn(`Waiting for the text "${text}"; a time is --time-ms ${timeMs}.`);
}
