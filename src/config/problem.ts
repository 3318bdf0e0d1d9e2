// What is wrong with a config, and a list of it that cannot grow without end.
import { ToolInputError } from "../core/index.js";
import { toPrintable } from "../lib/printable.js";

type Severity = "warning" | "error";

export interface ConfigProblem {
  /** `tools.exec.timeoutSec`, `agents.list[0].id`; "" for the config as a whole. */
  readonly path: string;
  readonly severity: Severity;
  readonly message: string;
}

const MAX_PROBLEMS = 100;

export interface ProblemList {
  add(problem: ConfigProblem): void;
  /** At most 100 and one that counts the rest; errors are never counted away by warnings. */
  list(): ConfigProblem[];
  hasErrors(): boolean;
}

export function createProblemList(): ProblemList {
  const counts: Record<Severity, number> = { error: 0, warning: 0 };
  const kept: ConfigProblem[] = [];
  const countLeft = (severity: Severity): ConfigProblem[] => {
    const left = counts[severity] - MAX_PROBLEMS / 2;
    return left > 0 ? [{ path: "", severity, message: `and ${left} more` }] : [];
  };
  return {
    add(problem) {
      counts[problem.severity] += 1;
      if (counts[problem.severity] <= MAX_PROBLEMS / 2) kept.push(problem);
    },
    list: () => [...kept, ...countLeft("error"), ...countLeft("warning")],
    hasErrors: () => counts.error > 0,
  };
}

export type Step = string | number;
export type KeyPath = readonly Step[];

const MAX_PATH_CHARS = 1_000;
const MAX_SHOWN_NAME_CHARS = 80;
export const INDEX = /^\d{1,9}$/;
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

export function showName(name: string): string {
  return `"${toPrintable(JSON.stringify(name).slice(1, -1), MAX_SHOWN_NAME_CHARS)}"`;
}

/** undefined when nothing is there. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((found, step) => {
    if (typeof found !== "object" || found === null) return undefined;
    if (Array.isArray(found)) return INDEX.test(String(step)) ? found[Number(step)] : undefined;
    return Object.hasOwn(found, step) ? Reflect.get(found, step) : undefined;
  }, value);
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
