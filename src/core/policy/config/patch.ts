// Config patches: changed places become the smallest object that, merged over the config, makes
// the same changes. Objects are merged, entries of a list that have an id with the entry of that id;
// everything else is replaced. So a patch never repeats what is next to a change.

import { isRecord } from "../../schema/json-value.js";
import type { Edit } from "./found.js";
import type { ConfigPath } from "./path.js";

export type ConfigRecord = Record<string, unknown>;

/** A copy of `config` in which `edit` is done; what is in the way and is not an object is replaced. */
export function applyEdit(config: ConfigRecord, edit: Edit): ConfigRecord {
  const changed = setAt(config, edit);
  return isRecord(changed) ? changed : config;
}

/**
 * The patch that turns the config of before into `config`, which differs at `paths`. `undefined`
 * when a path leads through an entry of a list that has no id.
 */
export function toPatch(
  config: ConfigRecord,
  paths: readonly ConfigPath[],
): ConfigRecord | undefined {
  let patch: ConfigRecord = {};
  for (const path of paths) {
    const part = pickAt(config, path);
    if (!isRecord(part)) return undefined;
    patch = mergePatch(patch, part);
  }
  return patch;
}

export function mergePatch(config: ConfigRecord, patch: ConfigRecord): ConfigRecord {
  const changed = Object.entries(patch).map(([key, value]): [string, unknown] => {
    const before = Object.hasOwn(config, key) ? config[key] : undefined;
    return [key, mergeValue(before, value)];
  });
  return { ...config, ...Object.fromEntries(changed) };
}

function mergeValue(before: unknown, value: unknown): unknown {
  if (isRecord(value)) return mergePatch(isRecord(before) ? before : {}, value);
  if (Array.isArray(before) && isListOfEntries(value)) return value.reduce(mergeEntry, before);
  return value;
}

interface Entry extends ConfigRecord {
  readonly id: string;
}

function mergeEntry(list: readonly unknown[], entry: Entry): readonly unknown[] {
  const position = list.findIndex((item) => isEntry(item) && item.id === entry.id);
  return position === -1
    ? [...list, entry]
    : list.map((item, index) => (index === position ? mergeValue(item, entry) : item));
}

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && Object.hasOwn(value, "id") && typeof value.id === "string";
}

function isListOfEntries(value: unknown): value is readonly Entry[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEntry);
}

/** What is at `path`, with nothing besides it but the ids of list entries on the way. */
function pickAt(value: unknown, path: ConfigPath): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  if (typeof segment === "string") {
    const inner = isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
    const picked = pickAt(inner, rest);
    return picked === undefined ? undefined : { [segment]: picked };
  }
  const entry: unknown = Array.isArray(value) ? value[segment] : undefined;
  const picked = pickAt(entry, rest);
  return isEntry(entry) && isRecord(picked) ? [{ id: entry.id, ...picked }] : undefined;
}

function setAt(target: unknown, { path, value }: Edit): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  if (typeof segment === "number") {
    const items: unknown[] = Array.isArray(target) ? [...target] : [];
    items[segment] = setAt(items[segment], { path: rest, value });
    return items;
  }
  const record = isRecord(target) ? target : {};
  const before = Object.hasOwn(record, segment) ? record[segment] : undefined;
  return { ...record, [segment]: setAt(before, { path: rest, value }) };
}
