// `clawtools browser call ARGUMENTS`: what has no command of its own.

import { readJsonObject } from "../../browser/act-words.js";
import { callOnce, readPlace } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

export async function run(call: CommandCall): Promise<number> {
  const given = { ...readPlace(call), ...readJsonObject(call.words[0] ?? "") };
  return await callOnce(call, { given, isOwn: false });
}
