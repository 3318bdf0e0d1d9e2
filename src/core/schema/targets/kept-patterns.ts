// Which regular expressions a dialect keeps, and whether a schema loses any of them.

import { isRecord } from "../json-value.js";
import { listSubschemas, type Schema } from "../keywords.js";
import { parsePattern } from "../pattern.js";
import type { Dialect } from "./dialect.js";

const LOOK_AROUND_OR_BACK = /\(\?<?[=!]|\\[1-9]|\\k</;

export function isKeptPattern(pattern: unknown, dialect: Dialect): boolean {
  const source = String(pattern);
  if (parsePattern(source)?.unicode !== true) return false;
  return dialect.patterns === "unicode" || !LOOK_AROUND_OR_BACK.test(source);
}

export function hasKeptPatterns({ patternProperties }: Schema, dialect: Dialect): boolean {
  if (!isRecord(patternProperties)) return true;
  if (!dialect.keywords.has("patternProperties")) return false;
  return Object.keys(patternProperties).every((pattern) => isKeptPattern(pattern, dialect));
}

/** Whether something that decides about values is left out anywhere. */
export function losesConditions(schema: Schema, dialect: Dialect): boolean {
  const { pattern } = schema;
  const isLost = pattern !== undefined && !isKeptPattern(pattern, dialect);
  if (isLost || !hasKeptPatterns(schema, dialect)) return true;
  return listSubschemas(schema).some(
    (sub) => isRecord(sub.schema) && losesConditions(sub.schema, dialect),
  );
}
