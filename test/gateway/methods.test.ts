// Methods through the front door: a real gateway, a real socket, raw frames.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GATEWAY_TOKEN_FILE } from "../../src/config/index.js";
import { METHODS } from "../../src/gateway/index.js";
import { openClient } from "./client.js";
import { startGateway } from "./start-gateway.js";

it("answers a method over the socket and in the process alike", async () => {
  const { gateway, operator } = await startGateway();
  const client = await operator({ scopes: ["operator.read"] });
  const overSocket = await client.request("agents.list");
  expect(overSocket.ok).toBe(true);
  expect(overSocket.payload).toEqual(await gateway.call("agents.list"));
});

it("says which method is unknown, which scope is missing, and which parameter is wrong", async () => {
  const { operator } = await startGateway();
  const client = await operator({ scopes: ["operator.read"] });
  const unknown = await client.request("no.such");
  expect(unknown.error).toMatchObject({
    code: "INVALID_REQUEST",
    message: "unknown method: no.such",
  });
  const missing = await client.request("tools.invoke", { name: "read" });
  expect(missing.error).toMatchObject({
    code: "FORBIDDEN",
    message: "missing scope: operator.write",
    details: { code: "MISSING_SCOPE", missingScope: "operator.write" },
  });
  const wrong = await client.request("logs.tail", { limit: "many" });
  expect(wrong.error?.message).toMatch(/^invalid logs\.tail params: at limit: /);
  const ignored = await client.request("health", { toString: 1, unknownField: true });
  expect(ignored.ok).toBe(true);
});

it("lists every method of the table in the hello", async () => {
  const { gateway, token } = await startGateway();
  const client = openClient(gateway.url);
  await client.next(({ event }) => event === "connect.challenge");
  const info = { id: "cli", version: "1", platform: "linux", mode: "cli" };
  const params = { minProtocol: 3, maxProtocol: 4, client: info, auth: { token } };
  const hello = await client.request("connect", params);
  const names = METHODS.map(({ name }) => name).sort();
  expect(hello.payload).toMatchObject({ protocol: 4, features: { methods: names } });
  client.close();
});

it("numbers the events of each connection, and says goodbye before it ends them", async () => {
  const { gateway, operator } = await startGateway();
  const first = await operator();
  gateway.services.events.emit("health", {});
  const second = await operator();
  gateway.services.events.emit("health", {});
  await second.next(({ event }) => event === "health");
  await gateway.close();
  for (const client of [first, second]) {
    expect(await client.closed).toEqual({ code: 1012, reason: "service restart" });
    const events = client.frames.filter(({ type, seq }) => type === "event" && seq !== undefined);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({
      event: "shutdown",
      payload: { reason: "gateway stopping" },
    });
  }
  expect(first.frames.filter(({ event }) => event === "health")).toHaveLength(2);
  expect(second.frames.filter(({ event }) => event === "health")).toHaveLength(1);
});

it("makes its token at the first start, for its user alone, and keeps it", async () => {
  const first = await startGateway();
  const file = join(first.stateDir, GATEWAY_TOKEN_FILE);
  expect(existsSync(file)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8").trim()).toBe(first.token);
  await first.gateway.close();
  const second = await startGateway({ stateDir: first.stateDir });
  expect(second.token).toBe(first.token);
});

it("health and status count sessions and describe heartbeats", async () => {
  const heartbeat = { every: "30m" };
  const config = { agents: { defaults: { model: "debug/echo", heartbeat } } };
  const { gateway } = await startGateway({ config });
  await gateway.call("agent", { message: "hello", idempotencyKey: "one" });
  await gateway.call("agent.wait", { runId: "one" });
  const sessions = { count: 1, recent: [{ key: "agent:main:main", age: expect.any(Number) }] };
  const facts = { enabled: true, every: "30m", everyMs: 1_800_000 };
  const agent = { agentId: "main", heartbeat: facts, sessions };
  expect(await gateway.call("health")).toMatchObject({
    ...{ heartbeatSeconds: 1_800, sessions, agents: [agent] },
  });
  expect(await gateway.call("status")).toMatchObject({
    heartbeat: { agents: [{ agentId: "main", ...facts }] },
    sessions: { ...sessions, defaults: { model: "debug/echo" } },
  });
});
