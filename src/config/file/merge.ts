// Joins what included files and the including object say: objects key by key, lists one after the
// other, and of everything else the later wins.

import { isObject } from "../check/check-value.js";

export function mergeValues(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  if (!isObject(earlier) || !isObject(later)) return later;
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    merged[key] = Object.hasOwn(merged, key) ? mergeValues(merged[key], value) : value;
  }
  return merged;
}
