// One value of a config by its place. Only own keys count, so nothing of the language shows through.

import { parseKeyPath, type Step } from "./key-path.js";

const INDEX = /^\d{1,9}$/;

/** undefined when nothing is there; throws a ToolInputError when the path is malformed. */
export function readConfigValue(config: unknown, dottedPath: string): unknown {
  let value = config;
  for (const step of parseKeyPath(dottedPath)) {
    if (value === undefined) return undefined;
    value = readStep(value, step);
  }
  return value;
}

function readStep(value: unknown, step: Step): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    return typeof step === "number" || INDEX.test(step) ? value[Number(step)] : undefined;
  }
  return Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
}
