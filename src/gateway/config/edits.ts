// Changes of a config as edits of single keys, so that comments, order and `${VAR}` of the rest stay:
// from a whole new config, or from a merge patch (RFC 7396).

import { isDeepStrictEqual } from "node:util";
import { type ConfigEdit, findKey, type KeyPath, parseKeyPath } from "../../config/edit/index.js";
import { readConfigValue, showKeyPath } from "../../config/index.js";
import { ToolInputError } from "../../core/index.js";
import { findCommonRuns } from "../../lib/diff/common-runs.js";
import { isDeeperThan } from "../../lib/json/json-size.js";

const MAX_RAW_CHARS = 1024 * 1024;
const MAX_DEPTH = 64;
/** They would reach the prototype of an object that is merged carelessly. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Entries added and removed; a list that differs more is written again as a whole. */
const MAX_LIST_DISTANCE = 200;

type Path = readonly (string | number)[];

interface ListChange {
  readonly old: readonly unknown[];
  readonly next: readonly unknown[];
  readonly at: Path;
}

/** JSON or JSON5; throws a ToolInputError unless it is an object. */
export async function parseRaw(raw: string): Promise<Record<string, unknown>> {
  if (raw.length > MAX_RAW_CHARS || isDeeperThan(raw, MAX_DEPTH)) {
    throw new ToolInputError("raw is too large or nested too deep", { reason: "raw_invalid" });
  }
  const { parse } = (await import("json5")).default;
  let value: unknown;
  try {
    value = parse(raw);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : "";
    throw new ToolInputError(`raw is not JSON5: ${why}`, { reason: "raw_invalid", cause });
  }
  if (!isObject(value))
    throw new ToolInputError("raw must be an object", { reason: "raw_invalid" });
  assertSafeKeys(value);
  return value;
}

/** What turns `before` into `after`; lists are replaced whole. */
export function listEdits(before: unknown, after: unknown, at: Path = []): ConfigEdit[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path: showKeyPath([...at]), value: after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    listEdits(own(before, name), own(after, name), [...at, name]),
  );
}

/** The deepest keys that differ, so that a new section counts for what is in it. */
export function listChanged(before: unknown, after: unknown, at: Path = []): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [old, next] = [before ?? {}, after ?? {}];
  if (!isObject(old) || !isObject(next)) return [showKeyPath([...at])];
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...names].flatMap((name) => listChanged(own(old, name), own(next, name), [...at, name]));
}

/** null removes, objects merge, everything else replaces. */
export function listPatchEdits(before: unknown, patch: unknown, at: Path = []): ConfigEdit[] {
  if (!isObject(patch)) return listEdits(before, patch === null ? undefined : patch, at);
  if (!isObject(before)) return listEdits(before, withoutNulls(patch), at);
  return Object.keys(patch).flatMap((name) =>
    listPatchEdits(own(before, name), patch[name], [...at, name]),
  );
}

/** The same change by entries of lists, so that comments in a list stay with their entries. */
export function splitLists(before: unknown, edits: readonly ConfigEdit[]): ConfigEdit[] {
  return edits.flatMap((edit) => {
    const old = edit.insert ? undefined : readConfigValue(before, edit.path);
    if (!Array.isArray(old) || !Array.isArray(edit.value) || old.length === 0) return [edit];
    const entries = listEntryEdits({ old, next: edit.value, at: parseKeyPath(edit.path) });
    return entries === undefined ? [edit] : splitLists(before, entries);
  });
}

/** From the end, so that the places of the others stay right. undefined: too much differs. */
function listEntryEdits({ old, next, at }: ListChange): ConfigEdit[] | undefined {
  const texts = (list: readonly unknown[]) => list.map((value) => JSON.stringify(value));
  const lists = { before: texts(old), after: texts(next) };
  const runs = findCommonRuns({ ...lists, maxDistance: MAX_LIST_DISTANCE });
  const place = (index: number) => showKeyPath([...at, index]);
  let end = { before: old.length, after: next.length };
  const edits: ConfigEdit[] = [];
  for (const run of [{ before: 0, after: 0, length: 0 }, ...(runs ?? [])].toReversed()) {
    const start = { before: run.before + run.length, after: run.after + run.length };
    const gone = old.slice(start.before, end.before);
    const come = next.slice(start.after, end.after);
    const kept = Math.min(gone.length, come.length);
    for (const value of come.slice(kept).toReversed()) {
      edits.push({ path: place(end.before), value, insert: true });
    }
    for (let index = end.before - 1; index >= start.before + kept; index--) {
      edits.push({ path: place(index), value: undefined });
    }
    for (let index = 0; index < kept; index++) {
      edits.push(...listEdits(gone[index], come[index], [...at, start.before + index]));
    }
    end = { before: run.before, after: run.after };
  }
  return runs && edits;
}

/** A misspelt key would be written, and have no effect. */
export function assertKnown(edits: readonly ConfigEdit[]): void {
  for (const { path, value } of edits) {
    for (const key of listKeys(parseKeyPath(path), value)) {
      const found = findKey(key);
      if (found.status !== "unknown") continue;
      const end = /[.?]$/.test(found.why) ? "" : ".";
      throw new ToolInputError(`${found.place} ${found.why}${end} Nothing was changed.`, {
        reason: "config_key_unknown",
      });
    }
  }
}

function listKeys(path: KeyPath, value: unknown): KeyPath[] {
  if (value === undefined) return [];
  const isTable = typeof value === "object" && value !== null && !Array.isArray(value);
  const inner = isTable ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, one]) => listKeys([...path, name], one))];
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}

function assertSafeKeys(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(name)) {
      throw new ToolInputError(`"${name}" cannot be a config key`, { reason: "raw_invalid" });
    }
    assertSafeKeys(inner);
  }
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
