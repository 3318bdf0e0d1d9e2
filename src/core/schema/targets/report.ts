// Says what a compiled schema has lost or got against the schema of its tool, keyword by keyword.

import { isRecord, isSameJson } from "../json-value.js";
import { listSubschemas, type Schema } from "../keywords.js";
import { readRef } from "../ref-resolver.js";
import { showPointer } from "../show-value.js";

export interface SchemaChange {
  /** JSON pointer, in the tool's own schema; of what was added, in the compiled one. */
  readonly pointer: string;
  readonly keyword: string;
  readonly change: "added" | "changed" | "dropped";
  /** Where the target's rules alone do not say it. */
  readonly reason?: string;
}

type Path = readonly (string | number)[];

interface Pair {
  readonly before: Schema;
  readonly after: Schema;
  readonly path: Path;
}

/** What stood under a keyword that is gone is not listed by itself. */
export function listChanges(source: unknown, compiled: Schema): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const add = (change: SchemaChange["change"], place: { path: Path; keyword: string }) => {
    changes.push({ pointer: showPointer(place.path), keyword: place.keyword, change });
  };
  compare({ before: isRecord(source) ? source : {}, after: compiled, path: [] });
  return changes;

  function compare(pair: Pair): void {
    const holders = compareSubschemas(pair);
    const { before, after, path } = pair;
    for (const keyword of Object.keys(before)) {
      const place = { path: [...path, keyword], keyword };
      if (!Object.hasOwn(after, keyword)) add("dropped", place);
      else if (!holders.has(keyword) && !isSameJson(before[keyword], after[keyword])) {
        add("changed", place);
      }
    }
    // What a reference stood for is not news.
    if (readRef(before) !== undefined) return;
    for (const keyword of Object.keys(after)) {
      if (!Object.hasOwn(before, keyword)) add("added", { path: [...path, keyword], keyword });
    }
  }

  /** The keywords that hold schemas. */
  function compareSubschemas({ before, after, path }: Pair): ReadonlySet<string> {
    const holders = new Set<string>();
    for (const sub of listSubschemas(before)) {
      const keyword = String(sub.path[0]);
      holders.add(keyword);
      if (!Object.hasOwn(after, keyword)) continue;
      const target = valueAt(after, sub.path);
      const inner = [...path, ...sub.path];
      if (isRecord(sub.schema) && isRecord(target)) {
        compare({ before: sub.schema, after: target, path: inner });
      } else if (target !== sub.schema) {
        add(target === undefined ? "dropped" : "changed", { path: inner, keyword });
      }
    }
    return holders;
  }
}

function valueAt(schema: Schema, path: Path): unknown {
  let place: unknown = schema;
  for (const key of path) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = Reflect.get(place, key);
  }
  return place;
}
