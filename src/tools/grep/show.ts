// One page of matches as a result: what fits, and a notice that names the next call.

import { describeWalk, withNotice } from "../../core/files/index.js";
import { textResult } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { cutChars } from "../../lib/unicode-text.js";
import type { Skipped } from "./execute.js";
import type { GrepCall } from "./index.js";
import { DEFAULT_HITS, MAX_FILE_MIB, MAX_LINE_CHARS } from "./limits.js";
import type { LineHit } from "./search-text.js";

const MAX_SHOWN_CHARS = 50_000;
/** Left free for the notice. */
const NOTICE_CHARS = 1_000;
/** Of a long line before its match. */
const LEAD_CHARS = 100;

export interface FileHits {
  readonly path: string;
  readonly text: string;
  readonly hits: readonly LineHit[];
}

interface Found {
  readonly found: readonly FileHits[];
  readonly skipped: Skipped;
}

/** What one result adds to the page. */
interface Row {
  readonly text: string;
  readonly fact: { readonly path: string; readonly line?: number; readonly count?: number };
}

export function showHits(call: GrepCall, { found, skipped }: Found) {
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
