// An index whose file was damaged in the middle: wherever the damage lies and whoever meets it, a
// search answers, and the index is made anew.

import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, statSync, writeSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Memory, Net } from "../../src/core/index.js";
import type { EmbeddingSettings } from "../../src/drivers/memory/index.js";
import { createNet } from "../../src/drivers/net/index.js";
import { type EmbeddingServer, startEmbeddingServer } from "../memory/embedding-server.js";
import {
  makeNotesFolder,
  type NotesFolder,
  pathsOf,
  SIGNAL,
  search,
} from "../memory/memory-setting.js";

const NOTES = 300;
const PAGE_BYTES = 4_096;
const REBUILT = "was damaged and is being rebuilt";

let folder: NotesFolder;
beforeEach(() => {
  folder = makeNotesFolder();
  for (let index = 0; index < NOTES; index++) {
    const words = `number${index} `.repeat(20);
    folder.put(`memory/n${index}.md`, `# Note ${index}\n\nThe walrus sleeps. ${words}\n`);
  }
});
afterEach(() => folder.close());

async function makeIndex(): Promise<void> {
  const memory = folder.open();
  await memory.index({ signal: SIGNAL });
  await memory.close();
}

/** Always the same bytes, which look like no page. */
function damage({ first, count }: { readonly first: number; readonly count: number }): void {
  const file = openSync(folder.indexFile, "r+");
  for (let page = first; page < first + count; page++) {
    const parts = Array.from({ length: PAGE_BYTES / 32 }, (_, part) =>
      createHash("sha256").update(`${page} ${part}`).digest(),
    );
    writeSync(file, Buffer.concat(parts), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  closeSync(file);
}

async function expectWhole(memory: Memory): Promise<void> {
  const answer = await search(memory, "number7");
  expect(pathsOf(answer)[0]).toBe("memory/n7.md");
  expect(answer).toMatchObject({ staleNotes: 0 });
  expect(await memory.index({ signal: SIGNAL })).toMatchObject({ notes: NOTES, staleNotes: 0 });
}

describe("an index that is damaged in the middle", () => {
  it("is moved aside and made anew by the first search, and that is said", async () => {
    await makeIndex();
    damage({ first: 2, count: 20 });
    const answer = await search(folder.open(), "walrus");
    expect(answer.hits).toHaveLength(6);
    expect(answer.warnings.join(" ")).toContain(REBUILT);
    expect(existsSync(`${folder.indexFile}.damaged`)).toBe(true);
    const next = folder.open();
    await expectWhole(next);
    expect((await search(next, "walrus")).warnings).toEqual([]);
  });

  it("is made anew by whoever asks for its state, or for the index itself", async () => {
    await makeIndex();
    damage({ first: 2, count: 20 });
    const asking = folder.open();
    expect((await asking.status()).warnings.join(" ")).toContain(REBUILT);
    await asking.close();
    await folder.open().index({ signal: SIGNAL });
    damage({ first: 2, count: 20 });
    const indexing = folder.open();
    expect(await indexing.index({ signal: SIGNAL })).toMatchObject({ notes: NOTES });
    await expectWhole(indexing);
  });

  it("is made anew once, when several searches meet the damage together", async () => {
    await makeIndex();
    damage({ first: 2, count: 20 });
    const memory = folder.open();
    const queries = ["walrus", "number3", "sleeps", "number299"];
    const answers = await Promise.all(queries.map((query) => search(memory, query)));
    for (const { hits } of answers) expect(hits).not.toEqual([]);
    expect(statSync(`${folder.indexFile}.damaged`).size).toBeGreaterThan(22 * PAGE_BYTES);
    await expectWhole(memory);
  });

  it("does no harm, in the first pages or any later one", async () => {
    await makeIndex();
    const pages = statSync(folder.indexFile).size / PAGE_BYTES;
    expect(pages).toBeGreaterThan(20);
    for (let page = 0; page < pages; page += page < 4 ? 1 : 5) {
      damage({ first: page, count: 1 });
      const memory = folder.open();
      for (let index = 0; index < NOTES; index += 50) {
        folder.put(`memory/n${index}.md`, `# Note ${index}\n\nwalrus number${index} ${page}\n`);
      }
      await expectWhole(memory);
      await memory.close();
      await makeIndex();
    }
  });

  it("is left as it is when another process has made it anew before", async () => {
    await makeIndex();
    const memory = folder.open({ sync: { watch: false, onSearch: false, debounceMs: 20 } });
    await search(memory, "walrus");
    damage({ first: 2, count: 20 });
    const other = folder.open();
    expect((await search(other, "number9")).warnings.join(" ")).toContain(REBUILT);
    const { ino } = statSync(folder.indexFile);
    await memory.index({ isFresh: true, signal: SIGNAL });
    expect(statSync(folder.indexFile).ino).toBe(ino);
    await expectWhole(other);
  });
});

describe("an index with embeddings that is damaged", () => {
  let server: EmbeddingServer;
  let net: Net;
  beforeEach(async () => {
    server = await startEmbeddingServer();
    net = createNet({ policy: undefined, proxy: {} });
  });
  afterEach(async () => {
    await folder.close();
    await net.close();
    await server.close();
  });

  it("is made anew with them, and the damage is not called one of the provider", async () => {
    const { baseUrl } = server;
    const embedding: EmbeddingSettings = {
      ...{ provider: "openai" as const, model: "test-model" },
      ...{ baseUrl, apiKey: "key", headers: {} },
    };
    const first = folder.open({ embedding }, { net });
    await first.index({ signal: SIGNAL });
    await first.close();
    const pages = statSync(folder.indexFile).size / PAGE_BYTES;
    for (const page of [Math.floor(pages / 2), pages - 2, pages - 1]) {
      damage({ first: page, count: 1 });
      const memory = folder.open({ embedding }, { net });
      await memory.index({ signal: SIGNAL });
      const answer = await search(memory, "number7");
      expect(pathsOf(answer)[0]).toBe("memory/n7.md");
      expect(answer.legs).toEqual(["words", "meaning"]);
      expect(answer.warnings.join(" ")).not.toMatch(/malformed|Embeddings are not/);
      await memory.close();
    }
  });
});
