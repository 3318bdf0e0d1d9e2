// Makes the changes of a patch, all of them: when a step fails, those before it are taken back.

import { toBytes } from "../../../core/files/index.js";
import {
  abortError,
  type FsStat,
  isToolError,
  ToolError,
  toToolError,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Changes } from "../plan/changes.js";
import type { PatchPlace } from "../plan/working-files.js";
import { type Step, toSteps } from "./steps.js";

export async function commit(changes: Changes, place: PatchPlace): Promise<void> {
  const steps = toSteps(changes, place);
  const done: Step[] = [];
  for (const step of steps) {
    if (place.signal.aborted) throw await takeBack(done, abortError(place.signal));
    // With one step alone nothing of the patch can have come in between.
    const problem = steps.length > 1 && (await findChange(step, place));
    if (problem) throw await takeBack(done, problem);
    try {
      await step.run();
    } catch (error) {
      const isUndone = await isAsBefore(step, place);
      if (isUndone) await step.tidy();
      throw await takeBack(isUndone ? done : [...done, step], error);
    }
    done.push(step);
  }
}

/** A link may make two names of a patch one file, and other programs write too. */
async function findChange(step: Step, place: PatchPlace): Promise<unknown> {
  const { bridge, root, signal } = place;
  if (step.stat === undefined) return undefined;
  try {
    const now = await bridge.stat({ filePath: step.path, cwd: root, signal });
    if (isSameStat(now, step.stat)) return undefined;
  } catch (error) {
    return error;
  }
  return new ToolError(
    "conflict",
    `"${toPrintable(step.path)}" changed while the patch was applied, or is another name of a file in it; read it again, and name each file once.`,
    { reason: "path_changed" },
  );
}

function isSameStat(one: FsStat | null, other: FsStat | null): boolean {
  if (one === null || other === null) return one === other;
  return one.type === other.type && one.size === other.size && one.mtimeMs === other.mtimeMs;
}

/** Whether a step that failed left no trace; when that cannot be told, it counts as done. */
async function isAsBefore(step: Step, { bridge, root }: PatchPlace): Promise<boolean> {
  const at = { filePath: step.path, cwd: root };
  try {
    if ((await bridge.stat(at)) === null) return step.before === undefined;
    return step.before?.equals(toBytes(await bridge.readFile(at), step.path)) ?? false;
  } catch {
    return false;
  }
}

/** Gives the error to throw: why it failed, and what became of what was written before. */
async function takeBack(done: readonly Step[], thrown: unknown): Promise<unknown> {
  const left = new Map<string, string>();
  for (const step of [...done].reverse()) {
    try {
      await step.revert();
    } catch (error) {
      left.set(step.path, toToolError(error).message);
    }
  }
  const cause = toToolError(thrown);
  if (left.size > 0) return leftOver(left, cause);
  if (done.length === 0 && isToolError(thrown)) return thrown;
  if (cause.code === "aborted") return cause;
  const outcome =
    done.length === 0
      ? "Nothing was written."
      : "Nothing of the patch remains: what had been written before was put back.";
  return new ToolError(
    isToolError(thrown) ? cause.code : "failed",
    `${toSentence(cause.message)} ${outcome}`,
    {
      reason: cause.reason ?? "write_failed",
      cause: thrown,
      details: { ...cause.details, rolledBack: done.length > 0 },
    },
  );
}

function leftOver(left: ReadonlyMap<string, string>, cause: ToolError): ToolError {
  const paths = [...left.keys()];
  const list = paths.map((path) => `"${toPrintable(path)}"`).join(", ");
  return new ToolError(
    "failed",
    `${toSentence(cause.message)} What had been written before was put back, but not ${list} (${[...left.values()].join(" ")}); look at these files.`,
    { reason: "rollback_incomplete", cause, details: { rolledBack: false, left: paths } },
  );
}

function toSentence(message: string): string {
  return message.endsWith(".") ? message : `${message}.`;
}
