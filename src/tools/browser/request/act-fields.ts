// The fields of one act: those inside `request` and those next to it, under one name each. What
// is in `request` is what was documented, so it wins; that it did is reported.

import { ToolInputError } from "../../../core/index.js";
import { toCamelCase } from "../../../lib/letter-case.js";
import { nearestName, quoteName, shortestWith } from "../../../lib/nearest-name.js";
import { toPrintable } from "../../../lib/printable.js";
import { FIELD_SPELLINGS, KIND_WORDS } from "../spellings.js";

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
/** Other names that models use for them; here an action can only be a kind. */
const SPELLINGS: ReadonlyMap<string, ActField> = new Map<string, ActField>([
  ...Object.entries(FIELD_SPELLINGS),
  ["action", "kind"],
]);
/** `[x, y]`, or the same by name. */
const COORDINATE = "coordinate";
/** Said next to an act, but no part of it. */
const STRANGERS: ReadonlySet<string> = new Set(["profile", "target", "node", "description"]);

export type ActField = (typeof KNOWN)[number];
export type ActFields = Readonly<Partial<Record<ActField, unknown>>>;

export interface MergedFields {
  readonly fields: ActFields;
  readonly notes: readonly string[];
}

/** The schema has checked the outer fields, but not those in `request`. */
export function mergeFields(
  request: Readonly<Record<string, unknown>> | undefined,
  fields: Readonly<Record<string, unknown>>,
): MergedFields {
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

/** Throws a ToolInputError for a name that no act knows. */
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

/** Where nothing else says what to do, the type of a step does. */
function isKindMissing({ kind, action }: Readonly<Record<string, unknown>>): boolean {
  return !isGiven(kind) && !isGiven(action);
}

/** Whether it was one. */
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

/** Another word for a kind, as at the top of a call. */
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
