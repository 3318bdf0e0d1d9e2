// Places in a config, written as people write them: `agents.list[0].tools.deny[2]`.

import { toPrintable } from "../../../lib/printable.js";

export type ConfigPath = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;
const MAX_SHOWN_CHARS = 80;

export function showPath(path: ConfigPath): string {
  if (path.length === 0) return "config";
  return path.reduce<string>((shown, segment) => {
    if (typeof segment === "number") return `${shown}[${segment}]`;
    if (!PLAIN_KEY.test(segment)) return `${shown}[${quote(segment)}]`;
    return shown === "" ? segment : `${shown}.${segment}`;
  }, "");
}

/** A text of the config in quotes, safe to print. */
export function quote(text: string): string {
  return `"${toPrintable(text, MAX_SHOWN_CHARS).replaceAll('"', '\\"')}"`;
}
