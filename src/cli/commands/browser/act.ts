// `clawtools browser act KIND WORDS`: one act on the page that is kept open.

import { readActWords } from "../../browser/act-words.js";
import { callOnce, readPlace } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  const { words, switches } = call;
  const submit = switches.has("submit") ? { submit: true } : {};
  const request = { ...readActWords(words), ...submit };
  return await callOnce(call, {
    given: { action: "act", request, ...readPlace(call) },
    isOwn: false,
  });
}
