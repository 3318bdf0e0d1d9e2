// Reads the approvals file. A file that other users could have written is refused.
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import {
  APPROVALS_VERSION,
  type ApprovalsDocument,
  parseApprovals,
} from "../../../config/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField } from "../../../lib/read-field.js";
import { openPlainFile } from "../../../lib/system/open-plain.js";
import { approvalsBroken } from "../errors.js";

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022;
const ROOT_ID = 0;
const NO_FILE = "it is not a regular file; put the file itself there, not a link";

export type FileContent =
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly problem: string }
  | { readonly kind: "text"; readonly text: string; readonly facts: BigIntStats };

export async function readApprovalsFile(path: string): Promise<FileContent> {
  try {
    const handle = await openPlainFile(path);
    if (handle === undefined) return { kind: "unusable", problem: NO_FILE };
    return await readOpened(handle).finally(() => handle.close());
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { kind: "missing" };
    if (errnoOf(error) === "") throw error;
    return { kind: "unusable", problem: `it cannot be opened (${errnoOf(error)})` };
  }
}

async function readOpened(handle: FileHandle): Promise<FileContent> {
  const facts = await handle.stat({ bigint: true });
  const problem = findProblem(facts);
  if (problem !== undefined) return { kind: "unusable", problem };
  const bytes = await handle.readFile();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { kind: "text", text, facts };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { kind: "unusable", problem: "it is not UTF-8 text" };
  }
}

function findProblem(facts: BigIntStats): string | undefined {
  if (!facts.isFile()) return NO_FILE;
  if (facts.size > MAX_FILE_BYTES) return `it has more than ${MAX_FILE_BYTES} bytes`;
  const ownId = process.getuid?.();
  if (ownId === undefined) return undefined;
  const ownerId = Number(facts.uid);
  if (ownerId !== ownId && ownerId !== ROOT_ID) return "it belongs to another user";
  if ((Number(facts.mode) & OTHERS_MAY_WRITE) !== 0) {
    return "others may write it; run chmod 600 on it";
  }
  return undefined;
}

const MAX_SHOWN_PROBLEMS = 3;

export const EMPTY_APPROVALS: ApprovalsDocument = { version: APPROVALS_VERSION, agents: {} };

/** `place` is where the value is from. Throws `approvals_broken`. */
export function readDocument(place: string, value: unknown): ApprovalsDocument {
  const version = readField(value, "version");
  if (version !== APPROVALS_VERSION) throw approvalsBroken(place, describeVersion(version));
  const parsed = parseApprovals(value);
  if (parsed.ok) return parsed.document;
  const problems = parsed.problems.slice(0, MAX_SHOWN_PROBLEMS);
  throw approvalsBroken(place, toPrintable(problems.join("; ")));
}

function describeVersion(version: unknown): string {
  if (version === undefined) return "it has no version; the first field must be `version: 1`";
  return `its version is ${toPrintable(JSON.stringify(version) ?? "unknown", 40)}, and only 1 can be read`;
}
