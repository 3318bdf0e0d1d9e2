// `clawtools config set`: one value of the config, with comments and the rest of the file kept.

import type { CommandCall } from "../command-call.js";
import { readInput } from "../read-input.js";
import { tellFailure } from "../tell-failure.js";
import { applyChange } from "./apply-change.js";
import { readTypedValue } from "./read-value.js";

const MAX_VALUE_BYTES = 1024 * 1024;

export async function run(call: CommandCall): Promise<number> {
  const [path = "", word = ""] = call.words;
  return await tellFailure(call, async () => {
    const typed = word === "-" ? await readPiped(call) : word;
    return await applyChange(call, [{ path, value: await readTypedValue(path, typed) }]);
  });
}

/** `echo` adds a line end that nobody means. */
async function readPiped({ input }: CommandCall): Promise<string> {
  return (await readInput(input, MAX_VALUE_BYTES)).replace(/\r?\n$/, "");
}
