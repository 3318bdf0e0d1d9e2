// `clawtools browser dialog accept|dismiss [TEXT]`: the answer to a dialog of the page.

import { callOnce, readPlace } from "../../browser/with-caller.js";
import type { CommandCall } from "../../command-call.js";
import { UsageError } from "../../failure.js";

export async function run(call: CommandCall): Promise<number> {
  const [word, promptText] = call.words;
  if (word !== "accept" && word !== "dismiss") {
    throw new UsageError("The answer is accept or dismiss. See `clawtools browser dialog --help`.");
  }
  const given = {
    ...{ action: "dialog", accept: word === "accept" },
    ...(promptText === undefined ? {} : { promptText }),
    ...readPlace(call),
  };
  return await callOnce(call, { given, isOwn: false });
}
