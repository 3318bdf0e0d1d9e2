// Merges the fields inside `request` with those next to it, under their standard names.

import { ToolInputError } from "../../../core/index.js";
import { toCamelCase } from "../../../lib/letter-case.js";
import { nearestName, quoteName, shortestWith } from "../../../lib/nearest-name.js";
import { toPrintable } from "../../../lib/printable.js";
import { FIELD_SPELLINGS, KIND_WORDS } from "../spellings.js";
import { invalid, isRecord } from "./read-value.js";

const KNOWN = [
  "kind",
  "ref",
  "text",
  "submit",
  "slowly",
  "append",
  "clear",
  "key",
  "doubleClick",
  "button",
  "modifiers",
  "delayMs",
  "x",
  "y",
  "startRef",
  "endRef",
  "values",
  "fields",
  "width",
  "height",
  "timeMs",
  "textGone",
  "selector",
  "targetUrl",
  "loadState",
  "fn",
  "frame",
  "actions",
  "stopOnError",
  "targetId",
  "timeoutMs",
] as const;
/** Here, an action can only be a kind. */
const SPELLINGS: ReadonlyMap<string, ActField> = new Map<string, ActField>([
  ...Object.entries(FIELD_SPELLINGS),
  ["action", "kind"],
]);
/** `[x, y]`, or the same by name. */
const COORDINATE = "coordinate";
const STRANGERS: ReadonlySet<string> = new Set(["profile", "target", "node", "description"]);
const MAX_SHOWN_CHARS = 60;
const MAX_NAMED = 10;
const IS_REF = /^@?e?\d+$/i;
const NAMES = ["name", "label", "field"] as const;
const PARTS: ReadonlySet<string> = new Set([
  "value",
  "values",
  "text",
  "checked",
  "type",
  ...NAMES,
]);

export type ActField = (typeof KNOWN)[number];

export type ActFields = Readonly<Partial<Record<ActField, unknown>>>;

/** The schema checks only the outer fields. */
export function mergeFields(
  request: Readonly<Record<string, unknown>> | undefined,
  fields: Readonly<Record<string, unknown>>,
) {
  const outer = pickKnown(fields);
  const inner = request === undefined ? {} : readFields(request, "request");
  const clashing = KNOWN.filter(
    (name) => isGiven(outer[name]) && isGiven(inner[name]) && !isSame(outer[name], inner[name]),
  );
  return {
    fields: { ...outer, ...inner },
    notes: clashing.map((name) => `${name} came twice; that inside request was taken.`),
  };
}

export function readFields(given: Readonly<Record<string, unknown>>, where: string): ActFields {
  const fields: Partial<Record<ActField, unknown>> = {};
  for (const [key, value] of Object.entries(given)) {
    const name = key === "type" && isKindMissing(given) ? "kind" : toCamelCase(key);
    if (!isGiven(value) || STRANGERS.has(name)) continue;
    if (name === COORDINATE && readPoint(value, fields)) continue;
    const known = KNOWN.find((one) => one === name) ?? SPELLINGS.get(name);
    if (known === undefined) throw unknownField({ key, name, where });
    fields[known] ??= value;
  }
  return withKind(fields);
}

function isKindMissing({ kind, action }: Readonly<Record<string, unknown>>): boolean {
  return !isGiven(kind) && !isGiven(action);
}

function readPoint(value: unknown, fields: Partial<Record<ActField, unknown>>): boolean {
  const [x, y] = Array.isArray(value) ? value : isPoint(value) ? [value.x, value.y] : [];
  if (x === undefined || y === undefined) return false;
  fields.x ??= x;
  fields.y ??= y;
  return true;
}

function isPoint(value: unknown): value is { readonly x: unknown; readonly y: unknown } {
  return typeof value === "object" && value !== null && "x" in value && "y" in value;
}

function withKind(fields: ActFields): ActFields {
  const word = String(fields.kind ?? "")
    .trim()
    .toLowerCase();
  const meant = Object.hasOwn(KIND_WORDS, word) ? KIND_WORDS[word] : undefined;
  return meant === undefined ? fields : { ...meant, ...fields, kind: meant.kind };
}

function pickKnown(given: Readonly<Record<string, unknown>>): ActFields {
  return Object.fromEntries(
    KNOWN.filter((name) => isGiven(given[name])).map((name) => [name, given[name]]),
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function unknownField(slip: { key: string; name: string; where: string }): ToolInputError {
  const { key, name, where } = slip;
  const nearest = nearestName(name, KNOWN) ?? shortestWith(name, KNOWN);
  const hint =
    nearest === undefined ? `known: ${KNOWN.join(", ")}.` : `did you mean ${quoteName(nearest)}?`;
  return new ToolInputError(`Unknown field "${toPrintable(key, 80)}" in ${where}; ${hint}`, {
    reason: "unknown_parameter",
    details: { parameter: toPrintable(key, 80), nearest },
  });
}

export function namesOf(field: unknown): readonly string[] {
  if (!isRecord(field) || field.ref !== undefined) return [];
  const said = NAMES.flatMap((key) => (typeof field[key] === "string" ? [field[key]] : []));
  const hasValue = ["value", "values", "text", "checked"].some((key) => field[key] !== undefined);
  if (said.length > 0 && hasValue) return said.slice(0, 1);
  return Object.keys(field).filter((key) => !PARTS.has(key) && !IS_REF.test(key));
}

export function byRefs(one: unknown): readonly unknown[] {
  if (!isRecord(one) || one.ref !== undefined) return [one];
  const entries = Object.entries(one);
  const isByRefs = entries.length > 0 && entries.every(([name]) => IS_REF.test(name));
  return isByRefs ? entries.map(([ref, value]) => ({ ref, value })) : [one];
}

export function namesNoRefs(names: readonly string[]): ToolInputError {
  const shown = names.slice(0, MAX_NAMED).map(quote);
  const are = shown.length === 1 ? "is not a ref" : "are not refs";
  const message = `${shown.join(", ")} ${are}: fields takes refs of a snapshot, such as {"e12":"text"}; take a snapshot for them.`;
  return invalid(message, { missing: "ref" });
}

function quote(name: string): string {
  return `"${toPrintable(name, MAX_SHOWN_CHARS)}"`;
}
