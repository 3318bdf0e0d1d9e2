// Applies a patch: read it, compute every file in memory, then write. All or nothing.

import { toBytes, toPlainPath, withFiles } from "../../core/files/index.js";
import {
  abortError,
  type FsBridge,
  type FsStat,
  isToolError,
  ToolError,
  ToolInputError,
  toToolError,
} from "../../core/index.js";
import { withoutMention } from "../../lib/mention.js";
import { toPrintable } from "../../lib/printable.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import { type Changes, compute, toChanges } from "./compute.js";
import type { ApplyPatchCall } from "./index.js";
import { type Operation, parsePatch } from "./parse/parse-patch.js";
import { showResult } from "./result.js";
import { type Step, toSteps } from "./steps.js";
import type { PatchPlace } from "./working-files.js";

export async function execute(call: ApplyPatchCall) {
  const { params, ctx, signal } = call;
  const { root } = ctx;
  assertSayable(params.input);
  const at = (filePath: string) => ({ filePath, cwd: root, signal });
  const exists = async (path: string) => (await ctx.bridge.stat(at(path))) !== null;
  const operations = await nameFiles(parsePatch(params.input), exists);
  assertOffered(operations, { bridge: ctx.bridge, root });
  return withFiles(ctx.bridge, listPaths(operations).map(at), async (bridge) => {
    const place = { bridge, root, signal };
    const outcome = await compute(operations, place);
    const changes = toChanges(outcome);
    await commit(changes, place);
    return showResult({ changes, looseHunks: outcome.looseHunks, root });
  });
}

function listPaths(operations: readonly Operation[]): string[] {
  const paths = operations.flatMap((operation) =>
    operation.kind === "update" && operation.moveTo !== undefined
      ? [operation.path, operation.moveTo]
      : [operation.path],
  );
  return [...new Set(paths)].sort();
}

function assertOffered(
  operations: readonly Operation[],
  { bridge, root }: { bridge: FsBridge; root: string },
): void {
  const canRemove = typeof bridge.remove === "function";
  const canMove = canRemove || typeof bridge.rename === "function";
  for (const operation of operations) {
    if (operation.kind === "delete" && !canRemove) throw notOffered("delete", "remove");
    if (operation.kind !== "update" || operation.moveTo === undefined || canMove) continue;
    if (toPlainPath(operation.moveTo, root) === toPlainPath(operation.path, root)) continue;
    throw notOffered("move", "rename");
  }
}

function notOffered(what: string, method: string): ToolError {
  return new ToolError(
    "unavailable",
    `This bridge cannot ${what} files: it has no ${method}. Nothing was written; send the patch without that part.`,
    { reason: `${method}_unavailable` },
  );
}

function assertSayable(input: string): void {
  if (!hasLoneSurrogate(input)) return;
  throw new ToolInputError(
    "The patch holds half of a surrogate pair, which no file can hold as UTF-8; send the whole character.",
    { reason: "content_not_unicode" },
  );
}

type Exists = (path: string) => Promise<boolean>;

async function nameFiles(operations: readonly Operation[], exists: Exists): Promise<Operation[]> {
  const named: Operation[] = [];
  for (const operation of operations) {
    // Without a wait for plain names, so that the patch takes its turn at its files at once.
    named.push(isPlain(operation) ? operation : await nameFile(operation, exists));
  }
  return named;
}

function isPlain(operation: Operation): boolean {
  return !listPaths([operation]).some((path) => path.startsWith("@"));
}

async function nameFile(operation: Operation, exists: Exists): Promise<Operation> {
  const path = await withoutMention(operation.path, exists);
  if (operation.kind !== "update" || operation.moveTo === undefined) return { ...operation, path };
  return { ...operation, path, moveTo: await withoutMention(operation.moveTo, exists) };
}

async function commit(changes: Changes, place: PatchPlace): Promise<void> {
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
