// Which files the paths of a patch mean. The format cuts spaces off a path; a name that really has
// them is meant all the same.

import { withoutMention } from "../../../lib/mention.js";
import type { Operation } from "../parse/parse-patch.js";

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
