// Sets or removes one value of a JSON5 text by its position; every other byte stays.

import { parseTextTree, type TextEntry, type TextNode } from "../file/text-tree.js";
import type { KeyPath, Step } from "../problem.js";

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const DEFAULT_UNIT = "  ";
const MAX_LINE_CHARS = 60;
const LINE_REST = /(?:[^\S\r\n]|\/\*[\s\S]*?\*\/)*(?:\/\/[^\r\n]*)?/y;

export type TextChange =
  /** `insert`: before the entry of a list that is at this place. */
  | { readonly path: KeyPath; readonly value: unknown; readonly insert?: boolean | undefined }
  | { readonly path: KeyPath; readonly remove: true };

export type EditedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Doc {
  readonly text: string;
  readonly root: TextNode;
}

export function editText(
  text: string,
  {
    change,
    decodeName,
  }: { readonly change: TextChange; readonly decodeName: (raw: string) => string },
): EditedText {
  const root = parseTextTree(text, decodeName);
  if (root === undefined) return { ok: false, why: "is written in a way that cannot be edited" };
  const doc = { text, root };
  const splices =
    "remove" in change
      ? removeAt(doc, change.path)
      : ((change.insert === true ? insertAt(doc, change) : undefined) ?? setAt(doc, change));
  if (typeof splices === "string") return { ok: false, why: splices };
  return { ok: true, text: splices.reduce(applySplice, text) };
}

/** Later places first, so that earlier offsets stay right. */
function applySplice(text: string, { start, end, text: by }: Splice): string {
  return text.slice(0, start) + by + text.slice(end);
}

interface Walk {
  readonly node: TextNode;
  readonly parent: TextNode | undefined;
  readonly entry: TextEntry | undefined;
  readonly rest: KeyPath;
}

function walk({ root }: Doc, path: KeyPath): Walk {
  let found: Walk = { node: root, parent: undefined, entry: undefined, rest: path };
  for (;;) {
    const { node, rest } = found;
    const [step, ...further] = rest;
    const entry = node.entries.find((one) => one.step === step);
    if (step === undefined || entry === undefined) return found;
    found = { node: entry.value, parent: node, entry, rest: further };
  }
}

interface TextValue {
  readonly path: KeyPath;
  readonly value: unknown;
}

function setAt(doc: Doc, { path, value }: TextValue): Splice[] | string {
  const { node, rest } = walk(doc, path);
  const [step, ...further] = rest;
  if (step === undefined) {
    const { text } = doc;
    const written = writeValue(value, {
      style: styleAt(doc, node),
      indent: indentAt(text, node.start),
    });
    return [{ start: node.start, end: node.end, text: written }];
  }
  if (node.kind === "leaf") return "has a value there that takes no keys";
  if (!fits(node, step)) return "has no such entry there";
  const whole = wrapIn(further, value);
  return whole === undefined
    ? "has no such entry there"
    : addEntry(doc, { node, step, value: whole.value });
}

/** undefined where no entry is; one is added there as usual. */
function insertAt(doc: Doc, { path, value }: TextValue): Splice[] | undefined {
  const { parent, entry, rest } = walk(doc, path);
  if (rest.length > 0 || entry === undefined || parent?.kind !== "list") return undefined;
  const { text } = doc;
  const style = styleAt(doc, parent);
  const before = parent.entries[parent.entries.indexOf(entry) - 1];
  const gapStart = before?.commaEnd ?? parent.start + 1;
  const isOneLine = !/[\r\n]/.test(text.slice(gapStart, entry.start));
  const indent = indentAt(text, isOneLine ? parent.start : entry.start);
  const written = writeValue(value, { style, indent });
  if (isOneLine) return [insertion(entry.start, `${written}, `)];
  // Comments above the next entry stay with that one.
  return [insertion(endOfLine(text, gapStart), `${style.newline}${indent}${written},`)];
}

/** A list grows by one at its end; a key belongs in an object. */
function fits(node: TextNode, step: Step): boolean {
  return node.kind === "list" ? step === node.entries.length : typeof step === "string";
}

function wrapIn(path: KeyPath, value: unknown): { readonly value: unknown } | undefined {
  let whole = value;
  for (const step of path.toReversed()) {
    if (typeof step === "number" && step !== 0) return undefined;
    whole = typeof step === "number" ? [whole] : { [step]: whole };
  }
  return { value: whole };
}

interface NewEntry {
  readonly node: TextNode;
  readonly step: Step;
  readonly value: unknown;
}

function addEntry(doc: Doc, { node, step, value }: NewEntry): Splice[] {
  const { text } = doc;
  const style = styleAt(doc, node);
  const last = node.entries.at(-1);
  const isOneLine = last !== undefined && !/[\r\n]/.test(text.slice(node.start, last.value.end));
  const outer = indentAt(text, node.start);
  const indent = isOneLine || last === undefined ? outer + style.unit : indentAt(text, last.start);
  const head = typeof step === "string" ? `${writeKey(step, style)}: ` : "";
  const entry = head + writeValue(value, { style, indent: isOneLine ? outer : indent });
  if (last === undefined) return fillEmpty(doc, { node, entry: indent + entry, outer, style });
  if (isOneLine) return addInLine(last, entry);
  const line = `${style.newline}${indent}${entry}`;
  if (last.commaEnd !== undefined) {
    return [insertion(endOfLine(text, last.commaEnd), `${line},`)];
  }
  return [insertion(endOfLine(text, last.value.end), line), insertion(last.value.end, ",")];
}

