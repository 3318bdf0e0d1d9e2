// The search is measured against the plain thing: SQLite's own BM25 over Porter stems. The notes are the
// pages of the docs, the questions what their index says of each; and the made corpus.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { loadSqlite } from "../../src/lib/system/sqlite.js";
import { ASKED_AT_MS, readNotes, readQuestions, writeNotes } from "../data/memory/corpus.js";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { makeNotesFolder, type NotesFolder, pathsOf, SIGNAL } from "./memory-setting.js";

const CORPUS = fileURLToPath(new URL("../data/memory", import.meta.url));
const DOCS = join(PROJECT_DIR, "docs");
const MAX_RANK = 10;
const FIND = `SELECT path FROM note WHERE note MATCH ? ORDER BY bm25(note) LIMIT ${MAX_RANK}`;
const QUERY = { maxResults: MAX_RANK, minScore: 0.15, weights: { words: 0.5, meaning: 0.5 } };

interface Asked {
  readonly query: string;
  /** Of the one note that answers it. */
  readonly path: string;
}
interface Collection {
  readonly notes: readonly { readonly path: string; readonly text: string }[];
  readonly asked: readonly Asked[];
}

function readDocs(): Collection {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith(".md") && name !== "README.md");
  const index = readFileSync(join(DOCS, "README.md"), "utf8");
  return {
    notes: pages.map((name) => ({
      path: `memory/${name}`,
      text: readFileSync(join(DOCS, name), "utf8"),
    })),
    asked: [...index.matchAll(/^\| \[([\w-]+\.md)\]\S* \| (.+) \|$/gm)].map(([, name, query]) => ({
      path: `memory/${name}`,
      query: (query ?? "").replace(/[`*]/g, ""),
    })),
  };
}

function readMade(): Collection {
  const asked = readQuestions(CORPUS).filter(({ type }) => type === "keyword");
  return { notes: readNotes(CORPUS), asked };
}

function readParaphrases(): Collection {
  const asked = readQuestions(CORPUS).filter(({ type }) => type === "paraphrase");
  return { notes: readNotes(CORPUS), asked };
}

/** Two letters in the middle of the longest word change places. */
function slip({ query, path }: Asked): Asked {
  const words = query.match(/[a-z]{6,}/g) ?? [];
  const [longest] = words.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return { query, path };
  const middle = Math.floor(longest.length / 2);
  const [one, other] = [longest[middle - 1], longest[middle]];
  const wrong = longest.slice(0, middle - 1) + other + one + longest.slice(middle + 1);
  return { path, query: query.replace(longest, wrong) };
}

type Search = (query: string) => Promise<readonly string[]>;

/** nDCG@10 where one note is right: the mean of 1 / log2(rank + 1). */
async function measure(search: Search, asked: readonly Asked[]): Promise<number> {
  let sum = 0;
  for (const { query, path } of asked) {
    const rank = [...new Set(await search(query))].slice(0, MAX_RANK).indexOf(path);
    if (rank >= 0) sum += 1 / Math.log2(rank + 2);
  }
  return sum / asked.length;
}

async function searchPlainly({ notes }: Collection): Promise<Search> {
  const open = await loadSqlite(() => new Error("SQLite is not installed"));
  const database = open(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE note USING fts5(path UNINDEXED, text, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare("INSERT INTO note VALUES (?, ?)");
  for (const { path, text } of notes) insert.run(path, text);
  return async (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    // Prepared again: a connection that only its statement holds is collected.
    const find = database.prepare(FIND);
    const rows = find.all(words.map((word) => `"${word}"`).join(" OR "));
    return rows.map((row) => String(Reflect.get(Object(row), "path")));
  };
}

let folder: NotesFolder | undefined;
afterEach(() => folder?.close());

function searchHere({ notes }: Collection): Search {
  folder = makeNotesFolder();
  writeNotes(folder.root, notes);
  const memory = folder.open({ query: QUERY }, { now: () => ASKED_AT_MS });
  return async (query) => pathsOf(await memory.search({ query, signal: SIGNAL }));
}

describe("search by words", () => {
  it.each([
    ["the docs", readDocs],
    ["the made corpus", readMade],
  ])(
    "is not below plain BM25 with Porter stems on %s",
    async (_name, read) => {
      const collection = read();
      expect(collection.asked.length).toBeGreaterThan(15);
      const plain = await measure(await searchPlainly(collection), collection.asked);
      const here = await measure(searchHere(collection), collection.asked);
      expect(here).toBeGreaterThanOrEqual(plain);
    },
    120_000,
  );

  it.each([
    ["the docs", readDocs],
    ["the made corpus", readMade],
  ])(
    "loses at most 0.01 on %s when a word has two letters swapped",
    async (_name, read) => {
      const collection = read();
      const search = searchHere(collection);
      const right = await measure(search, collection.asked);
      const wrong = await measure(search, collection.asked.map(slip));
      expect(wrong).toBeGreaterThanOrEqual(right - 0.01);
    },
    120_000,
  );

  // Known fault: stop words are not searched, and some notes share nothing else with such a question.
  it.fails("is not below plain BM25 on paraphrases, which it still is", async () => {
    const collection = readParaphrases();
    const plain = await measure(await searchPlainly(collection), collection.asked);
    expect(await measure(searchHere(collection), collection.asked)).toBeGreaterThanOrEqual(plain);
  });
});
