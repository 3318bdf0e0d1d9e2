// Agents among agents through the sessions port: messages, sub-agents, what a caller may see.

import { createClawtools } from "clawtools";
import { expect, it } from "vitest";
import type { ScriptedRequest } from "../../src/connectors/index.js";
import { startAgent } from "./agent-setting.js";

const { signal } = new AbortController();
const lastText = ({ context }: ScriptedRequest) => JSON.stringify(context.messages.at(-1));

it("342, 345 · send gives the reply of that run, and announces one that comes late", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { agent } = await startAgent({
    script: (request) =>
      lastText(request).includes("slowly") ? { text: "late", until: held } : { text: "quick" },
  });
  await agent.send({ message: "hello", sessionKey: "other" });
  const caller = agent.sessions.as({ sessionKey: "main" });
  const target = { session: "agent:main:other" };
  const quick = await caller.send({ target, message: "now", timeoutMs: 30_000, signal });
  expect(quick).toMatchObject({ status: "ok", reply: "quick" });
  const slow = await caller.send({ target, message: "slowly", timeoutMs: 1, signal });
  expect(slow).toMatchObject({ status: "accepted" });
  release();
  await agent.wait(slow.runId);
  await expect.poll(async () => JSON.stringify(await caller.history({}))).toContain("late");
  const history = JSON.stringify((await caller.history({ limit: 500 })).messages);
  expect(history.split("late")).toHaveLength(2);
});

it("351, 352 · spawn is accepted at once, and its end arrives in the requester's session", async () => {
  const { agent } = await startAgent({
    script: (request) => ({ text: lastText(request).includes("count") ? "42 files" : "noted" }),
  });
  const caller = agent.sessions.as({ sessionKey: "main" });
  const spawned = await caller.spawn({ task: "count the files", label: "counter" });
  expect(spawned.childSessionKey).toMatch(/^agent:main:subagent:/);
  expect(await agent.wait(spawned.runId)).toMatchObject({ state: "done", reply: "42 files" });
  await expect
    .poll(async () => JSON.stringify((await caller.history({})).messages))
    .toContain("42 files");
  expect(await caller.subagents()).toMatchObject([
    { runId: spawned.runId, label: "counter", state: "done" },
  ]);
});

it("limits of sub-agents hold: depth, children, own tree", async () => {
  const { agent } = await startAgent({
    script: () => ({ text: "never", until: new Promise(() => undefined) }),
    options: {
      config: { agents: { defaults: { subagents: { maxChildrenPerAgent: 1, maxSpawnDepth: 1 } } } },
    },
  });
  const caller = agent.sessions.as({ sessionKey: "main" });
  const { runId, childSessionKey } = await caller.spawn({ task: "wait" });
  await expect(caller.spawn({ task: "more" })).rejects.toMatchObject({
    reason: "too_many_children",
  });
  const child = agent.sessions.as({ sessionKey: childSessionKey });
  await expect(child.spawn({ task: "deeper" })).rejects.toMatchObject({ reason: "spawn_depth" });
  await expect(child.kill(runId)).rejects.toMatchObject({ reason: "run_unknown" });
  await expect.poll(() => agent.running(childSessionKey)).toBe(runId);
  expect(await caller.kill(runId)).toMatchObject([{ runId, state: "cancelled" }]);
});

it("349 · calls made at once cannot pass the limit of children together", async () => {
  const { agent, toolkit } = await startAgent({
    script: () => ({ text: "never", until: new Promise(() => undefined) }),
    options: { config: { agents: { defaults: { subagents: { maxChildrenPerAgent: 2 } } } } },
  });
  const view = toolkit.forCaller({ sessionKey: "agent:main:main" });
  const results = await Promise.all(
    ["a", "b", "c", "d", "e", "f"].map((id) =>
      view.invoke({ id, name: "sessions_spawn", arguments: { task: id } }),
    ),
  );
  expect(results.filter(({ isError }) => !isError)).toHaveLength(2);
  const { sessions } = await agent.sessions.as({ sessionKey: "main" }).list();
  expect(sessions.filter(({ key }) => key.includes("subagent"))).toHaveLength(2);
});

it("349 · a sub-agent without runTimeoutSeconds has the time limit of the config", async () => {
  const { agent, toolkit } = await startAgent({
    script: () => ({ text: "never", until: new Promise(() => undefined) }),
    options: { config: { agents: { defaults: { subagents: { runTimeoutSeconds: 0.05 } } } } },
  });
  const view = toolkit.forCaller({ sessionKey: "agent:main:main" });
  const request = { id: "a", name: "sessions_spawn", arguments: { task: "wait" } };
  const { details } = await view.invoke(request);
  const { runId } = details as { runId: string };
  expect(await agent.wait(runId)).toMatchObject({ state: "timed_out" });
});

