// Reads the fields of an act or batch step as an action of the port.

import type { PageAction } from "../../../core/browser.js";
import { ToolInputError } from "../../../core/index.js";
import { ACT_KINDS, BUTTONS, LOAD_STATES } from "../actions.js";
import { type ActField, type ActFields, byRefs, namesNoRefs, namesOf } from "./act-fields.js";
import {
  invalid,
  isRecord,
  missing,
  readFlag,
  readList,
  readNumber,
  readRecord,
  readRef,
  readText,
  readWord,
} from "./read-value.js";
import { hasDirection, isHeldKey, isKeyName, readKey, readScroll } from "./read-words.js";

const CONDITIONS: readonly ActField[] = [
  ...(["timeMs", "text", "textGone", "selector", "targetUrl", "loadState", "fn"] as const),
];

const FLAGS: ReadonlyMap<unknown, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

type ActKind = (typeof ACT_KINDS)[number];
/** `batch` and `close` do not act on a page. */
export type PageKind = Exclude<ActKind, "batch" | "close">;
type FormFields = Extract<PageAction, { kind: "fill" }>["fields"];

export function readKind(fields: ActFields): ActKind {
  if (fields.kind !== undefined) return readWord(fields.kind, { name: "kind", words: ACT_KINDS });
  throw new ToolInputError(`act needs a kind: ${ACT_KINDS.join(", ")}.`, {
    reason: "act_kind_missing",
  });
}

export function readAction(kind: PageKind, fields: ActFields): PageAction {
  assertNoSelector(kind, fields);
  return READERS[kind](fields);
}

const READERS = {
  click: (fields) =>
    fields.ref === undefined && fields.x !== undefined && fields.y !== undefined
      ? readClickCoords(fields)
      : {
          kind: "click",
          ref: needRef(fields, { name: "ref", kind: "click" }),
          ...readPress(fields),
          ...optional(fields, "modifiers", (value) =>
            readList(value).map((one) => readKey(readText(one, "modifiers"))),
          ),
          ...optional(fields, "delayMs", readNumber),
        },
  clickCoords: readClickCoords,
  type: (fields) => ({
    kind: "type",
    ref: needRef(fields, { name: "ref", kind: "type" }),
    text: readText(need(fields, { name: "text", kind: "type" }), "text"),
    ...optional(fields, "submit", readFlag),
    ...optional(fields, "slowly", readFlag),
    ...readAppend(fields),
  }),
  press: (fields) => ({
    kind: "press",
    key: readPressedKey(fields),
    ...optional(fields, "ref", readRef),
    ...optional(fields, "delayMs", readNumber),
  }),
  hover: (fields) => ({ kind: "hover", ref: needRef(fields, { name: "ref", kind: "hover" }) }),
  scrollIntoView: (fields) => {
    if (fields.ref === undefined) return readScroll(fields);
    const ref = readRef(fields.ref, "ref");
    return hasDirection(fields) ? { ...readScroll(fields), ref } : { kind: "scrollIntoView", ref };
  },
  drag: (fields) => {
    const from = fields.startRef ?? fields.ref;
    if (from === undefined) throw missing("startRef", "drag");
    const endRef = needRef(fields, { name: "endRef", kind: "drag" });
    return { kind: "drag", startRef: readRef(from, "startRef"), endRef };
  },
  select: (fields) => {
    const given = fields.values ?? fields.text;
    if (given === undefined) throw missing("values", "select");
    const values = readList(given).map((one) => readText(one, "values"));
    return { kind: "select", ref: needRef(fields, { name: "ref", kind: "select" }), values };
  },
  fill: (fields) => ({ kind: "fill", fields: readFormFields(fields) }),
  resize: (fields) => ({
    kind: "resize",
    width: readNumber(need(fields, { name: "width", kind: "resize" }), "width"),
    height: readNumber(need(fields, { name: "height", kind: "resize" }), "height"),
  }),
  wait: (fields) => {
    if (!CONDITIONS.some((name) => fields[name] !== undefined && fields[name] !== "")) {
      throw missing(`one of ${CONDITIONS.join(", ")}`, "wait");
    }
    const { targetUrl } = fields;
    return {
      kind: "wait",
      ...optional(fields, "timeMs", readNumber),
      ...optional(fields, "text", readText),
      ...optional(fields, "textGone", readText),
      ...optional(fields, "selector", readText),
      ...(targetUrl === undefined ? {} : { url: readText(targetUrl, "targetUrl") }),
      ...optional(fields, "loadState", (value, name) =>
        readWord(value, { name, words: LOAD_STATES }),
      ),
      ...optional(fields, "fn", readText),
    };
  },
  evaluate: (fields) => ({
    kind: "evaluate",
    fn: readText(need(fields, { name: "fn", kind: "evaluate" }), "fn"),
    ...optional(fields, "ref", readRef),
    ...optional(fields, "frame", readText),
  }),
} as const satisfies Record<PageKind, (fields: ActFields) => PageAction>;

