// What agents send each other arrives, however many messages wait, and when calls and sessions end at
// the same moment.

import { expect, it, onTestFinished } from "vitest";
import type { ScriptedRequest } from "../../src/connectors/index.js";
import type { Store } from "../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";
import { makeFolder, startAgent } from "./agent-setting.js";

const LIMIT_MS = 240_000;
const SENDERS = 25;
const { signal } = new AbortController();
const lastText = ({ context }: ScriptedRequest) => JSON.stringify(context.messages.at(-1));

function hold() {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release: () => release() };
}

it.each(["steer", "collect"] as const)(
  "more messages from sessions than messages.queue.cap all arrive under `%s`",
  async (queueMode) => {
    const { held, release } = hold();
    const { agent, connector } = await startAgent({
      script: (_request, index) => ({ text: "read", ...(index === 0 && { until: held }) }),
      options: { queueMode, config: { messages: { queue: { cap: 5, debounceMs: 1 } } } },
    });
    const busy = await agent.start({ message: "busy", sessionKey: "target" });
    await expect.poll(() => connector.requests.length, { timeout: LIMIT_MS }).toBe(1);
    const target = { session: "agent:main:target" };
    for (let index = 0; index < SENDERS; index += 1) {
      const sender = agent.sessions.as({ sessionKey: `sender-${index}` });
      await sender.send({ target, message: `note <${index}>`, timeoutMs: 0, signal });
      await agent.notify(target.session, `event <${index}>`);
    }
    release();
    await busy.ended;
    const reader = agent.sessions.as({ sessionKey: target.session });
    const read = async () => JSON.stringify(await reader.history({ limit: 500 }));
    await expect
      .poll(async () => (await read()).split("note <").length, { timeout: LIMIT_MS })
      .toBe(SENDERS + 1);
    const history = await read();
    for (let index = 0; index < SENDERS; index += 1) {
      expect(history).toContain(`note <${index}>`);
      expect(history).toContain(`event <${index}>`);
    }
    expect(history).not.toContain("were dropped");
  },
);

it("346 · a reply that comes when its call is aborted is announced", async () => {
  const { agent } = await startAgent({
    script: (request) => ({ text: lastText(request).includes("question") ? "answer 42" : "noted" }),
  });
  await agent.send({ message: "hello", sessionKey: "other" });
  const control = new AbortController();
  agent.on(({ type, sessionKey }) => {
    if (type === "end" && sessionKey === "agent:main:other") control.abort(new Error("stopped"));
  });
  const main = agent.sessions.as({ sessionKey: "main" });
  const target = { session: "agent:main:other" };
  const request = { target, message: "question", timeoutMs: LIMIT_MS, signal: control.signal };
  await expect(main.send(request)).rejects.toThrow();
  await expect
    .poll(async () => JSON.stringify(await main.history({})), { timeout: LIMIT_MS })
    .toMatch(/Message to agent:main:other completed.*answer 42/);
});

it("349 · cleanup deletes the session of a sub-agent when it has answered all that waited", async () => {
  const { held, release } = hold();
  const { agent } = await startAgent({
    script(request) {
      const text = lastText(request);
      return text.includes("late word") || text.includes("quick")
        ? { text: "said" }
        : { text: "done", until: held };
    },
    options: { queueMode: "followup" },
  });
  const main = agent.sessions.as({ sessionKey: "main" });
  const quick = await main.spawn({ task: "quick", cleanup: "delete" });
  const exists = async (key: string) => (await agent.sessionStore.entries.get(key)) !== undefined;
  await expect.poll(() => exists(quick.childSessionKey), { timeout: LIMIT_MS }).toBe(false);
  expect(await agent.wait(quick.runId)).toMatchObject({ state: "done", reply: "said" });

  const slow = await main.spawn({ task: "slow", cleanup: "delete" });
  await expect
    .poll(() => agent.running(slow.childSessionKey), { timeout: LIMIT_MS })
    .toBe(slow.runId);
  const other = agent.sessions.as({ sessionKey: "other" });
  const target = { session: slow.childSessionKey };
  const { runId } = await other.send({ target, message: "late word", timeoutMs: 0, signal });
  release();
  expect(await agent.wait(slow.runId)).toMatchObject({ state: "done", reply: "done" });
  expect(await agent.wait(runId)).toMatchObject({ state: "done", reply: "said" });
  await expect.poll(() => exists(slow.childSessionKey), { timeout: LIMIT_MS }).toBe(false);
});

it("a kill between the end of a run and its cleanup leaves no session", async () => {
  const [clock, random] = [createSystemClock(), createSystemRandom()];
  const store = createSqliteStore({ folder: await makeFolder(), clock, random });
  onTestFinished(() => store.close());
  let isKilled = false;
  const unlessKilled = async <T>(work: () => Promise<T>) => {
    if (isKilled) throw new Error("killed");
    return await work();
  };
  const mortal: Store = {
    ...store,
    transact: (...given) => unlessKilled(() => store.transact(...given)),
    kv: { ...store.kv, delete: (...given) => unlessKilled(() => store.kv.delete(...given)) },
  };
  const first = await startAgent({ script: () => ({ text: "hi" }), options: { store: mortal } });
  first.agent.on(({ type, sessionKey }) => {
    isKilled ||= type === "end" && sessionKey.includes(":subagent:");
  });
  const main = first.agent.sessions.as({ sessionKey: "main" });
  const { childSessionKey } = await main.spawn({ task: "quick", cleanup: "delete" });
  await expect.poll(() => isKilled, { timeout: LIMIT_MS }).toBe(true);
  await first.close();
  expect(await first.agent.sessionStore.entries.get(childSessionKey)).toBeDefined();

  const { agent } = await startAgent({ script: () => ({ text: "hi" }), options: { store } });
  const exists = async () => (await agent.sessionStore.entries.get(childSessionKey)) !== undefined;
  await expect.poll(exists, { timeout: LIMIT_MS }).toBe(false);
});

it("a wait for a run that is not known any more does not keep its session from running", async () => {
  const [clock, random] = [createSystemClock(), createSystemRandom()];
  const store = createSqliteStore({ folder: await makeFolder(), clock, random });
  onTestFinished(() => store.close());
  await store.kv.put({ space: "session.waits", key: "agent:main:main/gone", value: true });
  const { agent } = await startAgent({ script: () => ({ text: "hi" }), options: { store } });
  expect(await agent.send("hello")).toMatchObject({ state: "done" });
});
