// A run from the message to its end, through `createAgent` with a real toolkit and store.

import { expect, it } from "vitest";
import { countingTool, startAgent } from "./agent-setting.js";

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
