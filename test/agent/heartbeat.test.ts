// Heartbeats and wakes: a turn of its own, when something waits or the interval is over.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Script } from "../../src/connectors/index.js";
import { createHeartbeat } from "../../src/gateway/heartbeat.js";
import { createManualClock } from "../fakes/manual-clock.js";
import { startAgent } from "./agent-setting.js";

const LIMIT_MS = 240_000;
const MINUTE_MS = 60_000;

async function startHeartbeat(script: Script, heartbeat: object = {}, more: object = {}) {
  const config = { agents: { defaults: { heartbeat: { every: "30m", ...heartbeat } } } };
  const setting = await startAgent({ script, options: { config, ...more } });
  const clock = createManualClock();
  const beat = createHeartbeat({
    ...{ agent: setting.agent, clock, config: () => config },
    agents: { list: () => [{ id: "main", isDefault: true, workspace: setting.folder }] },
    report: (message) => {
      throw new Error(message);
    },
  });
  const texts = async () => {
    const { messages } = await setting.agent.sessions.as({ sessionKey: "main" }).history({});
    return messages.map(({ content }) => content.map(({ text }) => text).join());
  };
  /** Until the end of so many runs was seen. */
  const ends = (count: number) =>
    expect
      .poll(() => setting.events.filter(({ type }) => type === "end").length, { timeout: LIMIT_MS })
      .toBe(count);
  return { ...setting, beat, clock, texts, ends };
}

it("at its interval the main session gets a turn that reads HEARTBEAT.md and what waits", async () => {
  const { folder, agent, clock, beat, ends, connector, texts } = await startHeartbeat([
    { calls: [{ name: "read", arguments: { path: "HEARTBEAT.md" } }] },
    { text: "The plants are dry." },
  ]);
  await writeFile(join(folder, "HEARTBEAT.md"), "Look after the plants.");
  await agent.notify("main", "a node has left");
  clock.advance(29 * MINUTE_MS);
  expect(connector.requests).toHaveLength(0);
  clock.advance(MINUTE_MS);
  await ends(1);
  const [asked] = await texts();
  expect(asked).toMatch(/\[System event\]\na node has left.*Read HEARTBEAT.md/s);
  expect(JSON.stringify(connector.requests[1]?.context.messages)).toContain(
    "Look after the plants",
  );
  expect(beat.last()).toMatchObject({ agentId: "main", status: "done" });
  clock.advance(30 * MINUTE_MS);
  await ends(2);
});

it("HEARTBEAT_OK is not delivered, and compaction drops the heartbeat", async () => {
  const posts: string[] = [];
  const post = ({ text }: { text: string }) => {
    posts.push(text);
    return [];
  };
  const { agent, clock, beat, ends, connector } = await startHeartbeat(
    ({ context }) => {
      const text = JSON.stringify(context.messages.at(-1));
      return { text: text.includes("Heartbeat.") ? "HEARTBEAT_OK" : "answer" };
    },
    { target: "telegram" },
    { post },
  );
  clock.advance(30 * MINUTE_MS);
  await ends(1);
  await expect.poll(() => beat.last()?.status, { timeout: LIMIT_MS }).toBe("ok-token");
  expect(posts).toEqual([]);
  await agent.send("one");
  await agent.send("two");
  expect(await agent.compact("main")).toBe(true);
  const summarized = JSON.stringify(connector.requests.at(-1)?.context.messages);
  expect(summarized).toContain("one");
  expect(summarized).not.toContain("HEARTBEAT_OK");
});

it.each([
  ["none", undefined],
  ["last", undefined],
  ["telegram", 'not posted: the channel "telegram" is not connected'],
])("target %s: the heartbeat says what became of its reply", async (target, delivery) => {
  const { clock, beat, ends } = await startHeartbeat([{ text: "The plants are dry." }], { target });
  clock.advance(30 * MINUTE_MS);
  await ends(1);
  await expect.poll(() => beat.last()?.status, { timeout: LIMIT_MS }).toBe("done");
  expect(beat.last()?.delivery).toBe(delivery);
});

it("target: a channel that is connected gets the reply, once", async () => {
  const posts: unknown[] = [];
  const post = (given: unknown) => {
    posts.push(given);
    return [];
  };
  const { clock, beat, ends } = await startHeartbeat(
    [{ text: "The plants are dry." }],
    { target: "telegram" },
    { post },
  );
  clock.advance(30 * MINUTE_MS);
  await ends(1);
  await expect.poll(() => beat.last()?.delivery, { timeout: LIMIT_MS }).toBe("handed to telegram");
  const sessionKey = "agent:main:main";
  const route = { channel: "telegram" };
  expect(posts).toEqual([
    { id: expect.any(String), sessionKey, route, text: "The plants are dry." },
  ]);
});

it("321 · a wake during a run gets a turn of its own after it, and several get one", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { agent, beat, ends, texts, connector } = await startHeartbeat((_request, index) => ({
    ...(index === 0 && { until: held }),
    text: `answer ${index}`,
  }));
  const asked = await agent.start({ message: "question" });
  await expect.poll(() => connector.requests.length, { timeout: LIMIT_MS }).toBe(1);
  for (const event of ["the build is red", "the build is green"]) {
    await agent.notify("main", event);
    await beat.wakeNow("main");
  }
  release();
  expect((await asked.ended).reply).toBe("answer 0");
  await ends(2);
  const all = await texts();
  expect(all).toHaveLength(4);
  expect(all[2]).toMatch(/the build is red.*the build is green.*Heartbeat\./s);
  expect(all[2]?.split("Heartbeat.")).toHaveLength(2);
});
