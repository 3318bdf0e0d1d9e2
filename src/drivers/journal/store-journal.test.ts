// The journal in a store: what it keeps of a call, what becomes of calls whose process died.

import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../../test/fakes/manual-clock.js";
import { createMemoryStore } from "../../../test/fakes/memory-store.js";
import { type Store, ToolError } from "../../core/index.js";
import { createStoreJournal } from "./index.js";
import { MAX_JOURNAL_AGE_MS, MAX_JOURNAL_ROWS, SYNC_WITHIN_MS } from "./store-journal.js";

const intent = (toolCallId: string, atMs = 1) => ({
  toolCallId,
  toolName: "write",
  sessionKey: "agent:main:main",
  argumentsText: '{"path":"a.txt"}',
  atMs,
});

/** Several journals on one store, each as a process of its own. */
function createSetting(store?: Store) {
  const clock = createManualClock();
  const shared = store ?? createMemoryStore({ clock });
  const alive = new Set<string>();
  const problems: string[] = [];
  let keys = 0;
  const random = { hex: (byteCount: number) => `${keys++}`.padStart(byteCount * 2, "0") };
  const start = (name: string) => {
    alive.add(name);
    const owner = { own: name, isDead: (mark: string) => !alive.has(mark) };
    const report = ({ message }: { message: string }) => problems.push(message);
    return createStoreJournal({ store: shared, clock, random, owner, report });
  };
  const kill = (name: string) => alive.delete(name);
  return { clock, store: shared, start, kill, problems };
}

/** The store, with calls that are counted and can be made to fail. */
function watchStore(store: Store) {
  const state = { syncs: 0, failure: undefined as ToolError | undefined };
  const watched: Store = {
    ...store,
    log: {
      ...store.log,
      append: async (...args) => {
        if (state.failure) throw state.failure;
        return store.log.append(...args);
      },
    },
    sync: async () => {
      state.syncs++;
      await store.sync();
    },
  };
  return { watched, state };
}

function watchedSetting() {
  const clock: ManualClock = createManualClock();
  const { watched, state } = watchStore(createMemoryStore({ clock }));
  return { ...createSetting(watched), state };
}

const full = new ToolError("unavailable", "full", { reason: "store_full" });

