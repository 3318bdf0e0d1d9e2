// The order of hits: the ranks of several ways of searching joined, and dated notes by their age.

import { readNumber, readText } from "../../../lib/read-field.js";
import { numberOf, textOf } from "../../sqlite.js";
import type { Database } from "../index-file/database.js";
import type { Term } from "./read-query.js";

const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 30;
const OLD_SHARE = 0.7;
const OLD_SHARE_NOW = 0.3;
const DATED = /(?:^|\/)(\d{4})-(\d{2})-(\d{2})(?:[^/]*)\.md$/i;
/** In ranks joined, the place at which a rank counts half of the first. */
const RANK_CONSTANT = 15;

export interface RankedCandidate extends Candidate {
  readonly relevance: number;
}

interface Ranks {
  readonly found: readonly Found[];
  readonly weight: number;
}

/** Reciprocal ranks, weighed and added. With one way its own measure stays. */
export function joinRanks(ways: readonly Ranks[]): Found[] {
  const [only, ...others] = ways.filter(({ found }) => found.length > 0);
  if (only === undefined) return [];
  if (others.length === 0) return [...only.found];
  const sums = new Map<number, number>();
  for (const { found, weight } of [only, ...others]) {
    for (const [index, { id }] of found.entries()) {
      sums.set(id, (sums.get(id) ?? 0) + weight / (RANK_CONSTANT + index));
    }
  }
  return [...sums]
    .map(([id, relevance]) => ({ id, relevance }))
    .sort((one, other) => other.relevance - one.relevance);
}

interface AgeRequest {
  readonly path: string;
  readonly nowMs: number;
  readonly wantsNow: boolean;
}

export function weighAge({ path, nowMs, wantsNow }: AgeRequest): number {
  const [, year, month, day] = DATED.exec(path) ?? [];
  if (year === undefined) return 1;
  const writtenMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const ageDays = Math.max(0, (nowMs - writtenMs) / DAY_MS);
  const share = wantsNow ? OLD_SHARE_NOW : OLD_SHARE;
  return share + (1 - share) * 2 ** (-ageDays / HALF_LIFE_DAYS);
}

/** No note fills the list alone. */
export function limitPerNote(candidates: readonly RankedCandidate[]): RankedCandidate[] {
  const counts = new Map<string, number>();
  return candidates.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= MAX_PER_NOTE;
  });
}

const MAX_PER_NOTE = 2;

interface Candidate {
  readonly id: number;
  readonly path: string;
  readonly startLine: number;
  readonly startChar: number;
  readonly endLine: number;
  readonly heading: string;
  readonly text: string;
  readonly source: string | undefined;
}

export interface Found {
  readonly id: number;
  /** Larger is better; comparable within one kind of search only. */
  readonly relevance: number;
}

export function readCandidate(database: Database, id: number): Candidate | undefined {
  const row = database
    .statement(
      `SELECT files.path AS path, start_line, start_char, end_line, heading, text, source
       FROM notes.chunks JOIN notes.files ON files.id = chunks.file
       LEFT JOIN notes.tainted ON tainted.path = files.path AND tainted.hash = files.hash
       WHERE chunks.id = ?`,
    )
    .get(id);
  if (row === undefined) return undefined;
  return {
    id,
    path: textOf(row, "path"),
    startLine: numberOf(row, "start_line"),
    startChar: numberOf(row, "start_char"),
    endLine: numberOf(row, "end_line"),
    heading: textOf(row, "heading"),
    text: textOf(row, "text"),
    source: readText(row, "source"),
  };
}

const MAX_PATH_HITS = 6;
const MARKDOWN_END = /\.md$/i;
const BEST = `
  SELECT fts.rowid AS id, rank AS worth, file
  FROM notes.fts CROSS JOIN notes.chunks ON chunks.id = fts.rowid
  WHERE fts MATCH ?`;
/** Dearer: every piece that matches is looked at. */
const BEST_OF_EACH_NOTE = `
  SELECT id, worth, file FROM
    (SELECT *, row_number() OVER (PARTITION BY file ORDER BY worth, id) AS place FROM (${BEST}))
  WHERE place <= ${MAX_PER_NOTE} ORDER BY worth, id LIMIT ?`;

export function findByKeywords(
  database: Database,
  { terms, limit }: { readonly terms: readonly Term[]; readonly limit: number },
): Found[] {
  const expression = terms.flatMap(({ matches }) => matches).join(" OR ");
  if (expression === "") return [];
  const best = database.statement(`${BEST} ORDER BY rank LIMIT ?`).all(expression, limit);
  const isCrowded = best.length === limit && countShown(best) < limit;
  if (!isCrowded) return best.map(toFound);
  const known = new Set(best.map((row) => numberOf(row, "id")));
  const ofEachNote = database.statement(BEST_OF_EACH_NOTE).all(expression, limit);
  const further = ofEachNote.filter((row) => !known.has(numberOf(row, "id")));
  return [...best, ...further].map(toFound);
}

function countShown(rows: readonly unknown[]): number {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const file = numberOf(row, "file");
    counts.set(file, Math.min(MAX_PER_NOTE, (counts.get(file) ?? 0) + 1));
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function toFound(row: unknown): Found {
  return { id: numberOf(row, "id"), relevance: -numberOf(row, "worth") };
}

export function findByPath(database: Database, paths: readonly string[]): Found[] {
  if (paths.length === 0) return [];
  const rows = database.statement("SELECT id, path FROM notes.files").all();
  const wanted = paths.map(toComparable);
  const ids = rows
    .filter((row) => {
      const path = `/${toComparable(textOf(row, "path"))}`;
      return wanted.some((one) => path.endsWith(`/${one}`));
    })
    .map((row) => numberOf(row, "id"));
  return ids.slice(0, MAX_PATH_HITS).flatMap((file) => {
    const row = database
      .statement("SELECT min(id) AS id FROM notes.chunks WHERE file = ?")
      .get(file);
    const id = readNumber(row, "id");
    return id === undefined ? [] : [{ id, relevance: 1 }];
  });
}

function toComparable(path: string): string {
  return path
    .toLowerCase()
    .replace(MARKDOWN_END, "")
    .replace(/^\.?\//, "");
}
