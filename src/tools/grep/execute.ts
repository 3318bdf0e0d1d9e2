// Searches the files of a folder in the order of their paths, a batch at a time, and stops when the
// page is full. The page itself is made by show.ts.

import {
  compileGlob,
  type Place,
  skip,
  statPlace,
  type WalkedEntry,
  type WalkReport,
  walkFolder,
} from "../../core/files/index.js";
import { isToolError, ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { GrepCall } from "./index.js";
import { DEFAULT_HITS, FILE_TYPES } from "./limits.js";
import {
  compileLinePattern,
  type FileText,
  type LineHit,
  type LinePattern,
  readFileText,
} from "./search-text.js";
import { type FileHits, showHits } from "./show.js";

/** Files are read together up to this many, and their texts searched under one time limit. */
const BATCH_FILES = 32;
const MAX_BATCH_MS = 1_000;

export interface Skipped extends WalkReport {
  binary: number;
  readonly large: string[];
  searched: number;
}

export async function execute(call: GrepCall) {
  const { params, ctx, signal } = call;
  const { limit = DEFAULT_HITS, offset = 0, output = "lines" } = params;
  const pattern = compileLinePattern(params);
  const place: Place = { bridge: ctx.bridge, root: ctx.root, signal };
  const skipped: Skipped = { unreadable: [], isCut: false, binary: 0, large: [], searched: 0 };
  const found: FileHits[] = [];
  // One more than is shown tells whether there are more.
  let wanted = offset + limit + 1;
  for await (const batch of listBatches(call, { place, report: skipped })) {
    const texts = await readBatch({ place, batch, pattern, skipped });
    for (const file of searchBatch(call, { texts, pattern, max: wanted })) {
      found.push(file);
      wanted -= output === "lines" ? file.hits.length : 1;
      if (wanted <= 0) return showHits(call, { found, skipped });
    }
  }
  return showHits(call, { found, skipped });
}

interface Listing {
  readonly place: Place;
  readonly report: WalkReport;
}

async function* listBatches(call: GrepCall, listing: Listing): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const path of listFiles(call, listing)) {
    if (batch.push(path) < BATCH_FILES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* listFiles(
  { params }: GrepCall,
  { place, report }: Listing,
): AsyncGenerator<string> {
  const { path: folder = ".", includeIgnored = false } = params;
  const stat = await statPlace(place, folder);
  if (stat.type !== "directory") {
    yield folder;
    return;
  }
  const tests = [params.glob, params.type && `*.{${FILE_TYPES.get(params.type) ?? params.type},}`]
    .filter((glob) => glob !== undefined)
    .map(compileGlob);
  const isWanted = ({ type, isLink, names }: WalkedEntry) =>
    type === "file" && !isLink && tests.every((test) => test(names));
  for await (const entry of walkFolder({ ...place, folder, includeIgnored }, report)) {
    if (isWanted(entry)) yield entry.path;
  }
}

interface Batch {
  readonly place: Place;
  readonly batch: readonly string[];
  readonly pattern: LinePattern;
  readonly skipped: Skipped;
}

interface PathText {
  readonly path: string;
  readonly text: string;
}

async function readBatch({ place, batch, pattern, skipped }: Batch): Promise<PathText[]> {
  const { needle } = pattern;
  const read = batch.map((path) =>
    readFileText(place, { path, needle }).catch((error: unknown) =>
      skip(error, { request: place, report: skipped, path }),
    ),
  );
  const results = await Promise.all(read);
  return results.flatMap((result: FileText | undefined, index) => {
    const path = batch[index] ?? "";
    if (result === "binary") skipped.binary += 1;
    if (result === "large") skipped.large.push(path);
    if (result === "unmatched" || typeof result === "object") skipped.searched += 1;
    return typeof result === "object" ? [{ path, text: result.text }] : [];
  });
}

interface BatchSearch {
  readonly texts: readonly PathText[];
  readonly pattern: LinePattern;
  readonly max: number;
}

function searchBatch({ params, ctx }: GrepCall, { texts, pattern, max }: BatchSearch): FileHits[] {
  const perFile = params.output === "files" ? 1 : params.output === "count" ? Infinity : max;
  const search = (): LineHit[][] => texts.map(({ text }) => pattern.findLines(text, perFile));
  // Plain text is found in linear time.
  const hits = pattern.needle ? search() : searchInTime({ ctx, search, pattern: params.pattern });
  return texts.flatMap(({ path, text }, index) => {
    const own = hits[index] ?? [];
    return own.length === 0 ? [] : [{ path, text, hits: own }];
  });
}

function searchInTime({
  ctx,
  search,
  pattern,
}: {
  readonly ctx: GrepCall["ctx"];
  readonly search: () => LineHit[][];
  readonly pattern: string;
}): LineHit[][] {
  try {
    return ctx.guard.run(search, MAX_BATCH_MS);
  } catch (error) {
    if (!isToolError(error) || error.code !== "limit") throw error;
    throw new ToolError(
      "limit",
      `pattern "${toPrintable(pattern, 100)}" took longer than ${MAX_BATCH_MS} ms on a few files. Remove nested repeats such as (a+)+, or set literal to true.`,
      { reason: "pattern_timeout", cause: error },
    );
  }
}
