// Claims about `gateway` and `cron`, called by an agent inside a running gateway.

import { expect, it } from "vitest";
import { cron } from "../../src/tools/cron/index.js";
import { gateway as gatewayTool } from "../../src/tools/gateway/index.js";
import { startGateway } from "../gateway/start-gateway.js";

const MAIN = "agent:main:main";

async function startAsAgent(config: Record<string, unknown> = {}) {
  const agents = { defaults: { model: "debug/echo" } };
  const started = await startGateway({ config: { agents, ...config }, canRestart: true });
  const { gateway } = started;
  const view = gateway.services.agents.toolkit().forCaller({ owner: true, sessionKey: MAIN });
  let count = 0;
  const call = async (name: string, args: Record<string, unknown>) =>
    await view.invoke({ id: `c${++count}`, name, arguments: args });
  const notices = async (from = gateway) => {
    const { records } = await from.services.store.log.read({ stream: `inbox:${MAIN}` });
    return JSON.stringify(records.map(({ value }) => value));
  };
  return { ...started, call, notices };
}

const propertiesOf = ({ parameters }: { readonly parameters: object }) =>
  Object.keys(Reflect.get(parameters, "properties"));

it("330 332 · update.run runs the command, restarts, and wakes the session with the note", async () => {
  const { gateway, root, stateDir, call, notices } = await startAsAgent({
    update: { command: "echo updated" },
  });
  const args = { action: "update.run", note: "new version", restartDelayMs: 0 };
  expect((await call("gateway", args)).details).toMatchObject({
    result: { ok: true, result: { status: "ok", output: "updated\n" }, restart: { ok: true } },
  });
  expect(await gateway.closed).toMatchObject({ restart: true });
  const { gateway: next } = await startGateway({ root, stateDir });
  expect(await notices(next)).toMatch(/update: ok\. The gateway has restarted\.\\nnew version/);
});

it("330 · an update whose caller leaves goes on, and its outcome is told", async () => {
  const { gateway, notices } = await startAsAgent({ update: { command: "sleep 1; exit 3" } });
  const gone = new AbortController();
  const params = { sessionKey: "main", note: "later" };
  const call = gateway.call("update.run", params, { signal: gone.signal });
  gone.abort();
  await call;
  await expect.poll(notices).toMatch(/The update failed: exit code 3/);
});

it("330 · an update that fails restarts nothing, and wakes the session", async () => {
  const { call, notices } = await startAsAgent({ update: { command: "exit 3" } });
  expect((await call("gateway", { action: "update.run" })).details).toMatchObject({
    result: { ok: false, restart: null },
  });
  await expect.poll(notices).toMatch(/The update failed/);
});

it("325 331 336 · restart in the process of the gateway waits 2,000 ms unless delayMs says else", async () => {
  const { gateway, call } = await startAsAgent({ commands: { restart: true } });
  const usual = await call("gateway", { action: "restart", reason: "test" });
  expect(usual.details).toMatchObject({ ok: true, delayMs: 2_000, mode: "in-place" });
  // No connection was opened for it.
  expect(gateway.services.connections.count).toBe(0);
  const soon = await call("gateway", { action: "restart", delayMs: 0 });
  expect(soon.details).toMatchObject({ ok: true });
  expect(await gateway.closed).toMatchObject({ restart: true });
});

it("324 332 · both tools have the documented parameters", () => {
  const wire = ["gatewayUrl", "gatewayToken", "timeoutMs"];
  expect(propertiesOf(cron)).toEqual(expect.arrayContaining([...wire, "contextMessages"]));
  const own = ["reason", "raw", "baseHash", "sessionKey", "note", "restartDelayMs", "delayMs"];
  expect(propertiesOf(gatewayTool)).toEqual(expect.arrayContaining([...wire, ...own]));
});

it("324 · cron sends no token of this gateway to another one", async () => {
  const { call } = await startAsAgent();
  const result = await call("cron", { action: "list", gatewayUrl: "ws://127.0.0.1:1" });
  expect(result.details).toMatchObject({ reason: "gateway_token_missing" });
});

it("323 · cron add appends up to ten recent messages to the text of an event", async () => {
  const { gateway, call } = await startAsAgent();
  await gateway.call("agent", { message: "feed the ducks", idempotencyKey: "one" });
  await gateway.call("agent.wait", { runId: "one" });
  const payload = { kind: "systemEvent", text: "Remember" };
  const job = { name: "ducks", schedule: { kind: "every", everyMs: 60_000 }, payload };
  await call("cron", { action: "add", job, contextMessages: 10 });
  const list = JSON.stringify(await gateway.call("cron.list"));
  expect(list).toContain("- User: feed the ducks\\n- Assistant: You said: feed the ducks");
  const many = await call("cron", { action: "add", job, contextMessages: 11 });
  expect(JSON.stringify(many.content)).toContain("contextMessages");
  expect(many.isError).toBe(true);
});
