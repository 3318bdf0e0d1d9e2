// Applies a patch: read it, compute every file in memory, then write. All or nothing.

import { toPlainPath, withFiles } from "../../core/files/index.js";
import { type FsBridge, ToolError, ToolInputError } from "../../core/index.js";
import { withoutMention } from "../../lib/mention.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import { commit } from "./commit.js";
import { compute } from "./compute.js";
import type { ApplyPatchCall } from "./index.js";
import { type Operation, parsePatch } from "./parse/parse-patch.js";
import { showResult } from "./result.js";

export async function execute({ params, ctx, signal }: ApplyPatchCall) {
  const { bridge, root } = ctx;
  assertSayable(params.input);
  const at = (filePath: string) => ({ filePath, cwd: root, signal });
  const exists = async (path: string) => (await bridge.stat(at(path))) !== null;
  const operations = await nameFiles(parsePatch(params.input), exists);
  assertOffered(operations, { bridge, root });
  const paths = [...new Set(operations.flatMap(pathsOf))].sort();
  return withFiles(bridge, paths.map(at), async (own) => {
    const place = { bridge: own, root, signal };
    const outcome = await compute(operations, place);
    await commit(outcome.changes, place);
    return showResult(outcome, root);
  });
}

function pathsOf(operation: Operation): string[] {
  const { path } = operation;
  const isMove = operation.kind === "update" && operation.moveTo !== undefined;
  return isMove ? [path, operation.moveTo] : [path];
}

function assertOffered(
  operations: readonly Operation[],
  { bridge, root }: { bridge: FsBridge; root: string },
): void {
  const canRemove = typeof bridge.remove === "function";
  const canMove = canRemove || typeof bridge.rename === "function";
  for (const operation of operations) {
    if (operation.kind === "delete" && !canRemove) throw notOffered("delete", "remove");
    const [from, to = from] = pathsOf(operation).map((path) => toPlainPath(path, root));
    if (from !== to && !canMove) throw notOffered("move", "rename");
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
    const isPlain = !pathsOf(operation).some((path) => path.startsWith("@"));
    named.push(isPlain ? operation : await nameFile(operation, exists));
  }
  return named;
}

async function nameFile(operation: Operation, exists: Exists): Promise<Operation> {
  const path = await withoutMention(operation.path, exists);
  if (operation.kind !== "update" || operation.moveTo === undefined) return { ...operation, path };
  return { ...operation, path, moveTo: await withoutMention(operation.moveTo, exists) };
}
