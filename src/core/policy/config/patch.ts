// Config patches: changed places become the smallest object that, merged over the config, makes
// the same changes. Objects are merged, everything else is replaced.

import { isRecord } from "../../schema/json-value.js";
import type { Edit } from "./found.js";
import type { ConfigPath } from "./path.js";

export type ConfigRecord = Record<string, unknown>;

/** A copy of `config` in which `edit` is done; what lies in the way and is no object is replaced. */
export function applyEdit(config: ConfigRecord, edit: Edit): ConfigRecord {
  const changed = setAt(config, edit);
  return isRecord(changed) ? changed : config;
}

/** The patch that turns the config of before into `config`, which differs at `paths`. */
export function toPatch(config: ConfigRecord, paths: readonly ConfigPath[]): ConfigRecord {
  return paths.reduce<ConfigRecord>((patch, path) => {
    const firstPosition = path.findIndex((segment) => typeof segment === "number");
    // A merge cannot reach into an array, so the whole array is given.
    const reachable = firstPosition === -1 ? path : path.slice(0, firstPosition);
    return applyEdit(patch, { path: reachable, value: valueAt(config, reachable) });
  }, {});
}

export function mergePatch(config: ConfigRecord, patch: ConfigRecord): ConfigRecord {
  const changed = Object.entries(patch).map(([key, value]): [string, unknown] => {
    const before = Object.hasOwn(config, key) ? config[key] : undefined;
    return [key, isRecord(value) ? mergePatch(isRecord(before) ? before : {}, value) : value];
  });
  return { ...config, ...Object.fromEntries(changed) };
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

function valueAt(target: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((value, segment) => {
    if (typeof segment === "number") return Array.isArray(value) ? value[segment] : undefined;
    return isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  }, target);
}
