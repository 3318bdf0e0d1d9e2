// Carries out the operations of a patch in memory, one after the other, each on what those before it
// have left.

import { isDirectory, toPlainPath } from "../../core/files/index.js";
import { type FsStat, ToolInputError } from "../../core/index.js";
import { applySplices, diffSplices, type Splice } from "../../lib/diff/text-splices.js";
import { toPrintable } from "../../lib/printable.js";
import { createEffort, type Effort } from "./match/line-finder.js";
import { locateHunks, type Placement } from "./match/locate-hunks.js";
import type { Operation, UpdateOperation } from "./parse/parse-patch.js";
import { assertEncodable, toSplices } from "./rewrite.js";
import { readSourceText, type SourceText, toFileBytes } from "./source-text.js";
import {
  type BodyDiff,
  type Content,
  createWorkingFiles,
  type PatchPlace,
  toBodyDiff,
  UNTOUCHED,
  type WorkingFile,
  type WorkingFiles,
} from "./working-files.js";

export interface LooseHunk {
  readonly path: string;
  readonly hunk: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly ignored: string;
}

interface Outcome {
  readonly files: readonly WorkingFile[];
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
  const splices = toSplices(source, placements);
  const bytes = toFileBytes(source, applySplices(source.body, splices));
  return { bytes, origin: content.origin, diff: diffUpdate(content, { source, splices }) };
}

/** undefined when another update came before, so that both have to be compared together. */
function diffUpdate(
  { diff }: Content,
  { source, splices }: { source: SourceText; splices: readonly Splice[] },
): BodyDiff | undefined {
  if (splices.length === 0) return diff;
  return diff === UNTOUCHED ? toBodyDiff(diffSplices(source.body, splices)) : undefined;
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

interface Place {
  readonly path: string;
  readonly stat: FsStat | null;
  readonly before: Buffer | undefined;
}

export interface Write extends Place {
  readonly after: Buffer;
  readonly diff: Content["diff"];
  readonly from:
    | { readonly path: string; readonly stat: FsStat | null; readonly bytes: Buffer }
    | undefined;
  readonly isAdded: boolean;
}

export interface Removal extends Place {
  readonly before: Buffer;
}

export interface Changes {
  readonly writes: readonly Write[];
  readonly removals: readonly Removal[];
  readonly unchanged: readonly string[];
}

export function toChanges({ files, added }: Outcome): Changes {
  assertNoFolders(files);
  const byKey = new Map(files.map((file) => [file.key, file]));
  const moved = new Set<string>();
  const writes: Write[] = [];
  const unchanged: string[] = [];
  for (const file of files) {
    const { key, path, stat, before, now } = file;
    if (!now) continue;
    const from = findSource({ file, now, byKey });
    if (from) moved.add(from.key);
    if (before?.equals(now.bytes) && !from) unchanged.push(path);
    else {
      writes.push({
        path,
        stat,
        before,
        after: now.bytes,
        diff: now.diff,
        from: from?.before && { path: from.path, stat: from.stat, bytes: from.before },
        isAdded: added.has(key),
      });
    }
  }
  const removals = files.flatMap(({ key, path, stat, before, now }) =>
    before && !now && !moved.has(key) ? [{ path, stat, before }] : [],
  );
  return { writes, removals, unchanged };
}

/** The file that a content was at first, when it lay elsewhere and nothing is left there. */
function findSource(of: {
  file: WorkingFile;
  now: Content;
  byKey: ReadonlyMap<string, WorkingFile>;
}): WorkingFile | undefined {
  const { file, now, byKey } = of;
  if (now.origin === undefined || now.origin === file.key) return undefined;
  const source = byKey.get(now.origin);
  return source?.before && !source.now ? source : undefined;
}

/** Also for files that the patch removes: their folder needs a patch of its own. */
function assertNoFolders(files: readonly WorkingFile[]): void {
  const byKey = new Map(files.map((file) => [file.key, file]));
  for (const { key, now } of files) {
    if (!now) continue;
    for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
      const above = byKey.get(key.slice(0, end));
      if (above?.now) throw isDirectory(above.path);
      if (above?.before) throw becomesFolder(above.path);
    }
  }
}

function becomesFolder(path: string): ToolInputError {
  return new ToolInputError(
    `"${toPrintable(path)}" cannot become a folder in the patch that removes it; add the files below it with a second patch.`,
    { reason: "is_directory" },
  );
}
