// The flags of the browser commands and the tool parameters they stand for.

import type { CommandCall } from "../../command.js";
import { UsageError } from "../../failure.js";

export const REF = /^@?e\d+$/i;

export type ToolArguments = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<string, string>> = {
  profile: "profile",
  tab: "targetId",
  "timeout-ms": "timeoutMs",
  interactive: "interactive",
  compact: "compact",
  efficient: "mode",
  urls: "urls",
  labels: "labels",
  format: "snapshotFormat",
  depth: "depth",
  query: "query",
  selector: "selector",
  frame: "frame",
  ref: "ref",
  element: "element",
  page: "page",
  "max-chars": "maxChars",
  limit: "limit",
  level: "level",
  clear: "clear",
  full: "fullPage",
  submit: "submit",
  slowly: "slowly",
  append: "append",
  double: "doubleClick",
  button: "button",
  "time-ms": "timeMs",
  "text-gone": "textGone",
  "load-state": "loadState",
  "wait-url": "targetUrl",
};

const COUNTS: readonly string[] = [
  ...["timeout-ms", "depth", "page", "max-chars", "limit", "time-ms"],
];

/** The value of a switch where that is not `true`. */
const MEANT: Readonly<Record<string, string>> = { efficient: "efficient" };

export function readParameters(call: CommandCall): ToolArguments {
  const given = Object.entries(NAMES).map(([flag, name]) => [name, readFlag(call, flag)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function readFlag(call: CommandCall, flag: string): unknown {
  if (call.switches.has(flag)) return MEANT[flag] ?? true;
  return COUNTS.includes(flag) ? readCount(call, flag) : call.texts[flag];
}

/** `--tab` for `targetId`; undefined for what is not a flag. */
export function flagOf(parameter: string): string | undefined {
  const [flag] = Object.entries(NAMES).find(([, name]) => name === parameter) ?? [];
  return flag === undefined ? undefined : `--${flag}`;
}

function readCount({ texts }: CommandCall, flag: string): number | undefined {
  const text = texts[flag];
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new UsageError(`--${flag} must be a whole number.`);
}
