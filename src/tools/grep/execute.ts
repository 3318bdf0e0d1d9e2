// Searches the files of a folder in the order of their paths, a batch at a time, and stops when the
// page is full. The page itself is made by show.ts.

import {
  compileGlob,
  describeWalk,
  type Place,
  skip,
  statPlace,
  type WalkedEntry,
  type WalkReport,
  walkFolder,
  withNotice,
} from "../../core/files/index.js";
import { isToolError, ToolError, textResult } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { cutChars } from "../../lib/unicode-text.js";
import type { GrepCall } from "./index.js";
import { DEFAULT_HITS, FILE_TYPES, MAX_FILE_MIB, MAX_LINE_CHARS } from "./limits.js";
import {
  compileLinePattern,
  type FileText,
  type LineHit,
  type LinePattern,
  readFileText,
} from "./search-text.js";

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

const MAX_SHOWN_CHARS = 50_000;
const NOTICE_CHARS = 1_000;
const LEAD_CHARS = 100;

interface FileHits {
  readonly path: string;
  readonly text: string;
  readonly hits: readonly LineHit[];
}

interface Found {
  readonly found: readonly FileHits[];
  readonly skipped: Skipped;
}

interface Row {
  readonly text: string;
  readonly fact: { readonly path: string; readonly line?: number; readonly count?: number };
}

function showHits(call: GrepCall, { found, skipped }: Found) {
  const { limit = DEFAULT_HITS, offset = 0 } = call.params;
  const rows = listRows(call, found);
  const asked = rows.slice(offset, offset + limit);
  const shown = takeFitting(asked, Math.min(call.ctx.limits.resultChars, MAX_SHOWN_CHARS));
  const nextOffset = offset + shown.length;
  const hasMore = rows.length > nextOffset;
  const text =
    shown.length > 0
      ? shown.map((row) => row.text).join("\n")
      : describeNothing(call, { skipped, total: rows.length });
  const notice = [
    ...(hasMore
      ? [
          `Results ${offset + 1}-${nextOffset}; there are more. Continue with offset=${nextOffset}, or narrow with path, glob or type.`,
        ]
      : []),
    ...describeSkipped(skipped),
  ];
  return textResult(withNotice(text, notice), {
    results: shown.map(({ fact }) => fact),
    offset,
    truncated: hasMore,
    ...(hasMore ? { nextOffset } : {}),
    filesSearched: skipped.searched,
    skipped: { binary: skipped.binary, large: skipped.large, unreadable: skipped.unreadable },
  });
}

function listRows({ params }: GrepCall, found: readonly FileHits[]): Row[] {
  const { output = "lines", context = 0 } = params;
  return found.flatMap((file): Row[] => {
    const { path, hits } = file;
    const name = toPrintable(path);
    if (output === "files") return [{ text: name, fact: { path } }];
    if (output === "count") {
      return [{ text: `${name}: ${hits.length}`, fact: { path, count: hits.length } }];
    }
    return showLines(file, context);
  });
}

/** With context, lines between two matches belong to the first of them, and no line comes twice. */
function showLines({ path, text, hits }: FileHits, context: number): Row[] {
  const lines = text.split("\n");
  const name = toPrintable(path);
  let printed = 0;
  return hits.map(({ line, column }, index) => {
    const next = hits[index + 1]?.line ?? Infinity;
    const first = Math.max(1, line - context, printed + 1);
    const last = Math.min(lines.length, line + context, next - 1);
    const isApart = context > 0 && first > printed + 1;
    const shown = lines.slice(first - 1, last).map((own, at) => {
      const number = first + at;
      return number === line
        ? `${name}:${number}: ${cutLine(own, column)}`
        : `${name}-${number}- ${cutLine(own, 0)}`;
    });
    printed = last;
    return { text: [...(isApart ? ["--"] : []), ...shown].join("\n"), fact: { path, line } };
  });
}

function cutLine(line: string, column: number): string {
  const own = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (own.length <= MAX_LINE_CHARS) return own;
  const start = column < MAX_LINE_CHARS - LEAD_CHARS ? 0 : column - LEAD_CHARS;
  const shown = cutChars(own.slice(start), MAX_LINE_CHARS);
  return `${start > 0 ? "…" : ""}${shown}${start + shown.length < own.length ? "…" : ""}`;
}

/** At least one, or pages would make no progress. */
function takeFitting(rows: readonly Row[], maxChars: number): readonly Row[] {
  let chars = NOTICE_CHARS;
  const count = rows.findIndex(({ text }) => {
    chars += text.length + 1;
    return chars > maxChars;
  });
  return count === -1 ? rows : rows.slice(0, Math.max(1, count));
}

function describeNothing(
  { params }: GrepCall,
  { skipped, total }: { readonly skipped: Skipped; readonly total: number },
): string {
  if (total > 0) return `There are only ${total} results; offset ${params.offset} is past them.`;
  const where = params.path === undefined ? "" : ` in ${toPrintable(params.path)}`;
  const hint = params.includeIgnored ? "" : " Files that .gitignore leaves out were not searched.";
  const files = skipped.searched === 1 ? "1 file" : `${skipped.searched} files`;
  return `No matches${where}; searched ${files}.${hint}`;
}

function describeSkipped(skipped: Skipped): string[] {
  const { binary, large } = skipped;
  const [first] = large;
  return [
    ...(binary > 0 ? [`Binary, skipped: ${binary}.`] : []),
    ...(first === undefined
      ? []
      : [`Over ${MAX_FILE_MIB} MiB, skipped: ${large.length}, such as ${toPrintable(first)}.`]),
    ...describeWalk(skipped),
  ];
}
