// How often a question of the made corpus finds its note, beside plain FTS5 where all words must match.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { importSources } from "./bundle-source.mjs";

const CORPUS = fileURLToPath(new URL("../../test/data/memory", import.meta.url));
/** Names the questions that were not answered first, on stderr. */
const SHOWS_MISSES = process.env.BENCH_MISSES === "1";

/** `open({ createMemory, root, nowMs })` gives the memory that is measured. */
export async function measureQuality(open) {
  const [{ createMemory }, corpus] = await importSources([
    "src/drivers/memory/index.ts",
    "test/data/memory/corpus.ts",
  ]);
  const root = mkdtempSync(join(tmpdir(), "bench-memory-"));
  const questions = corpus.readQuestions(CORPUS);
  const notes = corpus.readNotes(CORPUS);
  corpus.writeNotes(root, notes);
  const memory = open({ createMemory, root, nowMs: corpus.ASKED_AT_MS });
  const plain = makePlainSearch(notes);
  const signal = new AbortController().signal;
  try {
    const ranks = [];
    for (const { type, path, query, also } of questions) {
      const find = async (ask) =>
        (await memory.search({ ...ask, maxResults: 5, minScore: 0, signal })).hits.map(
          (hit) => hit.path,
        );
      const own = await find({ query });
      const withAlso = await find({ query, also });
      if (SHOWS_MISSES && own[0] !== path)
        console.error(type, "|", query, "|", path, "|", own.slice(0, 3).join(" "));
      ranks.push({
        type,
        plain: plain(query).indexOf(path),
        own: own.indexOf(path),
        also: withAlso.indexOf(path),
      });
    }
    return ["all", ...corpus.QUESTION_TYPES].map((type) => toQualityRow(type, ranks));
  } finally {
    await memory.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** All words must match, as most note searches have it. */
function makePlainSearch(notes) {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE fts USING fts5(path, body)");
  for (const { path, text } of notes) {
    database.prepare("INSERT INTO fts VALUES (?, ?)").run(path, text);
  }
  return (query) => {
    const words = query.match(/[\p{L}\p{N}_]+/gu) ?? [];
    return database
      .prepare("SELECT path FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 5")
      .all(words.map((word) => `"${word}"`).join(" AND "))
      .map((row) => row.path);
  };
}

function toQualityRow(type, ranks) {
  const own = ranks.filter((rank) => type === "all" || rank.type === type);
  const share = (key, within) =>
    Math.round(
      (100 * own.filter((rank) => rank[key] >= 0 && rank[key] < within).length) / own.length,
    );
  const show = (key) => `${share(key, 1)} / ${share(key, 5)} %`;
  return {
    id: "6d",
    work: `note found, first / in five: ${type} (${own.length}); with words by the caller: ${show("also")}`,
    raw: show("plain"),
    ours: show("own"),
    ratio: "-",
    target: ">= raw",
    met: share("own", 1) >= share("plain", 1) && share("own", 5) >= share("plain", 5),
  };
}
