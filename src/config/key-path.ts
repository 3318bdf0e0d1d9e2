// The place of a value inside the config, as text and as steps: `agents.list[0].id`,
// `tools.byProvider["openai/gpt-5.2"].allow`.

import { ToolInputError } from "../core/index.js";
import { toPrintable } from "../lib/printable.js";

export type Step = string | number;
export type KeyPath = readonly Step[];

const MAX_PATH_CHARS = 1_000;
const MAX_SHOWN_NAME_CHARS = 80;
const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;
/** One step: a name, or in brackets an index or a quoted name. */
const STEP = /(?:^|(?<!^)\.)([^.[\]"]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/y;

export function showKeyPath(path: KeyPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!PLAIN_NAME.test(step)) text += `[${showName(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

/** A name in quotes, on one line, with nothing invisible. */
export function showName(name: string): string {
  return `"${toPrintable(JSON.stringify(name).slice(1, -1), MAX_SHOWN_NAME_CHARS)}"`;
}

/** Throws a ToolInputError when the text is not a path. */
export function parseKeyPath(text: string): KeyPath {
  if (text.length > MAX_PATH_CHARS) throw notAPath(text);
  const step = new RegExp(STEP);
  const path: Step[] = [];
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) throw notAPath(text);
    path.push(toStep(match, text));
  }
  return path;
}

function toStep(match: RegExpExecArray, text: string): Step {
  const [, name, index, quoted] = match;
  if (name !== undefined) return name;
  if (index !== undefined) return Number(index);
  try {
    return String(JSON.parse(quoted ?? ""));
  } catch (error) {
    throw notAPath(text, error);
  }
}

function notAPath(text: string, cause?: unknown): ToolInputError {
  return new ToolInputError(
    `${showName(text)} is not a place in the config; write it like agents.list[0].id or tools.byProvider["openai/gpt-5.2"].`,
    { reason: "config_path_invalid", cause },
  );
}