it("21 · the chat that a call came from is the route of its session, and gets the result", async () => {
  const posts: unknown[] = [];
  const { agent } = await startAgent({
    script: (request) => ({
      text: lastText(request).includes("completed") ? "Here are your files." : "42 files",
    }),
    options: {
      post(post) {
        posts.push(post);
        return [];
      },
    },
  });
  const tool = createClawtools().tools.resolve("sessions_spawn", {
    ...{ sessionKey: "agent:main:work", agentId: "main", sessions: agent.sessions },
    ...{ messageChannel: "telegram", agentAccountId: "bot-2" },
  });
  const spawned = await tool?.execute("call_1", { task: "count the files" });
  const { runId } = Object(spawned?.details) as { runId: string };
  await agent.wait(runId);
  await expect
    .poll(() => posts)
    .toEqual([
      {
        ...{ id: expect.any(String), sessionKey: "agent:main:work", text: "Here are your files." },
        route: { channel: "telegram", accountId: "bot-2" },
      },
    ]);
  const caller = agent.sessions.as({ sessionKey: "agent:main:work" });
  expect(await caller.status()).toMatchObject({ channel: "telegram" });
});

it("a run that takes too long is timed out, and says so to its requester", async () => {
  const { agent } = await startAgent({
    script: (request, index) =>
      index === 0
        ? { text: "x", until: new Promise(() => undefined) }
        : { text: lastText(request) },
  });
  const caller = agent.sessions.as({ sessionKey: "main" });
  const { runId } = await caller.spawn({ task: "wait", runTimeoutMs: 20 });
  expect(await agent.wait(runId)).toMatchObject({ state: "timed_out" });
  await expect
    .poll(async () => JSON.stringify((await caller.history({})).messages))
    .toContain("timed out");
});

it("what a caller may not see is refused and counted with the setting that hides it", async () => {
  const { agent } = await startAgent({
    script: () => ({ text: "ok" }),
    options: { config: { tools: { sessions: { visibility: "tree" } } } },
  });
  await agent.send({ message: "private", sessionKey: "diary" });
  await agent.send({ message: "hi", sessionKey: "main" });
  const caller = agent.sessions.as({ sessionKey: "main" });
  const list = await caller.list();
  expect(list.sessions.map(({ key }) => key)).toEqual(["main"]);
  expect(list.hidden).toMatchObject({
    count: 1,
    reason: expect.stringContaining("tools.sessions.visibility"),
  });
  await expect(caller.history({ session: "diary" })).rejects.toMatchObject({ code: "denied" });
  await expect(
    caller.send({ target: { session: "main" }, message: "me", timeoutMs: 0, signal }),
  ).rejects.toMatchObject({
    reason: "own_session",
  });
});

it("labels that two sessions share are refused with their keys", async () => {
  const { agent } = await startAgent({ script: () => ({ text: "ok" }) });
  const caller = agent.sessions.as({ sessionKey: "main" });
  for (const session of ["one", "two"]) {
    await agent.send({ message: "hi", sessionKey: session });
    await caller.patch({ session: `agent:main:${session}` }, { label: "twin" });
  }
  await expect(caller.status({ label: "twin" })).rejects.toThrow("2 sessions have the label");
  // Those that the caller may not see do not count.
  const sandboxed = agent.sessions.as({ sessionKey: "main", sandboxed: true });
  await expect(sandboxed.status({ label: "twin" })).rejects.toMatchObject({
    reason: "session_not_visible",
  });
  const { childSessionKey } = await sandboxed.spawn({ task: "hi", label: "twin" });
  expect(await sandboxed.status({ label: "twin" })).toMatchObject({ key: childSessionKey });
});

it("reset begins again, and a system event goes with the next message", async () => {
  const { agent, connector } = await startAgent({ script: () => ({ text: "ok" }) });
  await agent.send("before");
  await agent.reset("main");
  await agent.notify("main", "a command has ended");
  await agent.send("after");
  const sent = JSON.stringify(connector.requests.at(-1)?.context.messages);
  expect(sent).not.toContain("before");
  expect(sent).toContain("[System event]\\na command has ended");
});

it("a list shows what another process has changed since the last one", async () => {
  const first = await startAgent({ script: () => ({ text: "ok" }) });
  const second = await startAgent({ folder: first.folder, script: () => ({ text: "ok" }) });
  const list = async () => (await first.agent.sessions.as({ sessionKey: "main" }).list()).sessions;
  await first.agent.send({ message: "hi", sessionKey: "one" });
  expect((await list()).map(({ key }) => key)).toEqual(["agent:main:one"]);
  const { entries, ...others } = second.agent.sessionStore;
  await entries.open("agent:main:two");
  await entries.change("agent:main:one", (entry) => ({ ...entry, label: "renamed" }));
  await expect
    .poll(async () => (await list()).map(({ key, label }) => [key, label]).sort())
    .toEqual([
      ["agent:main:one", "renamed"],
      ["agent:main:two", undefined],
    ]);
  await others.delete("agent:main:two");
  await expect.poll(async () => (await list()).length).toBe(1);
});
