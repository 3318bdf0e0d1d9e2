// `clawtools browser call ARGUMENTS`: what has no command of its own.

import { readJsonObject } from "../../browser/act-words.js";
import { readParameters } from "../../browser/parameters.js";
import { callOnce } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";

/** What needs no browser that is open. */
const OWN: readonly unknown[] = [
  ...["status", "profiles", "create-profile", "delete-profile", "reset-profile", "doctor"],
];

export async function run(call: CommandCall): Promise<number> {
  const given = { ...readParameters(call), ...readJsonObject(call.words[0] ?? "") };
  return await callOnce(call, { given, isOwn: OWN.includes(given.action), isRaw: true });
}
