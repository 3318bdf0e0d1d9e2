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
