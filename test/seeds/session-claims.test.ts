// Claims about the session tools, called through a toolkit with an agent and without a gateway.

import { expect, it } from "vitest";
import { startAgent } from "../agent/agent-setting.js";

const LIMIT_MS = 240_000;

async function startTools() {
  const setting = await startAgent({
    script: (request) => ({ text: `answer ${request.context.messages.length}` }),
  });
  const view = setting.toolkit.forCaller({ sessionKey: "agent:main:main" });
  let count = 0;
  const call = async (name: string, args: Record<string, unknown>) => {
    count += 1;
    const result = await view.invoke({ id: `call-${count}`, name, arguments: args });
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    return JSON.stringify([result.content, result.details]);
  };
  await setting.agent.send("hello");
  await setting.agent.send({ message: "hi", sessionKey: "cron:job-1" });
  await setting.agent.send({ message: "hey", sessionKey: "other" });
  return { ...setting, call };
}

it("337 338 339 340 355 · sessions_list takes kinds, limit, activeMinutes and messageLimit", async () => {
  const { call, agent } = await startTools();
  for (const key of ["global", "unknown"]) await agent.sessionStore.entries.open(key);
  const all = await call("sessions_list", {});
  for (const name of ["main", "agent:main:cron:job-1", "agent:main:other"]) {
    expect(all).toContain(name);
  }
  expect(all).toContain('"count":3');
  expect(all).not.toContain("answer");
  expect(await call("sessions_list", { messageLimit: 0 })).not.toContain("answer");
  const crons = await call("sessions_list", { kinds: ["cron"], messageLimit: 1 });
  expect(crons).toContain("cron:job-1");
  expect(crons).toContain("answer");
  expect(crons).not.toContain("agent:main:other");
  await call("sessions_list", { limit: 10_000, activeMinutes: 1, messageLimit: 1_000 });
  // Limits are clamped, not refused.
  expect(await call("sessions_list", { limit: 0, messageLimit: -1 })).toContain('"count":1');
  await call("sessions_history", { sessionKey: "main", limit: 0 });
  await call("sessions_history", { sessionKey: "main", limit: 10_000 });
});

it("341 · sessions_history takes a key or an id", async () => {
  const { call, agent } = await startTools();
  const found = await agent.sessionStore.entries.open("agent:main:other");
  const byKey = await call("sessions_history", { sessionKey: "agent:main:other", limit: 1 });
  expect(byKey).toContain("answer");
  expect(byKey).not.toContain("hey");
  await agent.send({ message: `the key is sk-${"a1".repeat(20)}`, sessionKey: "other" });
  expect(await call("sessions_history", { sessionKey: "agent:main:other" })).toMatch(
    /the key is \[redacted\]/,
  );
  expect(await call("sessions_list", { messageLimit: 2 })).not.toContain("a1a1a1a1a1");
  const byId = await call("sessions_history", {
    sessionKey: found.entry.sessionId,
    includeTools: true,
  });
  expect(byId).toContain("hey");
});

it("342 343 344 345 · sessions_send by key, id or label waits for the reply, or does not", async () => {
  const { call, agent } = await startTools();
  const caller = agent.sessions.as({ sessionKey: "main" });
  await caller.patch({ session: "agent:main:other" }, { label: "helper" });
  const { entry } = await agent.sessionStore.entries.open("agent:main:other");
  for (const target of [
    { sessionKey: "agent:main:other" },
    { sessionId: entry.sessionId },
    { label: "helper", agentId: "main" },
  ]) {
    const sent = await call("sessions_send", { ...target, message: "now", timeoutSeconds: 60 });
    expect(sent).toMatch(/status.{1,8}ok/);
    expect(sent).toContain("answer");
  }
  const accepted = await call("sessions_send", {
    ...{ sessionKey: "agent:main:other", message: "later", timeoutSeconds: 0 },
  });
  expect(accepted).toMatch(/status.{1,8}accepted/);
  expect(accepted).toMatch(/pending/);
  const far = { sessionKey: "agent:main:other", message: "now", timeoutSeconds: 1_000_000 };
  expect(await call("sessions_send", far)).toMatch(/status.{1,8}ok/);
});

it("349 350 351 352 · sessions_spawn is accepted at once and reports to the requester", async () => {
  const { call, agent } = await startTools();
  const spawned = await call("sessions_spawn", {
    ...{ task: "count", label: "counter", agentId: "main", model: "scripted/test" },
    ...{ thinking: "low", timeoutSeconds: 60, cleanup: "keep" },
  });
  expect(spawned).toMatch(/status.{1,8}accepted/);
  expect(spawned).toContain("agent:main:subagent:");
  const caller = agent.sessions.as({ sessionKey: "main" });
  await expect
    .poll(async () => JSON.stringify(await caller.history({})), { timeout: LIMIT_MS })
    .toMatch(/Sub-agent .{1,5}counter.{1,5} completed/);
});

it("353 · session_status shows this session, sets a model and clears it with `default`", async () => {
  const { call, agent } = await startTools();
  expect(await call("session_status", {})).toContain("Session: main");
  const other = { sessionKey: "agent:main:other", model: "scripted/test" };
  expect(await call("session_status", other)).toMatch(/Model: scripted\/test \(override\)/);
  const model = async () =>
    (await agent.sessionStore.entries.open("agent:main:other")).entry.modelOverride;
  expect(await model()).toBe("scripted/test");
  await call("session_status", { sessionKey: "agent:main:other", model: "default" });
  expect(await model()).toBeUndefined();
});
