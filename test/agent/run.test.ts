// A run from the message to its end, through `createAgent` with a real toolkit and store.

import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";
import { countingTool, makeFolder, startAgent } from "./agent-setting.js";

it("send answers with the text of the model", async () => {
  const { agent, events } = await startAgent({ script: [{ text: "Hello." }] });
  const row = await agent.send("Hi");
  expect(row).toMatchObject({
    state: "done",
    reply: "Hello.",
    kind: "input",
    sessionKey: "agent:main:main",
  });
  expect(events.map(({ type }) => type)).toEqual([
    "message",
    "start",
    "model",
    "text",
    "message",
    "end",
  ]);
});

it("a run calls tools until the model answers without a call", async () => {
  const { tool, calls } = countingTool("say");
  const { agent, connector } = await startAgent({
    tools: [tool],
    script: [
      {
        calls: [
          { name: "say", arguments: { text: "a" } },
          { name: "say", arguments: { text: "b" } },
        ],
      },
      { text: "Done." },
    ],
  });
  const row = await agent.send("Say a and b");
  expect(row).toMatchObject({ state: "done", reply: "Done." });
  expect(calls.sort()).toEqual(["a", "b"]);
  const sent = connector.requests[1]?.context.messages ?? [];
  expect(sent.map(({ role }) => role)).toEqual([
    "user",
    "user",
    "assistant",
    "toolResult",
    "toolResult",
  ]);
  expect(JSON.stringify(sent.at(-1))).toContain("said b");
});

it("a second process goes on with the conversation", async () => {
  const first = await startAgent({ script: [{ text: "One." }] });
  await first.agent.send("First");
  await first.close();
  const second = await startAgent({ script: [{ text: "Two." }], folder: first.folder });
  await second.agent.send("Second");
  const texts = JSON.stringify(second.connector.requests[0]?.context.messages);
  expect(texts).toContain("First");
  expect(texts).toContain("One.");
});

it("a waiter hears of the end after the listeners, also when the disk is slow", async () => {
  const sqlite = createSqliteStore({
    ...{ folder: await makeFolder(), clock: createSystemClock(), random: createSystemRandom() },
  });
  onTestFinished(() => sqlite.close());
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The end of a run is the one write that waits for the disk.
  const store: Store = {
    ...sqlite,
    async transact(operations, options) {
      const done = await sqlite.transact(operations, options);
      if (options?.durability === "disk") await held;
      return done;
    },
  };
  const { agent, events } = await startAgent({ script: [{ text: "Hello." }], options: { store } });
  const { runId } = await agent.start({ message: "Hi" });
  await expect.poll(() => agent.run(runId)).toMatchObject({ state: "done" });
  const waited = agent.wait(runId).then(() => events.at(-1)?.type);
  await Promise.race([waited, delay(100)]);
  release();
  expect(await waited).toBe("end");
});

it.each([
  ["left out for a model that is declared without them", ["text" as const], false],
  ["sent to a model that sees", ["text" as const, "image" as const], true],
])("images are %s, whichever connector it has", async (_title, input, isSent) => {
  const { agent, connector } = await startAgent({
    script: () => ({ text: "ok" }),
    descriptor: { input },
  });
  const image = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };
  await agent.send({ message: [{ type: "text", text: "look" }, image] });
  const sent = JSON.stringify(connector.requests[0]?.context.messages);
  expect(sent.includes("iVBORw0KGgo=")).toBe(isSent);
  expect(sent.includes("this model does not accept images")).toBe(!isSent);
});
