// Carries out the operations of a patch in memory, one after the other, each on what those before it
// have left.

import { toPlainPath } from "../../../core/files/index.js";
import { createEffort, type Effort } from "../match/line-finder.js";
import { locateHunks, type Placement } from "../match/locate-hunks.js";
import type { Operation, UpdateOperation } from "../parse/parse-patch.js";
import { readSourceText, toFileBytes } from "../text/source-text.js";
import { applyRewrites, assertEncodable, diffRewrites, toRewrites } from "./diff-rewrites.js";
import {
  type Content,
  createWorkingFiles,
  type PatchPlace,
  UNTOUCHED,
  type WorkingFile,
  type WorkingFiles,
} from "./working-files.js";

/** A hunk that was found only because something was not a difference. */
export interface LooseHunk {
  readonly path: string;
  readonly hunk: number;
  /** Lines of the file before the change, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly ignored: string;
}

export interface Outcome {
  readonly files: readonly WorkingFile[];
  /** Keys of files that the patch adds, also over others. */
  readonly added: ReadonlySet<string>;
  readonly looseHunks: readonly LooseHunk[];
}

interface Work {
  readonly working: WorkingFiles;
  readonly root: string;
  readonly effort: Effort;
  readonly added: Set<string>;
  readonly looseHunks: LooseHunk[];
}

export async function compute(
  operations: readonly Operation[],
  place: PatchPlace,
): Promise<Outcome> {
  const working = createWorkingFiles(place);
  const work: Work = {
    working,
    root: place.root,
    effort: createEffort(),
    added: new Set(),
    looseHunks: [],
  };
  for (const operation of operations) await carryOut(work, operation);
  return { files: working.list(), added: work.added, looseHunks: work.looseHunks };
}

async function carryOut(work: Work, operation: Operation): Promise<void> {
  if (operation.kind === "update") return update(work, operation);
  if (operation.kind === "delete") {
    const { file } = await work.working.openExisting(operation.path);
    file.now = undefined;
    work.added.delete(file.key);
    return;
  }
  const file = await work.working.open(operation.path);
  const bytes = Buffer.from(operation.content);
  // Who replaces a file keeps what is not content: its permissions.
  const origin = file.now?.origin === file.key ? file.key : undefined;
  work.working.put(file, { bytes, origin, diff: undefined });
  work.added.add(file.key);
}

async function update(work: Work, operation: UpdateOperation): Promise<void> {
  const { file, content } = await work.working.openExisting(operation.path);
  const changed = operation.hunks.length > 0 ? applyHunks(work, { operation, content }) : content;
  const { moveTo } = operation;
  if (moveTo === undefined || toPlainPath(moveTo, work.root) === file.key) {
    work.working.put(file, changed);
    return;
  }
  const target = await work.working.open(moveTo);
  work.working.put(target, changed);
  file.now = undefined;
  if (!work.added.delete(file.key)) work.added.delete(target.key);
  else work.added.add(target.key);
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
  const rewrites = toRewrites(source, placements);
  const bytes = toFileBytes(source, applyRewrites(source, rewrites));
  const diff = content.diff === UNTOUCHED ? diffRewrites(source, rewrites) : undefined;
  return { bytes, origin: content.origin, diff };
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
