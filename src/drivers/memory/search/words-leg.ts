// Searching by words: any of them may match, the order is that of BM25.

import type { Database } from "../index-file/database.js";
import { numberOf, textOf } from "../index-file/row.js";
import type { Found, Leg } from "./candidate.js";
import type { Term } from "./read-query.js";

export function createWordsLeg(database: Database, terms: readonly Term[]): Leg {
  return {
    name: "words",
    async find({ limit }) {
      const expression = terms.flatMap(({ matches }) => matches).join(" OR ");
      if (expression === "") return [];
      const rows = database
        .statement("SELECT rowid, rank FROM notes.fts WHERE fts MATCH ? ORDER BY rank LIMIT ?")
        .all(expression, limit);
      return rows.map((row) => ({ id: numberOf(row, "rowid"), relevance: -numberOf(row, "rank") }));
    },
  };
}

const MAX_PATH_HITS = 6;
const MARKDOWN_END = /\.md$/i;

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
    const id: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "id") : null;
    return typeof id === "number" ? [{ id, relevance: 1 }] : [];
  });
}

function toComparable(path: string): string {
  return path
    .toLowerCase()
    .replace(MARKDOWN_END, "")
    .replace(/^\.?\//, "");
}
