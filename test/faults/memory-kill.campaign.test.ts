// kill -9 of processes that index notes: the index stays whole, holds no piece of a note twice, and
// whoever comes next completes it.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startRole, useProgram } from "../contract/store/processes.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import {
  makeNotesFolder,
  type NotesFolder,
  pathsOf,
  SIGNAL,
  search,
} from "../memory/memory-setting.js";

const KILLS = campaignSize({ slice: 4, campaign: 200 });
const NOTES = 1_200;
const CHANGES = 150;
const MAX_LINES = 12;
const MAX_DELAY_MS = 40;
const TIMEOUT_MS = 60_000 + KILLS * 10_000;
const TITLE = "leaves an index that is whole, and that the next one completes";

const entry = fileURLToPath(new URL("./memory-program.ts", import.meta.url));
const program = useProgram(
  `import { useMemory } from ${JSON.stringify(entry)}; await useMemory(process.argv.slice(2));`,
);

let folder: NotesFolder;
beforeEach(() => {
  folder = makeNotesFolder({ "memory/first.md": "the walrus sleeps" });
});
afterEach(() => folder.close());

const textOf = (index: number, version: number) =>
  `# Note ${index}\n\nword${index} version${version}\n\n## More\n\n${"some filler text ".repeat(20)}\n`;

/** What must hold between two processes: no damage, and as many pieces as are counted. */
function check(file: string): void {
  const database = new DatabaseSync(file);
  try {
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'files'").all();
    // Killed before there was anything.
    if (tables.length === 0) return;
    database.exec("INSERT INTO fts (fts) VALUES ('integrity-check')");
    const counts = database
      .prepare(
        `SELECT (SELECT coalesce(sum(chunk_count), 0) FROM files) AS counted,
                (SELECT count(*) FROM chunks) AS pieces,
                (SELECT count(*) FROM chunks WHERE file NOT IN (SELECT id FROM files)) AS strays,
                (SELECT count(*) FROM fts_docsize) AS indexed`,
      )
      .get();
    // The columns that were asked for.
    const { counted, pieces, strays, indexed } = counts as Record<string, number>;
    expect({ pieces, strays, indexed }).toEqual({ pieces: counted, strays: 0, indexed: counted });
  } finally {
    database.close();
  }
}

describe("kill -9 of a process that indexes notes", () => {
  it(
    TITLE,
    async () => {
      const random = seededRandom(campaignSeed());
      for (let index = 0; index < NOTES; index++) {
        folder.put(`memory/many/n${index}.md`, textOf(index, 0));
      }
      let unfinished = 0;
      for (let kill = 1; kill <= KILLS; kill++) {
        const isFresh = random() < 0.3;
        const role = startRole([program(), isFresh ? "fresh" : "index", folder.root]);
        // It may be done before that.
        await role.said(1 + Math.floor(random() * MAX_LINES)).catch(() => undefined);
        await delay(random() * MAX_DELAY_MS);
        role.child.kill("SIGKILL");
        if ((await role.end).at(-1) !== "all") unfinished++;
        check(folder.indexFile);
        for (let change = 0; change < CHANGES; change++) {
          const index = Math.floor(random() * NOTES);
          folder.put(`memory/many/n${index}.md`, textOf(index, kill));
        }
        if (random() < 0.2) rmSync(join(folder.root, `memory/many/n${kill}.md`), { force: true });
      }
      expect(unfinished).toBeGreaterThan(KILLS / 4);
      for (let index = 0; index < NOTES; index++) {
        folder.put(`memory/many/n${index}.md`, textOf(index, KILLS + 1));
      }
      const memory = folder.open();
      expect(await memory.index({ signal: SIGNAL })).toMatchObject({
        ...{ notes: NOTES + 1, chunks: NOTES * 2 + 1, staleNotes: 0, warnings: [] },
      });
      expect(pathsOf(await search(memory, "walrus"))).toEqual(["memory/first.md"]);
      expect(pathsOf(await search(memory, "word7"))[0]).toBe("memory/many/n7.md");
      for (let version = 0; version <= KILLS; version++) {
        const { hits } = await search(memory, `"version${version}"`);
        expect(hits.filter(({ snippet }) => snippet.includes(`version${version}\n`))).toEqual([]);
      }
      reportCampaign({ title: TITLE, size: KILLS, detail: `${unfinished} in the middle of it` });
    },
    TIMEOUT_MS,
  );
});