function assertNoSelector(kind: PageKind, { selector, ref }: ActFields): void {
  if (selector === undefined || kind === "wait" || ref !== undefined) return;
  const message = `${kind} takes a ref, no selector: snapshot with this selector gives the refs in it; then send ref.`;
  throw new ToolInputError(message, { reason: "selector_unsupported", details: { kind } });
}

interface Need {
  readonly name: ActField;
  readonly kind: string;
}

function need(fields: ActFields, { name, kind }: Need): unknown {
  const value = fields[name];
  if (value === undefined) throw missing(name, kind);
  return value;
}

function needRef(fields: ActFields, wanted: Need): string {
  return readRef(need(fields, wanted), wanted.name);
}

function optional<const Name extends ActField, Value>(
  fields: ActFields,
  name: Name,
  read: (value: unknown, name: string) => Value,
): { [Key in Name]?: Value } {
  const value = fields[name];
  if (value === undefined) return {};
  const found: { [Key in Name]?: Value } = {};
  found[name] = read(value, name);
  return found;
}

/** `clear: false` of other tools means append. */
function readAppend({ append, clear }: ActFields): { readonly append?: boolean } {
  if (append !== undefined) return { append: readFlag(append, "append") };
  return clear === undefined ? {} : { append: !readFlag(clear, "clear") };
}

function readClickCoords(fields: ActFields): Extract<PageAction, { kind: "clickCoords" }> {
  return {
    kind: "clickCoords",
    x: readNumber(need(fields, { name: "x", kind: "clickCoords" }), "x"),
    y: readNumber(need(fields, { name: "y", kind: "clickCoords" }), "y"),
    ...readPress(fields),
  };
}

function readPress(fields: ActFields) {
  return {
    ...optional(fields, "doubleClick", readFlag),
    ...optional(fields, "button", (value, name) => readWord(value, { name, words: BUTTONS })),
  };
}

/** Keys held together may be a list; a key name may be in text. */
function readPressedKey({ key, text }: ActFields): string {
  if (key !== undefined) {
    const keys = readList(key).map((one) => readKey(readText(one, "key")));
    if (keys.slice(0, -1).every(isHeldKey)) return keys.join("+");
    throw invalid(
      "press takes one key, or keys that are held together, such as Control+a; for several in a row send kind batch with a press for each.",
      { parameter: "key" },
    );
  }
  if (typeof text === "string" && isKeyName(text)) return readKey(text);
  throw missing("key, such as Enter or Control+a", "press");
}

function readFormFields({ fields, ref, text }: ActFields): FormFields {
  if (fields === undefined) {
    if (ref === undefined || text === undefined) throw missing("fields, or ref and text", "fill");
    return [toFormField({ ref, value: FLAGS.get(text) ?? text }, "fill")];
  }
  const list = (isRecord(fields) ? [fields] : readList(fields)).flatMap(byRefs);
  if (list.length === 0) throw missing("one field at least", "fill");
  const names = list.flatMap(namesOf);
  if (names.length > 0) throw namesNoRefs(names);
  return list.map((one, index) => {
    const where = `fields[${index}]`;
    return toFormField(readRecord(one, where), where);
  });
}

function toFormField(given: Readonly<Record<string, unknown>>, where: string): FormFields[number] {
  const { ref, type } = given;
  const value = given.value ?? given.values ?? given.text ?? given.checked;
  if (ref === undefined) throw missing("ref", where);
  if (value === undefined || value === null) throw missing("value", where);
  return {
    ref: readRef(ref, `${where}.ref`),
    value: readFieldValue(value, `${where}.value`),
    ...(type === undefined || type === null ? {} : { type: readText(type, `${where}.type`) }),
  };
}

function readFieldValue(value: unknown, name: string): FormFields[number]["value"] {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map((one) => readText(one, name)) : readText(value, name);
}
