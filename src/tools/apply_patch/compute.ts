// Carries out the operations of a patch in memory, one after the other, each on what those before it
// have left.

import { toPlainPath } from "../../core/files/index.js";
import { applySplices, diffSplices } from "../../lib/diff/text-splices.js";
import { createEffort, type Effort } from "./match/line-finder.js";
import { locateHunks, type Placement } from "./match/locate-hunks.js";
import type { Operation, UpdateOperation } from "./parse/parse-patch.js";
import { assertEncodable, toSplices } from "./rewrite.js";
import { readSourceText, toFileBytes } from "./source-text.js";
import {
  type Changes,
  type Content,
  createWorkingFiles,
  type PatchPlace,
  UNTOUCHED,
  type WorkingFiles,
} from "./working-files.js";

export interface LooseHunk {
  readonly path: string;
  readonly hunk: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly ignored: string;
}

interface Work {
  readonly files: WorkingFiles;
  readonly root: string;
  readonly effort: Effort;
  readonly looseHunks: LooseHunk[];
}

export interface Outcome {
  readonly changes: Changes;
  readonly looseHunks: readonly LooseHunk[];
}

export async function compute(
  operations: readonly Operation[],
  place: PatchPlace,
): Promise<Outcome> {
  const files = createWorkingFiles(place);
  const work: Work = { files, root: place.root, effort: createEffort(), looseHunks: [] };
  for (const operation of operations) await carryOut(work, operation);
  return { changes: files.toChanges(), looseHunks: work.looseHunks };
}

async function carryOut(work: Work, operation: Operation): Promise<void> {
  const { files } = work;
  const { kind, path } = operation;
  if (kind === "update") return update(work, operation);
  if (kind === "delete") {
    const { file } = await files.openExisting(path);
    file.now = undefined;
    return;
  }
  const file = await files.open(path);
  // Who replaces a file keeps what is not content: its permissions.
  const origin = file.now?.origin === file.key ? file.key : undefined;
  const bytes = Buffer.from(operation.content);
  files.put(file, { bytes, origin, diff: undefined, isAdded: true });
}

async function update(work: Work, operation: UpdateOperation): Promise<void> {
  const { files, root } = work;
  const { path, moveTo, hunks } = operation;
  const { file, content } = await files.openExisting(path);
  const changed = hunks.length > 0 ? applyHunks(work, { operation, content }) : content;
  const isMoved = moveTo !== undefined && toPlainPath(moveTo, root) !== file.key;
  files.put(isMoved ? await files.open(moveTo) : file, changed);
  if (isMoved) file.now = undefined;
}

function applyHunks(
  work: Work,
  { operation, content }: { operation: UpdateOperation; content: Content },
): Content {
  const { path, hunks } = operation;
  const source = readSourceText(content.bytes, path);
  const placements = locateHunks({ path, source, hunks, effort: work.effort });
  assertEncodable(source, { placements, path });
  work.looseHunks.push(...listLoose(path, placements));
  const splices = toSplices(source, placements);
  if (splices.length === 0) return content;
  const bytes = toFileBytes(source, applySplices(source.body, splices));
  const diff = content.diff === UNTOUCHED ? diffSplices(source.body, splices) : undefined;
  return { ...content, bytes, diff };
}

function listLoose(path: string, placements: readonly Placement[]): LooseHunk[] {
  return placements
    .filter(({ ignored }) => ignored !== "")
    .map(({ hunk, start, count, ignored }) => ({
      path,
      hunk: hunk.number,
      firstLine: start + 1,
      lastLine: start + Math.max(count, 1),
      ignored,
    }));
}
