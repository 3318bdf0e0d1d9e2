// A session that failed never blocks the next message: store faults, models that are gone, messages that
// are too large together, slow runs, and more sessions than are kept in memory.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Store, ToolError } from "../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";
import { makeFolder, startAgent } from "./agent-setting.js";

const never = new Promise(() => undefined);

/** Waits are short; the time limit of a run stays. */
const fastClock = {
  now: () => Date.now(),
  after(delayMs: number, work: () => void) {
    const timer = setTimeout(work, delayMs > 60 * 60_000 ? delayMs : 0);
    return () => clearTimeout(timer);
  },
};

async function openStore() {
  const folder = await makeFolder();
  const clock = createSystemClock();
  const sqlite = createSqliteStore({ folder, clock, random: createSystemRandom() });
  onTestFinished(() => sqlite.close());
  return sqlite;
}

it("a message whose session could not be read is answered when the store works again", async () => {
  const sqlite = await openStore();
  let faults = 0;
  const store: Store = {
    ...sqlite,
    log: {
      ...sqlite.log,
      async read(request) {
        if (!request.stream.startsWith("inbox:") || faults === 0) return sqlite.log.read(request);
        faults -= 1;
        throw new ToolError("unavailable", "The disk is gone.");
      },
    },
  };
  const { agent } = await startAgent({
    script: () => ({ text: "Here." }),
    options: { store, clock: fastClock },
  });
  expect(await agent.send("one")).toMatchObject({ state: "done" });
  faults = 4;
  await expect(agent.send({ message: "two", runId: "second" })).rejects.toThrow("disk is gone");
  await expect.poll(() => agent.run("second")).toMatchObject({ state: "done", reply: "Here." });
  expect(faults).toBe(0);
});

it("a session whose model is gone refuses a message, and takes the next one with another", async () => {
  const { agent } = await startAgent({ options: { model: "debug/parrot-1" } });
  const { entries } = agent.sessionStore;
  await entries.open("agent:main:main");
  await entries.change("agent:main:main", (entry) => ({ ...entry, modelOverride: "gone/none" }));
  await expect(agent.send("lost")).rejects.toMatchObject({ reason: "model_unknown" });
  expect(await agent.send({ message: "kept", model: null })).toMatchObject({ reply: "kept" });
  const history = await agent.sessions.as({}).history({});
  expect(JSON.stringify(history)).not.toContain("lost");
});

it("large messages that wait are taken one after the other, and one that is too large is refused", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { agent, connector } = await startAgent({
    script: (_request, index) => ({ text: `answer ${index}`, ...(index === 0 && { until: held }) }),
  });
  const image = (size: number) => [
    { type: "image" as const, data: "A".repeat(size), mimeType: "image/png" },
  ];
  const first = await agent.start({ message: "busy" });
  await expect.poll(() => connector.requests.length).toBe(1);
  const large = [1, 2].map(() => agent.start({ message: image(9_000_000) }));
  const waiting = await Promise.all(large);
  release();
  for (const { ended } of [first, ...waiting]) expect(await ended).toMatchObject({ state: "done" });
  await expect(agent.send({ message: image(16_000_000) })).rejects.toMatchObject({
    reason: "message_too_long",
    message: expect.stringContaining("the limit is 15 MB"),
  });
});

it("a run ends when its time is over, also while the model is silent", async () => {
  const script = () => ({ text: "slow", until: never });
  const limited = await startAgent({ script, options: { limits: { wallMs: 20 } } });
  expect(await limited.agent.send("go")).toMatchObject({ state: "timed_out" });
  const configured = await startAgent({
    script: (_request, index) => (index === 0 ? script() : { text: "quick" }),
    options: { config: { agents: { defaults: { timeoutSeconds: 1 } } } },
  });
  expect(await configured.agent.send("go")).toMatchObject({ state: "timed_out" });
  expect(await configured.agent.send("again")).toMatchObject({ state: "done", reply: "quick" });
});

it("sixty sessions that run at once can all be stopped", async () => {
  const { agent } = await startAgent({
    script: () => ({ text: "slow", until: never }),
    options: { config: { agents: { defaults: { maxConcurrent: 100 } } } },
  });
  const keys = Array.from({ length: 60 }, (_, index) => `s${index}`);
  const runs = await Promise.all(
    keys.map((sessionKey) => agent.start({ message: "go", sessionKey })),
  );
  for (const { runId, sessionKey } of runs)
    await expect.poll(() => agent.running(sessionKey)).toBe(runId);
  for (const key of keys) expect(agent.abort(key)).toBe(true);
  const rows = await Promise.all(runs.map(({ ended }) => ended));
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["cancelled"]));
});

it("cancel ends a run that waits, and leaves the one before it", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { agent, connector } = await startAgent({
    script: [{ text: "first", until: held }, { text: "third" }],
    options: { queueMode: "followup" },
  });
  const first = await agent.start({ message: "one" });
  await expect.poll(() => connector.requests.length).toBe(1);
  const second = await agent.start({ message: "two" });
  const third = await agent.start({ message: "three" });
  expect(await agent.cancel(second.runId)).toBe(true);
  expect(await agent.cancel(second.runId)).toBe(false);
  release();
  expect(await second.ended).toMatchObject({ state: "cancelled" });
  expect(await first.ended).toMatchObject({ state: "done", reply: "first" });
  expect(await third.ended).toMatchObject({ state: "done", reply: "third" });
});

it("the prompt of a session stays the same until it is reset", async () => {
  const folder = await makeFolder();
  const file = join(folder, "AGENTS.md");
  writeFileSync(file, "Rule one.");
  const { agent } = await startAgent({
    options: { model: "debug/sys-echo-1", workspace: folder },
  });
  expect((await agent.send("a")).reply).toContain("Rule one.");
  writeFileSync(file, "Rule two.");
  expect((await agent.send("b")).reply).toContain("Rule one.");
  await agent.reset("main");
  expect((await agent.send("c")).reply).toContain("Rule two.");
});
