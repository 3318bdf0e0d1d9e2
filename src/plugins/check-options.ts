// The options of the loader as plain JavaScript may give them: what cannot be meant is refused
// before anything is loaded.

import { ToolInputError } from "../core/index.js";
import { isPlainObject } from "./manifest.js";
import { PluginError } from "./problem.js";

/** What a timer can count; one that is set longer fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const LISTS = ["enabledPlugins", "disabledPlugins", "optionalTools"] as const;

/** Throws a ToolInputError. What is wrong with a single search path is left to its row. */
export function assertLoaderOptions(options: unknown): void {
  if (!isPlainObject(options)) throw invalid("the argument of loadPlugins", "an object");
  const { searchPaths, registerTimeoutMs } = options;
  if (typeof searchPaths !== "string" && !Array.isArray(searchPaths)) {
    throw invalid("searchPaths", "a list of folders");
  }
  if (registerTimeoutMs !== undefined && !isTimeout(registerTimeoutMs)) {
    throw invalid("registerTimeoutMs", `a whole number from 1 to ${MAX_TIMEOUT_MS}`);
  }
  for (const key of LISTS) {
    if (options[key] !== undefined && !isTexts(options[key])) throw invalid(key, "a list of texts");
  }
}

/** The entries of `searchPaths`; one text alone is one path. */
export function listSearchPaths(searchPaths: unknown): readonly unknown[] {
  return Array.isArray(searchPaths) ? [...searchPaths] : [searchPaths];
}

/** A blank path would be the working folder, which no one asked to search. */
export function assertSearchPath(path: unknown, place: string): asserts path is string {
  if (typeof path === "string" && path.trim() !== "") return;
  throw new PluginError(`${place} must be the path of a folder.`, {
    problem: "search_path_invalid",
  });
}

function isTimeout(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TIMEOUT_MS;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function invalid(what: string, expected: string): ToolInputError {
  return new ToolInputError(`${what} must be ${expected}.`, { reason: "options_invalid" });
}
