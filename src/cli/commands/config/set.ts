// `clawtools config set` and `config unset`: one value of the config; the rest of the file is kept.

import { findKey, isSecretReference, parseKeyPath } from "../../../config/edit/index.js";
import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Command, CommandCall } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { readInput } from "../../read-input.js";
import { applyChange } from "./apply-change.js";

const LIST_OR_OBJECT = /^\s*[[{]/;
const MAX_VALUE_BYTES = 1024 * 1024;

export const DRY_RUN_FLAG = {
  "--dry-run": "Show and check the change without writing it.",
} as const;

export const set: Command = {
  usage: "KEY VALUE",
  notes: [
    "VALUE is JSON5 or plain text; `-` reads it from stdin, which keeps a secret off the command line. Put `--` before a value that begins with a dash.",
    "A change that would not load is refused with the reason. A missing file is created.",
    `A list is JSON: \`clawtools config set tools.deny '["write"]'\`.`,
  ],
  flags: { ...DRY_RUN_FLAG, ...JSON_FLAG },
  sample: "clawtools config set tools.profile coding",
  async run(call) {
    const [path = "", word = ""] = call.words;
    const typed = word === "-" ? await readPiped(call) : word;
    return await applyChange(call, [{ path, value: await readTypedValue(path, typed) }]);
  },
};

export const unset: Command = {
  usage: "KEY",
  notes: ["Comments and the rest of the file stay."],
  flags: { ...DRY_RUN_FLAG, ...JSON_FLAG },
  sample: "clawtools config unset tools.profile",
  async run(call) {
    const [path = ""] = call.words;
    return await applyChange(call, [{ path, value: undefined }]);
  },
};

/** `echo` adds a line end that is not part of the value. */
async function readPiped({ input }: CommandCall): Promise<string> {
  return (await readInput(input, MAX_VALUE_BYTES)).replace(/\r?\n$/, "");
}

/** For a key of type text, text or a secret reference; else JSON5, or text when it is not JSON5. */
async function readTypedValue(path: string, typed: string): Promise<unknown> {
  const { parse } = (await import("json5")).default;
  const read = readWith(parse, typed);
  const found = findKey(parseKeyPath(path));
  if (found.status === "known" && found.node.type === "string") {
    const isMeant =
      "value" in read && (typeof read.value === "string" || isSecretReference(read.value));
    return isMeant ? read.value : typed;
  }
  if (found.status === "known" && found.node.type === "array" && !LIST_OR_OBJECT.test(typed)) {
    const text = "value" in read ? String(read.value) : typed;
    const list = JSON.stringify(text.split(",").map((one) => one.trim()));
    throw new ToolInputError(
      `${toPrintable(path)} is a list. Write it as JSON in single quotes: '${toPrintable(list, 200)}'. Nothing was changed.`,
      { reason: "config_invalid" },
    );
  }
  if ("value" in read) return read.value;
  if (!LIST_OR_OBJECT.test(typed)) return typed;
  throw new ToolInputError(
    `VALUE is not valid JSON5 (${toPrintable(read.why, 200)}). Write it in single quotes, such as '["tts"]'. Nothing was changed.`,
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
