// What the index knows of words: their stems, in how many pieces they are, and which are near. All of
// it is asked of the database, so that query and index never disagree.

import { lazy } from "../../../lib/lazy.js";
import { readNumber } from "../../../lib/read-field.js";
import { numberOf, textOf } from "../../sqlite.js";
import type { Database } from "../index-file/database.js";
import { createNearWords } from "./near-words.js";

const MAX_REMEMBERED_STEMS = 20_000;
const MAX_NEAR = 3;

export interface Lexicon {
  readonly total: number;
  stems(words: readonly string[]): ReadonlyMap<string, string>;
  documents(stem: string): number;
  near(word: string): ReadonlyMap<string, string>;
  beginning(prefix: string): boolean;
}

export function createLexiconSource(database: Database): () => Lexicon {
  let current: { readonly version: string; readonly lexicon: Lexicon } | undefined;
  return () => {
    const version = readVersion(database);
    if (current?.version !== version) current = { version, lexicon: createLexicon(database) };
    return current.lexicon;
  };
}

function createLexicon(database: Database): Lexicon {
  const counts = new Map<string, number>();
  const stems = new Map<string, string>();
  const nearWords = lazy(() => createNearWords(listWords(database)));

  function countDocuments(stem: string): number {
    let count = counts.get(stem);
    if (count === undefined) {
      const row = database.statement("SELECT doc FROM temp.vocabulary WHERE term = ?").get(stem);
      count = row === undefined ? 0 : numberOf(row, "doc");
      counts.set(stem, count);
    }
    return count;
  }

  function stemAll(words: readonly string[]): ReadonlyMap<string, string> {
    if (stems.size > MAX_REMEMBERED_STEMS) stems.clear();
    const asked = words.filter((word) => !stems.has(word));
    const found = askStems(database, asked);
    for (const [index, word] of asked.entries()) stems.set(word, found[index] ?? word);
    return new Map(words.map((word) => [word, stems.get(word) ?? word]));
  }

  return {
    total: countPieces(database),
    stems: stemAll,
    documents: countDocuments,
    near(word) {
      const found = nearWords().find(word);
      const known = stemAll(found.map((near) => near.word));
      const counted = found.map((near) => {
        const stem = known.get(near.word) ?? near.word;
        return { ...near, stem, documents: countDocuments(stem) };
      });
      const best = counted
        .filter(({ documents }) => documents > 0)
        .sort((one, other) => one.letters - other.letters || other.documents - one.documents);
      const byStem = new Map(best.map(({ stem, word: written }) => [stem, written]));
      return new Map([...byStem].slice(0, MAX_NEAR).map(([stem, written]) => [written, stem]));
    },
    beginning(prefix) {
      const row = database
        .statement("SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT 1")
        .get(prefix, `${prefix}\u{10ffff}`);
      return row !== undefined;
    },
  };
}

function askStems(database: Database, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  const found = tokenize(database, words.join(" "));
  if (found.length === words.length) return found;
  return words.map((word) => tokenize(database, word)[0] ?? word);
}

function tokenize(database: Database, text: string): string[] {
  database.statement("INSERT INTO main.stem (rowid, word) VALUES (1, ?)").run(text);
  const rows = database.statement("SELECT term FROM temp.stem_at ORDER BY offset").all();
  database.statement("INSERT INTO main.stem (stem) VALUES ('delete-all')").run();
  return rows.map((row) => textOf(row, "term"));
}

function readVersion(database: Database): string {
  const data = database.statement("PRAGMA notes.data_version").get();
  const last = database.statement("SELECT max(id) AS id FROM notes.chunks").get();
  return `${numberOf(data, "data_version")}:${readNumber(last, "id") ?? 0}`;
}

function countPieces(database: Database): number {
  const row = database
    .statement("SELECT coalesce(sum(chunk_count), 0) AS total FROM notes.files")
    .get();
  return numberOf(row, "total");
}

function* listWords(database: Database) {
  for (const row of database.statement("SELECT word FROM notes.words").all()) {
    yield textOf(row, "word");
  }
}
