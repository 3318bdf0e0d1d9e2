// What a call changed, as a unified diff from the old content to what the call left; where that is
// not to be had any more, to what stands there now.

import type { CallDiff, DiffRequest, FileDiff, FsBridge } from "../../core/index.js";
import { diffLines } from "../../lib/line-diff.js";
import { toPrintable } from "../../lib/printable.js";
import { type FileState, isSameState, seeFile } from "./file-state.js";
import { findCall } from "./find-call.js";
import { findChanges, kindOf } from "./list-calls.js";
import type { Objects } from "./objects.js";
import type { ChangeLog } from "./records/change-log.js";
import type { FileChange } from "./records/rows.js";
import { fromStoredPath, type StoredPaths } from "./stored-path.js";

const DEFAULT_MAX_CHARS = 50_000;
const NO_FILE = "/dev/null";
const WHY_OMITTED = {
  binary: "Binary content differs.",
  too_long: "The change is too long to be shown.",
  too_different: "The contents have too little in common to be shown as a change.",
  not_kept: "The old content was not kept.",
} as const satisfies Record<NonNullable<FileDiff["omitted"]>, string>;

export interface DiffParts {
  readonly log: ChangeLog;
  readonly objects: Objects;
  readonly paths: StoredPaths;
  readonly maxFileBytes: number;
}

export async function diffCall(parts: DiffParts, request: DiffRequest): Promise<CallDiff> {
  const found = await findCall(parts.log, request.toolCallId);
  const changes = await findChanges(parts.log, found);
  const files: FileDiff[] = [];
  let charsLeft = request.maxChars ?? DEFAULT_MAX_CHARS;
  for (const change of changes) {
    const sides = await findSides(change, { ...parts, bridge: request.bridge });
    const file = describe(change, { sides, maxChars: charsLeft });
    charsLeft = Math.max(0, charsLeft - (file.diff?.length ?? 0));
    files.push(file);
  }
  return { ...found.call, files, text: files.map(toText).join("") };
}

interface Sides {
  /** undefined: not kept; null: there was no file. */
  readonly before: Buffer | null | undefined;
  readonly after: Buffer | null | undefined;
  readonly against: FileDiff["against"];
}

type SideSource = DiffParts & { readonly bridge: FsBridge };

async function findSides(change: FileChange, source: SideSource): Promise<Sides> {
  const before = await findKept(change.before, source.objects);
  const seen = await seeFile(source.bridge, {
    path: fromStoredPath(change.place ?? change.path, source.paths),
    maxBytes: source.maxFileBytes,
  });
  const now = seen.state.kind === "absent" ? null : seen.bytes;
  if (isSameState(seen.state, change.after)) return { before, after: now, against: "call" };
  // A later call has kept it, when it changed the file in turn.
  const after = await findKept(change.after, source.objects);
  if (after !== undefined) return { before, after, against: "call" };
  return { before, after: now, against: "now" };
}

async function findKept(state: FileState, objects: Objects): Promise<Buffer | null | undefined> {
  if (state.kind === "absent") return null;
  if (state.kind === "unkept" || !(await objects.has(state.hash))) return undefined;
  return objects.get(state.hash);
}

function describe(
  change: FileChange,
  { sides, maxChars }: { readonly sides: Sides; readonly maxChars: number },
): FileDiff {
  const facts = { path: change.path, change: kindOf(change), against: sides.against } as const;
  if (sides.before === undefined || sides.after === undefined) {
    return { ...facts, omitted: "not_kept" };
  }
  if ([sides.before, sides.after].some((bytes) => bytes?.includes(0))) {
    return { ...facts, omitted: "binary" };
  }
  const [old, fresh] = [sides.before, sides.after].map((bytes) => bytes?.toString() ?? "");
  const { text, omitted } = diffLines(old ?? "", fresh ?? "", { maxChars });
  return { ...facts, ...(omitted && { omitted }), ...(text !== undefined && { diff: text }) };
}

function toText({ path, change, against, omitted, diff }: FileDiff): string {
  const shown = toPrintable(path);
  const from = change === "created" ? NO_FILE : `a/${shown}`;
  const to = change === "removed" ? NO_FILE : `b/${shown}`;
  const note = against === "now" ? "\t(as it is now; changed since the call)" : "";
  const body = diff ?? (omitted ? `${WHY_OMITTED[omitted]}\n` : "");
  return `--- ${from}\n+++ ${to}${note}\n${body}`;
}
