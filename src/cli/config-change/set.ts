// `clawtools config set`: one value of the config, with comments and the rest of the file kept.

import { findKey, isSecretReference, parseKeyPath } from "../../config/edit/index.js";
import { ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { CommandCall } from "../command-call.js";
import { readInput } from "../read-input.js";
import { tellFailure } from "../tell-failure.js";
import { applyChange } from "./apply-change.js";

const LIST_OR_OBJECT = /^\s*[[{]/;

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

/**
 * Text, or a reference to a secret, for a key that takes only text; else what JSON5 makes of it, and text when it is none. Throws a
 * ToolInputError for a list or an object that is broken.
 */
async function readTypedValue(path: string, typed: string): Promise<unknown> {
  const { parse } = (await import("json5")).default;
  const read = readWith(parse, typed);
  const found = findKey(parseKeyPath(path));
  if (found.status === "known" && found.node.type === "string") {
    const isMeant =
      "value" in read && (typeof read.value === "string" || isSecretReference(read.value));
    return isMeant ? read.value : typed;
  }
  if ("value" in read) return read.value;
  if (!LIST_OR_OBJECT.test(typed)) return typed;
  throw new ToolInputError(
    `VALUE is broken JSON5 (${toPrintable(read.why, 200)}); write it in single quotes, such as '["tts"]'. Nothing was changed.`,
    { reason: "config_invalid" },
  );
}

type Read = { readonly value: unknown } | { readonly why: string };

function readWith(parse: (text: string) => unknown, typed: string): Read {
  try {
    return { value: parse(typed) };
  } catch (error) {
    return { why: (error instanceof Error ? error.message : String(error)).replace("JSON5: ", "") };
  }
}