describe("the journal in a store", () => {
  it("shows a call when it has ended, with its end and its process", async () => {
    const { start } = createSetting();
    const journal = start("one");
    const finish = await journal.intend(intent("call_1"));
    expect(await journal.recent()).toEqual([]);
    await finish({ outcome: "error", atMs: 2 });
    expect(await journal.recent()).toEqual([
      { ...intent("call_1"), owner: "one", end: { outcome: "error", atMs: 2 } },
    ]);
  });

  it("keeps calls without a session, and gives the newest first", async () => {
    const { start } = createSetting();
    const journal = start("one");
    for (const id of ["a", "b", "c"]) {
      const finish = await journal.intend({ ...intent(id), sessionKey: undefined });
      await finish({ outcome: "ok", atMs: 2 });
    }
    const rows = await journal.recent(2);
    expect(rows.map(({ toolCallId }) => toolCallId)).toEqual(["c", "b"]);
    expect(rows[0]?.sessionKey).toBeUndefined();
  });

  it("takes the end of a call once", async () => {
    const { start } = createSetting();
    const journal = start("one");
    const finish = await journal.intend(intent("call_1"));
    await finish({ outcome: "ok", atMs: 2 });
    await finish({ outcome: "interrupted", atMs: 3 });
    expect((await journal.recent()).map(({ end }) => end.outcome)).toEqual(["ok"]);
  });

  it("takes two calls with the same id as two", async () => {
    const { start } = createSetting();
    const journal = start("one");
    const finishes = [await journal.intend(intent("x")), await journal.intend(intent("x"))];
    for (const finish of finishes) await finish({ outcome: "ok", atMs: 2 });
    expect(await journal.recent()).toHaveLength(2);
  });

  it("ends the calls of a process that died as interrupted, and gives them once", async () => {
    const { start, kill, clock } = createSetting();
    const dead = start("dead");
    await dead.intend(intent("open_1"));
    const finish = await dead.intend(intent("ended"));
    await finish({ outcome: "ok", atMs: 2 });
    await dead.intend(intent("open_2"));
    kill("dead");
    clock.advance(500);
    const next = start("next");
    const recovered = await next.recoverInterrupted();
    expect(recovered).toEqual(
      ["open_1", "open_2"].map((id) => ({
        ...intent(id),
        owner: "dead",
        end: { outcome: "interrupted", atMs: 500 },
      })),
    );
    expect(await next.recoverInterrupted()).toEqual([]);
    expect((await next.recent()).map(({ toolCallId, end }) => [toolCallId, end.outcome])).toEqual([
      ["open_2", "interrupted"],
      ["ended", "ok"],
      ["open_1", "interrupted"],
    ]);
  });

  it("leaves the calls of a process that lives, and its own, alone", async () => {
    const { start } = createSetting();
    const other = start("other");
    const finish = await other.intend(intent("running"));
    const next = start("next");
    await next.intend(intent("own"));
    expect(await next.recoverInterrupted()).toEqual([]);
    await finish({ outcome: "ok", atMs: 2 });
    expect((await next.recent()).map(({ toolCallId }) => toolCallId)).toEqual(["running"]);
  });

  it("tells the owner's judge how old a call is", async () => {
    const { start, store, clock } = createSetting();
    await start("one").intend(intent("call_1", 0));
    clock.advance(1_234);
    const ages: number[] = [];
    const owner = {
      own: "two",
      isDead: (_mark: string, ageMs: number) => {
        ages.push(ageMs);
        return false;
      },
    };
    const random = { hex: () => "00" };
    const report = () => undefined;
    await createStoreJournal({ store, clock, random, owner, report }).recoverInterrupted();
    expect(ages).toEqual([1_234]);
  });

  it("gives each interrupted call to one of several that start at once", async () => {
    const { start, kill } = createSetting();
    const dead = start("dead");
    const ids = Array.from({ length: 250 }, (_, index) => `call_${index}`);
    for (const id of ids) await dead.intend(intent(id));
    kill("dead");
    const starters = ["a", "b", "c"].map((name) => start(name));
    const found = await Promise.all(starters.map((journal) => journal.recoverInterrupted()));
    expect(
      found
        .flat()
        .map(({ toolCallId }) => toolCallId)
        .sort(),
    ).toEqual([...ids].sort());
  });

  it("gives every one of more calls than one write takes", async () => {
    const { start, kill } = createSetting();
    const dead = start("dead");
    for (let count = 0; count < 1_201; count++) await dead.intend(intent(`call_${count}`));
    kill("dead");
    const [one, other] = [start("one"), start("other")];
    const found = await Promise.all([one.recoverInterrupted(), other.recoverInterrupted()]);
    const ids = found.flat().map(({ toolCallId }) => toolCallId);
    expect([ids.length, new Set(ids).size]).toEqual([1_201, 1_201]);
    expect(await one.recoverInterrupted()).toEqual([]);
  });

  it("leaves nothing to look for when it is closed, and begins anew afterwards", async () => {
    const { start, kill, store } = createSetting();
    const journal = start("one");
    const marks = async () => (await store.kv.list({ space: "journal.writers" })).entries.length;
    const finish = await journal.intend(intent("a"));
    expect(await marks()).toBe(1);
    await finish({ outcome: "ok", atMs: 2 });
    await journal.close();
    expect(await marks()).toBe(0);
    await journal.intend(intent("b"));
    await journal.close();
    expect(await marks()).toBe(1);
    kill("one");
    const recovered = await start("next").recoverInterrupted();
    expect(recovered.map(({ toolCallId }) => toolCallId)).toEqual(["b"]);
  });

  it("says every hour that it lives, for those who cannot ask", async () => {
    const { start, store, clock } = createSetting();
    const journal = start("one");
    const markedAt = async () => {
      const { entries } = await store.kv.list({ space: "journal.writers" });
      return entries.map(({ value }) => Reflect.get(Object(value), "atMs"));
    };
    await journal.intend(intent("a"));
    clock.advance(59 * 60_000);
    await journal.intend(intent("b"));
    expect(await markedAt()).toEqual([0]);
    clock.advance(60_000);
    await journal.intend(intent("c"));
    expect(await markedAt()).toEqual([60 * 60_000]);
  });

  it("lists interrupted calls of its own root alone, the newest first", async () => {
    const { store, clock } = createSetting();
    const at = (root: string) =>
      createStoreJournal({
        ...{ store, clock, root, report: () => undefined },
        random: { hex: (count) => randomBytes(count).toString("hex") },
        owner: { own: "one", isDead: () => false },
      });
    for (const [root, id] of [
      ["/a", "1"],
      ["/b", "2"],
      ["/a", "3"],
      ["/a", "4"],
    ] as const) {
      const finish = await at(root).intend(intent(id));
      await finish({ outcome: id === "4" ? "ok" : "interrupted", atMs: 2 });
    }
    const ids = async (root: string, limit?: number) =>
      (await at(root).interrupted(limit)).map(({ toolCallId }) => toolCallId);
    expect(await ids("/a")).toEqual(["3", "1"]);
    expect(await ids("/b")).toEqual(["2"]);
    expect(await ids("/a", 1)).toEqual(["3"]);
  });

  it("shows the true end in place of an interruption that was told too early", async () => {
    const { start, kill } = createSetting();
    const thought = start("thought dead");
    const finish = await thought.intend(intent("call_1"));
    kill("thought dead");
    expect(await start("next").recoverInterrupted()).toHaveLength(1);
    await finish({ outcome: "ok", atMs: 9 });
    const outcomes = (await thought.recent()).map(({ end }) => end.outcome);
    expect(outcomes).toEqual(["ok"]);
  });

  it("passes over what is no row of a journal", async () => {
    const { start, store, kill } = createSetting();
    const dead = start("dead");
    await dead.intend(intent("call_1"));
    kill("dead");
    for (const [index, value] of [null, 1, "x", {}, { ...intent("y") }].entries()) {
      await store.kv.put({ space: "journal.writers", key: `strange ${index}`, value });
      await store.log.append({ stream: "journal.calls", records: [value] });
    }
    const next = start("next");
    expect(await next.recoverInterrupted()).toHaveLength(1);
    expect(await next.recent()).toHaveLength(1);
  });
});

