// Applies a patch: read it, compute every file in memory, then write. All or nothing.

import { toPlainPath, withFiles } from "../../core/files/index.js";
import { type FsBridge, ToolError, ToolInputError, type ToolResult } from "../../core/index.js";
import { withoutMention } from "../../lib/mention.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import { commit } from "./commit/commit.js";
import type { ApplyPatchCall } from "./index.js";
import { type Operation, parsePatch } from "./parse/parse-patch.js";
import { toChanges } from "./plan/changes.js";
import { compute } from "./plan/compute.js";
import { showResult } from "./show/result.js";

export async function execute(call: ApplyPatchCall): Promise<ToolResult> {
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

/** In order, each once. */
function listPaths(operations: readonly Operation[]): string[] {
  const paths = operations.flatMap((operation) =>
    operation.kind === "update" && operation.moveTo !== undefined
      ? [operation.path, operation.moveTo]
      : [operation.path],
  );
  return [...new Set(paths)].sort();
}

/** Before anything is read: what the bridge cannot do makes the whole patch impossible. */
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

export async function nameFiles(
  operations: readonly Operation[],
  exists: Exists,
): Promise<Operation[]> {
  const named: Operation[] = [];
  // Names without doubt are taken as they are at once, so that the patch gets its turn at its files.
  for (const operation of operations) {
    named.push(isPlain(operation) ? operation : await nameFile(operation, exists));
  }
  return named;
}

function isPlain(operation: Operation): boolean {
  const target = operation.kind === "update" ? operation.moveTo : undefined;
  return [operation.path, target ?? ""].every(
    (path) => path === path.trim() && !path.startsWith("@"),
  );
}

async function nameFile(operation: Operation, exists: Exists): Promise<Operation> {
  if (operation.kind === "add") {
    return { ...operation, path: await nameNew(operation.path, exists) };
  }
  const path = await nameExisting(operation.path, exists);
  if (operation.kind === "delete" || operation.moveTo === undefined) return { ...operation, path };
  return { ...operation, path, moveTo: await nameNew(operation.moveTo, exists) };
}

/** Spaces around it, or an "@" in front, count only when a file has them. */
async function nameExisting(path: string, exists: Exists): Promise<string> {
  const plain = path.trimEnd();
  for (const spelling of [path, plain]) {
    if (spelling !== path.trim() && (await exists(spelling))) return spelling;
  }
  const bare = path.trim();
  return withoutMention(bare === plain || (await exists(bare)) ? bare : plain, exists);
}

/**
 * A file that is there is never replaced because spaces were cut off the name of another. An "@" in
 * front counts only when a file has it, or none is there without it.
 */
async function nameNew(path: string, exists: Exists): Promise<string> {
  const plain = path.trimEnd();
  const isSpaced = plain !== path && ((await exists(path)) || (await exists(plain)));
  return withoutMention(isSpaced ? path : plain, exists);
}
