// Searching by words: any of them may match, the order is that of BM25. A note with many pieces that
// match takes the place of no other.

import { readNumber } from "../../../lib/read-field.js";
import type { Database } from "../index-file/database.js";
import { numberOf, textOf } from "../index-file/row.js";
import { type Found, MAX_PER_NOTE } from "./candidate.js";
import type { Term } from "./read-query.js";

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

/** Those that the limit of each note leaves. */
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

/** Pieces of the notes whose path ends as the query says, the first piece of each. */
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
