// The flags of the browser commands and the tool parameters they stand for.

import type { CommandCall } from "../../command.js";
import { readWhole } from "../../flags.js";

export const REF = /^@?e\d+$/i;

export type ToolArguments = Readonly<Record<string, unknown>>;

/** Flags with the name of their parameter, in kebab case. */
const SAME_NAME =
  "profile timeoutMs interactive compact urls labels depth query selector frame ref element page maxChars limit level clear submit slowly append button timeMs textGone loadState";

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SAME_NAME.split(" ").map((name) => [toKebab(name), name])),
  tab: "targetId",
  efficient: "mode",
  format: "snapshotFormat",
  full: "fullPage",
  double: "doubleClick",
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
  return COUNTS.includes(flag) ? readWhole(call, flag) : call.texts[flag];
}

/** `--tab` for `targetId`; undefined for what is not a flag. */
export function flagOf(parameter: string): string | undefined {
  const [flag] = Object.entries(NAMES).find(([, name]) => name === parameter) ?? [];
  return flag === undefined ? undefined : `--${flag}`;
}

function toKebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
