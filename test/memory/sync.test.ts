// Keeping the index up to date: what a search waits for, what it reports, and what watching saves.
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { makeNotesFolder, type NotesFolder, pathsOf, SIGNAL, search } from "./memory-setting.js";

let folder: NotesFolder;
afterEach(() => folder.close());

const MANY = 60;
const VERY_MANY = 5_000;

function putMany(word: string): void {
  for (let index = 0; index < MANY; index++) folder.put(`memory/n${index}.md`, `${word} ${index}`);
}

describe("the index follows the notes", () => {
  it("the first search waits until every note is indexed", async () => {
    folder = makeNotesFolder();
    putMany("walrus");
    const answer = await search(folder.open(), "walrus");
    expect(answer.hits).toHaveLength(6);
    expect(answer).toMatchObject({ staleNotes: 0 });
    expect(answer.partial).toBeUndefined();
  });

  it("a first search of very many notes answers when its time is up, and says how much is missing", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus" });
    for (let index = 0; index < VERY_MANY; index++) {
      folder.put(`memory/n/${index}.md`, `walrus number${index}`);
    }
    const limits: (() => void)[] = [];
    const memory = folder.open(
      {},
      {
        after(_delayMs, work) {
          limits.push(work);
          return () => undefined;
        },
      },
    );
    const first = search(memory, "walrus");
    // The time is up when some notes are in the index and others are not.
    while ((await memory.status()).notes === 0) await setImmediate();
    for (const isUp of limits) isUp();
    const { partial, hits } = await first;
    expect(partial?.total).toBe(VERY_MANY + 1);
    expect(partial?.indexed).toBeGreaterThan(0);
    expect(partial?.indexed).toBeLessThan(VERY_MANY);
    expect(hits.length).toBeGreaterThan(0);
    await memory.index({ signal: SIGNAL });
    const whole = await search(memory, `number${VERY_MANY - 1}`);
    expect(whole.partial).toBeUndefined();
    expect(pathsOf(whole)[0]).toBe(`memory/n/${VERY_MANY - 1}.md`);
  });

  it("a changed, a new and a removed note are seen by the next search", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus", "memory/b.md": "opossum" });
    const memory = folder.open();
    await search(memory, "walrus");
    folder.put("memory/a.md", "pangolin");
    folder.put("memory/c.md", "zebra");
    rmSync(join(folder.root, "memory/b.md"));
    expect(pathsOf(await search(memory, "pangolin"))).toEqual(["memory/a.md"]);
    expect(pathsOf(await search(memory, "zebra"))).toEqual(["memory/c.md"]);
    expect(pathsOf(await search(memory, "walrus"))).toEqual([]);
    expect(pathsOf(await search(memory, "opossum"))).toEqual([]);
  });

  it("a change of the same length within the same tick of the clock is seen", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus" });
    const memory = folder.open();
    // Ahead, so that the look is in the same tick however slow the machine is.
    const stamp = new Date(Date.now() + 10_000);
    utimesSync(join(folder.root, "memory/a.md"), stamp, stamp);
    await search(memory, "walrus");
    folder.put("memory/a.md", "badger");
    utimesSync(join(folder.root, "memory/a.md"), stamp, stamp);
    expect(pathsOf(await search(memory, "badger"))).toEqual(["memory/a.md"]);
  });

  it("many changes are not waited for: the answer says how many are not indexed yet", async () => {
    folder = makeNotesFolder();
    putMany("walrus");
    const memory = folder.open();
    await search(memory, "walrus");
    putMany("longer badger");
    const answer = await search(memory, "walrus");
    expect(answer.staleNotes).toBe(MANY);
    expect(answer.hits.length).toBeGreaterThan(0);
    await memory.index({ signal: SIGNAL });
    expect((await search(memory, "walrus")).hits).toEqual([]);
  });

  it("an index of other pieces is made anew", async () => {
    folder = makeNotesFolder({ "memory/a.md": `walrus ${"filler ".repeat(200)}\n\nbadger` });
    const one = folder.open();
    expect((await one.index({ signal: SIGNAL })).chunks).toBe(1);
    await one.close();
    const two = folder.open({ chunking: { maxChars: 400, overlapChars: 0 } });
    expect((await two.index({ signal: SIGNAL })).chunks).toBeGreaterThan(2);
  });

  it("is complete after an index made anew, and reports its progress", async () => {
    folder = makeNotesFolder();
    putMany("walrus");
    const memory = folder.open();
    await search(memory, "walrus");
    const seen: number[] = [];
    const status = await memory.index({
      isFresh: true,
      signal: SIGNAL,
      onProgress: ({ done }) => seen.push(done),
    });
    expect(status).toMatchObject({ notes: MANY, chunks: MANY, staleNotes: 0, legs: ["words"] });
    expect(seen.at(-1)).toBe(MANY);
    expect((await search(memory, "walrus")).hits).toHaveLength(6);
  });

  it("the abort of whoever indexes ends it, and what was there stays", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus" });
    const memory = folder.open();
    await search(memory, "walrus");
    await expect(
      memory.index({ isFresh: true, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ name: "AbortError" });
    expect(pathsOf(await search(memory, "walrus"))).toEqual(["memory/a.md"]);
  });

  it("a watched folder that changes is indexed without a search", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus" });
    const memory = folder.open({ sync: { watch: true, onSearch: true, debounceMs: 5 } });
    await search(memory, "walrus");
    folder.put("memory/b.md", "badger");
    const other = folder.open({ sync: { watch: false, onSearch: false, debounceMs: 5 } });
    await expect
      .poll(async () => (await other.status()).notes, { timeout: 30_000, interval: 20 })
      .toBe(2);
  });

  it("a change just before a search is seen by it, also while the folders are watched", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus", "docs/x.md": "walrus in docs" });
    const extraPaths = [join(folder.root, "docs/x.md")];
    const places = { root: folder.root, extraPaths };
    const sync = { watch: true, onSearch: true, debounceMs: 60_000 };
    const memory = folder.open({ places, sync });
    await search(memory, "walrus");
    for (let round = 0; round < 8; round++) {
      for (const path of ["memory/new.md", "docs/x.md"]) {
        const word = `badger${round}${path.length}`;
        folder.put(path, word);
        expect(pathsOf(await search(memory, word)), word).toEqual([path]);
      }
    }
  });

  it("a change during a search is seen by the next one, though the first has not ended", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus" });
    // No search gives up early, however slow the machine is.
    const memory = folder.open({}, { after: () => () => undefined });
    await search(memory, "walrus");
    for (let index = 0; index < 40; index++) {
      folder.put(`memory/long${index}.md`, "a badger sleeps\n".repeat(5_000));
    }
    const first = search(memory, "badger");
    // Until it has begun to write.
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    folder.put("memory/c.md", "heron");
    const [, second] = await Promise.all([first, search(memory, "heron")]);
    expect(pathsOf(second)).toEqual(["memory/c.md"]);
  });

  it("extra files and folders are notes too, each once", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus", "docs/x.md": "walrus in docs" });
    const places = {
      root: folder.root,
      extraPaths: [join(folder.root, "docs"), join(folder.root, "memory/a.md")],
    };
    const memory = folder.open({ places });
    expect(pathsOf(await search(memory, "walrus")).sort()).toEqual(["docs/x.md", "memory/a.md"]);
    expect(await memory.read({ path: "docs/x.md", maxChars: 100 })).toMatchObject({ found: true });
  });

  it("works without a place for the index", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus" });
    const memory = folder.open({ indexFile: undefined });
    expect(pathsOf(await search(memory, "walrus"))).toEqual(["memory/a.md"]);
    folder.put("memory/b.md", "badger");
    expect(pathsOf(await search(memory, "badger"))).toEqual(["memory/b.md"]);
  });

  it("is closed for good", async () => {
    folder = makeNotesFolder({ "memory/a.md": "walrus" });
    const memory = folder.open();
    await search(memory, "walrus");
    await memory.close();
    await expect(search(memory, "walrus")).rejects.toMatchObject({ reason: "memory_closed" });
  });
});
