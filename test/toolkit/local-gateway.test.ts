// Outside the gateway's process, tools that need it reach the one of the state folder.

import { createToolkit } from "clawtools";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, startGateway } from "../gateway/start-gateway.js";
import { textOf } from "./start-toolkit.js";

function open(stateDir: string, port: number) {
  const config = { gateway: { port } };
  const toolkit = createToolkit({ root: makeFolder(), stateDir, config, owner: true });
  onTestFinished(() => toolkit.close());
  const read = () =>
    toolkit.invoke({ id: "c1", name: "gateway", arguments: { action: "config.get" } });
  return { toolkit, read };
}

test("334 · a toolkit calls the gateway of its state folder, and says when it has stopped", async () => {
  const { gateway, stateDir } = await startGateway();
  const { toolkit, read } = open(stateDir, gateway.port);
  expect(toolkit.explain("gateway")).toMatchObject({ status: "present", code: "ready" });
  expect((await read()).details).toMatchObject({ ok: true, result: { hash: expect.any(String) } });
  await gateway.close();
  const late = await read();
  expect(late.details).toMatchObject({ code: "unavailable", reason: "gateway_not_running" });
  expect(textOf(late)).toContain("clawtools gateway");
});

test("without a gateway in the state folder the tools are absent and say why", async () => {
  const { toolkit, read } = open(makeFolder(), 1);
  expect(toolkit.explain("gateway")).toMatchObject({
    status: "absent",
    code: "not_attached",
    reason: expect.stringContaining("clawtools gateway"),
  });
  expect((await read()).details).toMatchObject({ reason: "not_attached" });
});

test("inside the gateway a change is based on the last config.get", async () => {
  const { gateway } = await startGateway();
  const toolkit = gateway.services.agents.toolkit().forCaller({ owner: true });
  const call = (args: Record<string, unknown>) =>
    toolkit.invoke({ id: "c1", name: "gateway", arguments: args });
  const change = { action: "config.patch", raw: '{ messages: { ackReaction: "ok" } }' };
  expect((await call(change)).details).toMatchObject({ reason: "base_hash_missing" });
  await call({ action: "config.get" });
  expect((await call(change)).details).not.toMatchObject({ reason: "base_hash_missing" });
});

test("inside the gateway gatewayUrl reaches the other gateway", async () => {
  const { gateway } = await startGateway();
  const config = { messages: { ackReaction: "other" } };
  const { gateway: other, token } = await startGateway({ config });
  const toolkit = gateway.services.agents.toolkit().forCaller({ owner: true });
  const call = (args: Record<string, unknown>) =>
    toolkit.invoke({ id: "c1", name: "gateway", arguments: { action: "config.get", ...args } });
  const there = await call({ gatewayUrl: other.url, gatewayToken: token });
  expect(textOf(there)).toContain("other");
  expect(textOf(await call({}))).not.toContain("other");
  const wrong = await call({ gatewayUrl: other.url, gatewayToken: gateway.auth.secret });
  expect(textOf(wrong)).toContain("gateway token mismatch");
});

test("session tools of another process run in the gateway", async () => {
  const config = { agents: { defaults: { model: "debug/echo" } } };
  const { gateway, stateDir } = await startGateway({ config });
  const { toolkit } = open(stateDir, gateway.port);
  let count = 0;
  const call = (name: string, args: Record<string, unknown>) =>
    toolkit.invoke({ id: `c${++count}`, name, arguments: args });
  expect(toolkit.explain("sessions_list")).toMatchObject({ status: "present", code: "ready" });
  for (const sessionKey of ["main", "helper"]) {
    await gateway.call("agent", { message: "hello", sessionKey, idempotencyKey: sessionKey });
    await gateway.call("agent.wait", { runId: sessionKey });
  }
  expect(textOf(await call("sessions_list", {}))).toContain("agent:main:helper");
  const sent = await call("sessions_send", { sessionKey: "helper", message: "now" });
  expect(textOf(sent)).toMatch(/"status": "ok".*You said: .*now/s);
  const refused = await call("sessions_send", { sessionKey: "nobody", message: "now" });
  expect(refused.details).toMatchObject({ code: "not_found", reason: "session_unknown" });
  expect(textOf(refused)).toContain('No session is known as \\"nobody\\". List them with');
  await gateway.close();
  expect((await call("sessions_list", {})).details).toMatchObject({
    reason: "gateway_not_running",
  });
});

test("a second agent has the session tools before its first run", async () => {
  const list = [{ id: "main", default: true }, { id: "ann" }];
  const { gateway } = await startGateway({ config: { agents: { list } } });
  const call = { name: "session_status", args: {}, agentId: "ann" };
  expect(JSON.stringify(await gateway.call("tools.invoke", call))).not.toContain("not_attached");
});
