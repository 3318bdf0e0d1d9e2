// The tools `gateway` and `agents_list`: what an agent may ask of a gateway, and which agents it may start.

import { createToolkit } from "clawtools";
import { expect, it, onTestFinished } from "vitest";
import type { Gateway, GatewayCall } from "../../src/core/server.js";
import { makeFolder, startGateway } from "./start-gateway.js";

/** A toolkit whose gateway is a real one in this process, with its calls written down. */
async function createSetting(config: Record<string, unknown> = {}) {
  const { gateway } = await startGateway({ config });
  const calls: GatewayCall[] = [];
  const port: Gateway = {
    configHashes: new Map(),
    async call(request) {
      calls.push(request);
      return await gateway.call(request.method, request.params);
    },
    close: () => Promise.resolve(),
  };
  const toolkit = createToolkit({ root: makeFolder(), config, stateDir: false, owner: true });
  onTestFinished(() => toolkit.close());
  toolkit.attach({ gateway: port });
  let count = 0;
  const call = async (args: Record<string, unknown>, name = "gateway") =>
    await toolkit.invoke({ id: `c${++count}`, name, arguments: args });
  return { calls, call };
}

it("327 · reads the config and its schema", async () => {
  const { call } = await createSetting();
  const { details } = await call({ action: "config.get" });
  expect(details).toMatchObject({ ok: true, result: { hash: expect.any(String) } });
  expect((await call({ action: "config.schema" })).details).toMatchObject({ ok: true });
});

it("326 · refuses a restart unless commands.restart is true", async () => {
  const { call, calls } = await createSetting();
  expect((await call({ action: "restart" })).details).toMatchObject({
    code: "denied",
    reason: "restart_disabled",
  });
  expect(calls).toEqual([]);
});

it("333 · refuses a change without a hash, and one of a key that is not on the list", async () => {
  const { call, calls } = await createSetting();
  const raw = '{ tools: { deny: null, profile: "full" } }';
  expect((await call({ action: "config.patch", raw })).details).toMatchObject({
    reason: "base_hash_missing",
  });
  await call({ action: "config.get" });
  expect((await call({ action: "config.patch", raw })).details).toMatchObject({
    code: "denied",
    reason: "config_key_denied",
    keys: ["tools"],
  });
  const auth = await call({
    action: "config.patch",
    raw: '{ gateway: { auth: { mode: "none" } } }',
  });
  expect(auth.details).toMatchObject({ reason: "config_key_denied" });
  expect(calls.map(({ method }) => method)).not.toContain("config.patch");
});

it("refuses text that the gateway would fill in, and takes what was there and what is escaped", async () => {
  const heartbeat = { prompt: `Ask \${OWNER}.` };
  const config = { agents: { defaults: { heartbeat }, list: [{ id: "main", name: "m" }] } };
  const { call, calls } = await createSetting(config);
  await call({ action: "config.get" });
  const defaults = (inner: unknown) => ({ agents: { defaults: { heartbeat: inner } } });
  for (const patch of [
    defaults({ prompt: `\${GW_TOKEN}` }),
    defaults({ prompt: `Ask \${OWNER}. \${GW_TOKEN}` }),
    defaults({ prompt: null, source: "env", id: "GW_TOKEN" }),
    { agents: { list: [{ id: "main", name: `$x\${GW_TOKEN}` }] } },
    { messages: { ackReaction: { source: "env", provider: "default", id: "GW_TOKEN" } } },
    { messages: { queue: { $include: "/etc/passwd" } } },
    { agents: { defaults: { model: { fallbacks: ["a/b", `\${GW_TOKEN}`] } } } },
  ]) {
    const refused = await call({ action: "config.patch", raw: JSON.stringify(patch) });
    expect(refused.details, JSON.stringify(patch)).toMatchObject({
      code: "denied",
      reason: "config_reference_denied",
    });
  }
  const whole = { ...config, messages: { ackReaction: `\${GW_TOKEN}` } };
  const applied = await call({ action: "config.apply", raw: JSON.stringify(whole) });
  expect(applied.details).toMatchObject({ reason: "config_reference_denied" });
  const sent = () => calls.filter(({ method }) => method === "config.patch").length;
  expect(sent()).toBe(0);
  for (const patch of [defaults({ ...heartbeat, every: "30m" }), defaults({ prompt: `$\${HOME}` })])
    await call({ action: "config.patch", raw: JSON.stringify(patch) });
  expect(sent()).toBe(2);
});

it("329 · sends an allowed change with the hash of the last config.get of this session", async () => {
  const { call, calls } = await createSetting();
  const read = await call({ action: "config.get" });
  const raw = '{ messages: { ackReaction: "ok" } }';
  await call({ action: "config.patch", raw, note: "done" });
  const sent = calls.find(({ method }) => method === "config.patch");
  const { hash } = Object(Reflect.get(Object(read.details), "result"));
  expect(sent?.params).toMatchObject({ raw, note: "done", baseHash: hash });
});

it("335 · needs a token for another gateway", async () => {
  const { call, calls } = await createSetting();
  const given = { action: "config.get", gatewayUrl: "ws://127.0.0.1:1" };
  expect((await call(given)).details).toMatchObject({ reason: "gateway_token_missing" });
  expect(calls).toEqual([]);
});

it.each([
  [undefined, { requester: "main", allowAny: false, agents: [{ id: "main", configured: false }] }],
  [
    ["zoe", "Ann"],
    {
      requester: "main",
      allowAny: false,
      agents: [
        { id: "main", configured: false },
        { id: "ann", name: "Ann A.", configured: true },
        { id: "zoe", configured: false },
      ],
    },
  ],
  [
    ["*"],
    {
      requester: "main",
      allowAny: true,
      agents: [
        { id: "main", configured: false },
        { id: "ann", name: "Ann A.", configured: true },
      ],
    },
  ],
])("356 357 390 · agents_list with allowAgents %j", async (allowAgents, wanted) => {
  const defaults = allowAgents === undefined ? {} : { subagents: { allowAgents } };
  const list = allowAgents === undefined ? [] : [{ id: "ann", name: "Ann A." }];
  const toolkit = createToolkit({
    root: makeFolder(),
    config: { agents: { defaults, list } },
    stateDir: false,
    agentId: "main",
  });
  onTestFinished(() => toolkit.close());
  const request = { id: "c1", name: "agents_list", arguments: {} };
  expect((await toolkit.invoke(request)).details).toMatchObject(wanted);
});
