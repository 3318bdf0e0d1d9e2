// What becomes of sub-agents whose parent is killed or deleted, and input that the session tools refuse.

import { expect, it } from "vitest";
import { startAgent } from "./agent-setting.js";

const LIMIT_MS = 240_000;
const NESTED = { agents: { defaults: { subagents: { maxSpawnDepth: 2 } } } };
const forever = new Promise(() => undefined);

it("354 · killing a sub-agent ends everything it had started, and says so", async () => {
  const { agent, connector } = await startAgent({
    script: (request) =>
      JSON.stringify(request.context.messages.at(-1)).includes("was cancelled")
        ? { text: "noted" }
        : { text: "working", until: forever },
    options: { config: NESTED },
  });
  const main = agent.sessions.as({ sessionKey: "main" });
  const parent = await main.spawn({ task: "lead" });
  const child = await agent.sessions
    .as({ sessionKey: parent.childSessionKey })
    .spawn({ task: "help" });
  await expect
    .poll(() => agent.running(child.childSessionKey), { timeout: LIMIT_MS })
    .toBe(child.runId);
  expect(await main.kill(parent.runId)).toMatchObject([
    { runId: parent.runId, state: "cancelled", error: "killed by its requester" },
    { runId: child.runId, state: "cancelled", error: "killed by its requester" },
  ]);
  await expect
    .poll(async () => JSON.stringify(await main.history({})), { timeout: LIMIT_MS })
    .toMatch(/Sub-agent .{1,5}lead.{1,5} was cancelled.*noted/);
  // The parent is not woken again by the end of its child.
  expect(connector.requests).toHaveLength(3);
  expect(agent.running(parent.childSessionKey)).toBeUndefined();
});

it("sub-agents of a deleted session go on, and report to the main session", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { agent } = await startAgent({
    script: (request) =>
      JSON.stringify(request.context.messages.at(-1)).includes("count")
        ? { text: "42 files", until: held }
        : { text: "noted" },
  });
  await agent.send({ message: "hello", sessionKey: "work" });
  const { runId, childSessionKey } = await agent.sessions
    .as({ sessionKey: "work" })
    .spawn({ task: "count" });
  await expect.poll(() => agent.running(childSessionKey), { timeout: LIMIT_MS }).toBe(runId);
  await agent.delete("work");
  release();
  const main = agent.sessions.as({ sessionKey: "main" });
  await expect
    .poll(async () => JSON.stringify(await main.history({})), { timeout: LIMIT_MS })
    .toMatch(/completed.*Session agent:main:work, which asked for it, was deleted.*42 files/);
});

const tools = [
  ["own session", "sessions_send", { sessionKey: "main", message: "hi" }, "Name another session"],
  [
    ...["a label that two sessions share", "sessions_send", { label: "twin", message: "hi" }],
    /2 sessions have the label "twin": .*Use a session key/,
  ],
  [
    ...["a task of 1 MB", "sessions_spawn", { task: "x".repeat(1_048_576) }],
    /the limit is 200000.*Put it into a file/,
  ],
  [
    ...["a thinking level", "sessions_spawn", { task: "x", thinking: "galaxy" }],
    /"galaxy" is not a thinking level. Use one of: off, minimal/,
  ],
  ["an empty task", "sessions_spawn", { task: " " }, "The task is empty"],
  ["no target", "sessions_send", { message: "hi" }, "Either sessionKey or label is required"],
  [
    ...["two targets", "sessions_send", { sessionKey: "a", label: "b", message: "hi" }],
    "Provide either sessionKey or label (not both)",
  ],
  [
    ...["an unknown session", "sessions_send", { sessionKey: "nope", message: "hi" }],
    /No session is known as "nope".*sessions_list/,
  ],
] as const;

it("refuses bad input of the session tools with a sentence and the fix", async () => {
  const { agent, toolkit } = await startAgent({ script: () => ({ text: "ok" }) });
  for (const session of ["one", "two"]) {
    await agent.send({ message: "hi", sessionKey: session });
    await agent.sessions
      .as({ sessionKey: "main" })
      .patch({ session: `agent:main:${session}` }, { label: "twin" });
  }
  const view = toolkit.forCaller({ sessionKey: "agent:main:main" });
  for (const [title, name, args, expected] of tools) {
    const { isError, content } = await view.invoke({ id: title, name, arguments: args });
    expect(isError, title).toBe(true);
    const [block] = content;
    const { error: text } = JSON.parse(block?.type === "text" ? block.text : "{}");
    if (typeof expected === "string") expect(text, title).toContain(expected);
    else expect(text, title).toMatch(expected);
    expect(text.length, title).toBeLessThan(300);
  }
});
