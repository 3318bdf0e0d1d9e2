// A value as somebody types it: JSON5, or plain text where that is what the key takes.

import { findKey, isSecretReference, parseKeyPath } from "../../config/edit/index.js";
import { ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

const LIST_OR_OBJECT = /^\s*[[{]/;

/**
 * Text, or a reference to a secret, for a key that takes only text; else what JSON5 makes of it, and text when it is none. Throws a
 * ToolInputError for a list or an object that is broken.
 */
export async function readTypedValue(path: string, typed: string): Promise<unknown> {
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
