// A copy of a value that came from outside, made of plain objects, lists and leaves only. What is
// no plain data, too deep, too much, or named to change the language itself is refused.

import { type KeyPath, type Step, showKeyPath } from "../key-path.js";
import type { ProblemList } from "../problem.js";

export const MAX_CONFIG_DEPTH = 64;
const MAX_VALUES = 200_000;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

interface Spot {
  readonly path: KeyPath;
  readonly problems: ProblemList;
  /** The state of the whole copy. */
  readonly state: { count: number; refused: boolean };
}

/** undefined when something was refused; the problems say what, and where below `path`. */
export function copyPlain(
  value: unknown,
  options: { readonly problems: ProblemList; readonly path: KeyPath },
): unknown {
  const spot: Spot = { ...options, state: { count: 0, refused: false } };
  try {
    const result = copy(value, spot);
    return spot.state.refused ? undefined : result;
  } catch {
    // A getter or a proxy may throw anything; its words are none of ours to show.
    return refuse(spot, "cannot be read: reading it throws");
  }
}

function copy(value: unknown, spot: Spot): unknown {
  spot.state.count += 1;
  if (spot.state.count > MAX_VALUES) {
    return refuseWhole(spot, `holds more than ${MAX_VALUES} values, or contains itself`);
  }
  if (typeof value !== "object" || value === null) return copyLeaf(value, spot);
  if (spot.path.length > MAX_CONFIG_DEPTH) {
    return refuseWhole(spot, `is deeper than ${MAX_CONFIG_DEPTH} levels, or contains itself`);
  }
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) => copy(item, within(spot, index)));
  }
  if (!isPlain(value)) return refuse(spot, "expected plain data, received an object of a class");
  return copyObject(value, spot);
}

function copyLeaf(value: unknown, spot: Spot): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value !== "number") {
    const received = value === undefined ? "nothing" : `a ${typeof value}`;
    return refuse(spot, `expected plain data, received ${received}`);
  }
  if (Number.isFinite(value)) return value;
  return refuse(spot, `expected a finite number, received ${value}`);
}

function copyObject(value: object, spot: Spot): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) refuse(within(spot, key), "is not allowed as a key");
    // A key set to undefined is a key left out, as everywhere in the language.
    else if (item !== undefined) result[key] = copy(item, within(spot, key));
  }
  return result;
}

/** Made by `{}`, `JSON.parse` or `Object.create(null)`, in this or another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function within(spot: Spot, step: Step): Spot {
  return { ...spot, path: [...spot.path, step] };
}

function refuse({ path, problems, state }: Spot, message: string): undefined {
  state.refused = true;
  problems.add({ path: showKeyPath(path), severity: "error", message });
}

/** What is said of the config as a whole is said once. */
function refuseWhole(spot: Spot, message: string): undefined {
  if (!spot.state.refused) refuse({ ...spot, path: [] }, message);
}