describe("the size of the journal in a store", () => {
  const endMany = async (store: Store, count: number) => {
    const begin = { ...intent("old"), key: "k", writer: "w", owner: "o" };
    const end = { ends: "k", end: { outcome: "ok", atMs: 1 } };
    for (let left = count; left > 0; left -= 500) {
      const records = Array.from({ length: Math.min(left, 500) }, () => [begin, end]).flat();
      await store.log.append({ stream: "journal.calls", records });
    }
  };
  const endOne = async (journal: ReturnType<typeof createStoreJournal>) => {
    const finish = await journal.intend(intent("new"));
    await finish({ outcome: "ok", atMs: 2 });
  };

  it(`is at most ${MAX_JOURNAL_ROWS} rows and a few`, async () => {
    const { start, store } = createSetting();
    await endMany(store, MAX_JOURNAL_ROWS + 500);
    await endOne(start("one"));
    const { records } = await store.log.read({ stream: "journal.calls", limit: 1 });
    expect(records[0]?.sequence).toBe(2 * 501 + 1);
  });

  it("holds nothing older than 30 days", async () => {
    expect(MAX_JOURNAL_AGE_MS).toBe(30 * 24 * 60 * 60_000);
    const { start, store, clock } = createSetting();
    await endMany(store, 3);
    clock.advance(MAX_JOURNAL_AGE_MS + 1);
    const journal = start("one");
    await endOne(journal);
    expect((await journal.recent()).map(({ toolCallId }) => toolCallId)).toEqual(["new"]);
  });
});

describe("the journal and the disk", () => {
  it(`syncs once for all ends of ${SYNC_WITHIN_MS} ms, not at each`, async () => {
    const { start, clock, state } = watchedSetting();
    const journal = start("one");
    for (const id of ["a", "b", "c"]) {
      const finish = await journal.intend(intent(id));
      await finish({ outcome: "ok", atMs: 2 });
    }
    expect(state.syncs).toBe(0);
    clock.advance(SYNC_WITHIN_MS - 1);
    expect(state.syncs).toBe(0);
    clock.advance(1);
    expect(state.syncs).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it("syncs at once when it is closed, and leaves no timer", async () => {
    const { start, clock, state } = watchedSetting();
    const journal = start("one");
    const finish = await journal.intend(intent("a"));
    await finish({ outcome: "ok", atMs: 2 });
    await journal.close();
    expect(state.syncs).toBe(1);
    expect(clock.pending()).toBe(0);
    await journal.close();
    expect(state.syncs).toBe(1);
  });

  it("tells of an end that cannot be written, and writes it with the next", async () => {
    const { start, state, problems } = watchedSetting();
    const journal = start("one");
    const finish = await journal.intend(intent("lost?"));
    state.failure = full;
    await finish({ outcome: "ok", atMs: 2 });
    expect(problems).toEqual(['The end of call "lost?" could not be written yet.']);
    state.failure = undefined;
    const next = await journal.intend(intent("next"));
    await next({ outcome: "ok", atMs: 3 });
    const ids = (await journal.recent()).map(({ toolCallId }) => toolCallId);
    expect(ids.sort()).toEqual(["lost?", "next"]);
  });

  it("refuses a call whose intent cannot be written", async () => {
    const { store } = createSetting();
    const { start } = createSetting({
      ...store,
      kv: { ...store.kv, put: async () => Promise.reject(full) },
    });
    await expect(start("one").intend(intent("a"))).rejects.toBe(full);
  });
});
