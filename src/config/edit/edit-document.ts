// A change of a JSON5 document that is proved: the parser must read the new text as the old value
// with that one change, or nothing is changed. Strict JSON stays strict JSON.

import { isDeepStrictEqual } from "node:util";
import { splitByteOrderMark } from "../../lib/unicode-text.js";
import { decodeName, parseText } from "../file/parse-text.js";
import type { KeyPath } from "../key-path.js";
import { type EditedText, editText, type TextChange } from "./edit-text.js";

/** `text` may begin with a byte order mark. */
export async function editDocument(text: string, change: TextChange): Promise<EditedText> {
  const { parse } = (await import("json5")).default;
  const { mark, body } = splitByteOrderMark(text);
  const before = parseText(body, parse);
  if (!before.ok) return { ok: false, why: before.faults[0]?.message ?? "cannot be read" };
  const path = toSteps(before.value, change.path);
  const edited = editText(body, {
    change: { ...change, path },
    decodeName: (raw) => decodeName(raw, parse),
  });
  if (!edited.ok) return edited;
  const after = parseText(edited.text, parse);
  const expected = changeValue(before.value, { ...change, path });
  if (
    !after.ok ||
    !isDeepStrictEqual(after.value, expected) ||
    hasLostStrictness(body, edited.text)
  ) {
    return { ok: false, why: "is written in a way that cannot be edited; change it by hand" };
  }
  return { ok: true, text: mark + edited.text };
}

/** `list.0` is `list[0]` where a list stands. */
export function toSteps(value: unknown, path: KeyPath): KeyPath {
  let found = value;
  return path.map((step) => {
    const key = Array.isArray(found) && /^\d{1,9}$/.test(String(step)) ? Number(step) : step;
    found = readOwn(found, key);
    return key;
  });
}

function readOwn(value: unknown, step: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return Reflect.get(value, step);
}

/** A copy with the change. */
export function changeValue(value: unknown, change: TextChange): unknown {
  const [step, ...rest] = change.path;
  if (step === undefined) return "remove" in change ? undefined : change.value;
  const copy: object = Array.isArray(value)
    ? [...value]
    : typeof value === "object" && value !== null
      ? { ...value }
      : typeof step === "number"
        ? []
        : {};
  if ("remove" in change && rest.length === 0) {
    if (Array.isArray(copy)) copy.splice(Number(step), 1);
    else Reflect.deleteProperty(copy, step);
    return copy;
  }
  const inner = changeValue(readOwn(copy, step), { ...change, path: rest });
  Object.defineProperty(copy, step, {
    value: inner,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return copy;
}

/** Other programs may read the file too, and not all of them take JSON5. */
function hasLostStrictness(before: string, after: string): boolean {
  return isStrictJson(before) && !isStrictJson(after);
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // It is JSON5, or has comments.
    return false;
  }
}
