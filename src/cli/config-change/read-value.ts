// A value as somebody types it: JSON5, or plain text where that is what the key takes.

import { findKey, parseKeyPath } from "../../config/edit/index.js";

/** Text for a key that takes only text; else what JSON5 makes of it, and text when it is none. */
export async function readTypedValue(path: string, typed: string): Promise<unknown> {
  const { parse } = (await import("json5")).default;
  const value = parseOr(parse, typed);
  const found = findKey(parseKeyPath(path));
  const takesText = found.status === "known" && found.node.type === "string";
  return value === undefined || (takesText && typeof value !== "string") ? typed : value;
}

function parseOr(parse: (text: string) => unknown, typed: string): unknown {
  try {
    return parse(typed);
  } catch {
    // It is no JSON5, so it is meant as text.
    return undefined;
  }
}