function addInLine(last: TextEntry, entry: string): Splice[] {
  return last.commaEnd === undefined
    ? [insertion(last.value.end, `, ${entry}`)]
    : [insertion(last.commaEnd, ` ${entry},`)];
}

function fillEmpty(
  { text }: Doc,
  options: { node: TextNode; entry: string; outer: string; style: TextStyle },
): Splice[] {
  const { node, entry, outer, style } = options;
  const inner = text.slice(node.start + 1, node.end - 1).trimEnd();
  const start = node.start + 1 + inner.length;
  const by = `${style.newline}${entry}${style.newline}${outer}`;
  return [{ start, end: node.end - 1, text: by }];
}

function removeAt(doc: Doc, path: KeyPath): Splice[] | string {
  const { parent, entry, rest } = walk(doc, path);
  if (rest.length > 0 || parent === undefined || entry === undefined) return "has nothing there";
  const { text } = doc;
  const at = parent.entries.indexOf(entry);
  const [before, after] = [parent.entries[at - 1], parent.entries[at + 1]];
  const range = widen(text, { start: entry.start, end: entry.commaEnd ?? entry.value.end, after });
  const inner = text.slice(parent.start + 1, range.start) + text.slice(range.end, parent.end - 1);
  if (inner.trim() === "") return [{ start: parent.start + 1, end: parent.end - 1, text: "" }];
  const cut = { ...range, text: "" };
  // Without a comma behind it, the entry was the last: the one before must not keep its own.
  if (entry.commaEnd !== undefined || before?.commaEnd === undefined) return [cut];
  return [cut, { start: before.commaEnd - 1, end: before.commaEnd, text: "" }];
}

function widen(
  text: string,
  { start, end, after }: { start: number; end: number; after: TextEntry | undefined },
): { readonly start: number; readonly end: number } {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const [rest = ""] = /^[^\S\r\n]*(?:\r?\n|$)/.exec(text.slice(end)) ?? [];
  if (text.slice(lineStart, start).trim() === "" && rest !== "") {
    return { start: lineStart, end: end + rest.length };
  }
  if (after !== undefined) {
    const [gap = ""] = /^[^\S\r\n]*/.exec(text.slice(end)) ?? [];
    return { start, end: end + gap.length };
  }
  const head = text.slice(0, start);
  return { start: head.replace(/[^\S\r\n]+$/, "").length, end };
}

function insertion(start: number, text: string): Splice {
  return { start, end: start, text };
}

function endOfLine(text: string, offset: number): number {
  const rest = new RegExp(LINE_REST);
  rest.lastIndex = offset;
  return offset + (rest.exec(text)?.[0] ?? "").trimEnd().length;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function styleAt({ text, root }: Doc, node: TextNode): TextStyle {
  const near = [node, root].flatMap(({ kind, entries }) => (kind === "object" ? entries : []))[0];
  return readStyle(text, near === undefined ? undefined : text.slice(near.start));
}

interface TextStyle {
  readonly newline: "\n" | "\r\n";
  readonly unit: string;
  readonly keys: "bare" | "single" | "double";
}

function readStyle(text: string, nearKey: string | undefined): TextStyle {
  const [, unit = DEFAULT_UNIT] = /[{[][^\S\n]*\r?\n([ \t]+)\S/.exec(text) ?? [];
  const first = nearKey?.charAt(0);
  return {
    newline: /\r\n/.test(text) ? "\r\n" : "\n",
    unit,
    keys: first === undefined || first === '"' ? "double" : first === "'" ? "single" : "bare",
  };
}

function writeKey(name: string, { keys }: TextStyle): string {
  if (keys === "bare" && PLAIN_KEY.test(name)) return name;
  const quoted = JSON.stringify(name);
  return keys === "single" && !/['"\\]/.test(quoted.slice(1, -1))
    ? `'${quoted.slice(1, -1)}'`
    : quoted;
}

function writeValue(
  value: unknown,
  { style, indent }: { readonly style: TextStyle; readonly indent: string },
): string {
  const entries = listEntries(value, style);
  if (entries === undefined) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return `${open}${close}`;
  const inner = indent + style.unit;
  const texts = entries.map(([head, item]) => head + writeValue(item, { style, indent: inner }));
  const [left, right] = open === "[" ? ["[", "]"] : ["{ ", " }"];
  const line = `${left}${texts.join(", ")}${right}`;
  if (Array.isArray(value) && line.length <= MAX_LINE_CHARS && !line.includes("\n")) return line;
  const body = texts.map((text) => inner + text).join(`,${style.newline}`);
  return `${open}${style.newline}${body}${style.newline}${indent}${close}`;
}

function listEntries(value: unknown, style: TextStyle): [string, unknown][] | undefined {
  if (Array.isArray(value)) return value.map((item: unknown) => ["", item]);
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).map(([name, item]) => [`${writeKey(name, style)}: `, item]);
}
