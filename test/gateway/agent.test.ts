// Conversations over the gateway: a real socket, the events as the protocol describes them.

import sharp from "sharp";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { type ModelServer, startModelServer } from "../fakes/model-server/index.js";
import type { Frame } from "./client.js";
import { assertFits } from "./protocol-oracle.js";
import { startGateway } from "./start-gateway.js";

const config = { agents: { defaults: { model: "debug/parrot-1" } } };

afterEach(() => void vi.unstubAllEnvs());

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** One model of a mock server; its id is the scenario. */
const mockConfig = (server: ModelServer, scenario: string) => ({
  models: {
    providers: {
      mock: {
        baseUrl: server.baseUrl("chat"),
        apiKey: "sk-test-0123456789abcdef",
        api: "openai-completions",
        models: [{ id: scenario, input: ["text" as const, "image" as const] }],
      },
    },
  },
  agents: { defaults: { model: `mock/${scenario}` } },
});

const payloadsOf = (frames: readonly Frame[], event: string) =>
  frames.flatMap((frame) => (frame.event === event ? [frame.payload] : []));

it("agent answers when it has accepted and again with the reply", async () => {
  const { operator } = await startGateway({ config });
  const client = await operator();
  const params = { message: "hello", idempotencyKey: "run-1", timeout: 60 };
  client.send({ type: "req", id: "a", method: "agent", params });
  const answers = await client
    .next(({ id, payload }) => id === "a" && JSON.stringify(payload).includes('"ok"'))
    .then(() => client.frames.filter(({ id }) => id === "a"));
  expect(answers.map(({ payload }) => payload)).toMatchObject([
    { runId: "run-1", sessionKey: "agent:main:main", agentId: "main", status: "accepted" },
    {
      runId: "run-1",
      status: "ok",
      summary: "completed",
      result: { payloads: [{ text: "hello" }] },
    },
  ]);
  for (const payload of payloadsOf(client.frames, "agent")) assertFits("AgentEvent", payload);
  for (const payload of payloadsOf(client.frames, "chat")) assertFits("ChatEvent", payload);
  const phases = JSON.stringify(payloadsOf(client.frames, "agent"));
  for (const phase of ["start", "model", "finishing", "end"])
    expect(phases).toContain(`"phase":"${phase}"`);
});

it("a failed run answers a second time with an error and a payload", async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const { operator } = await startGateway({ config: mockConfig(server, "bad-key") });
  const client = await operator();
  const params = { message: "hello", idempotencyKey: "run-2" };
  client.send({ type: "req", id: "b", method: "agent", params });
  const failed = await client.next(({ id, ok }) => id === "b" && ok === false);
  expect(failed).toMatchObject({
    error: { code: "UNAVAILABLE", message: expect.any(String) },
    payload: { runId: "run-2", status: "error", summary: failed.error?.message },
  });
  expect(payloadsOf(client.frames, "chat").at(-1)).toMatchObject({ state: "error" });
});

it("chat events begin with the phases of the start", async () => {
  const { operator } = await startGateway({ config });
  const client = await operator();
  const params = { sessionKey: "main", message: "hi", idempotencyKey: "c2" };
  await client.request("chat.send", params);
  await client.next(
    ({ event, payload }) => event === "chat" && JSON.stringify(payload).includes('"final"'),
  );
  const chat = payloadsOf(client.frames, "chat");
  for (const payload of chat) assertFits("ChatEvent", payload);
  expect(chat.slice(0, 2)).toMatchObject([
    { state: "status", phase: "preparing_context" },
    { state: "status", phase: "starting_model" },
  ]);
});

it.each(["agent", "chat.send"])("%s sends images and text files to the model", async (method) => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const { operator, gateway } = await startGateway({ config: mockConfig(server, "text") });
  const client = await operator();
  const attachments = [
    { fileName: "dot.png", mimeType: "image/png", content: PIXEL },
    { fileName: "notes.txt", mimeType: "text/plain", content: btoa("buy milk") },
  ];
  const params = { sessionKey: "main", message: "see", idempotencyKey: "i1", attachments };
  client.send({ type: "req", id: "c", method, params });
  await client.next(({ id }) => id === "c");
  await gateway.call("agent.wait", { runId: "i1" });
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  expect(sent).toContain(`data:image/png;base64,${PIXEL}`);
  expect(sent).toContain("File notes.txt:\\n\\nbuy milk");
  const bad = { ...params, idempotencyKey: "i2", attachments: [{ content: "%%%" }] };
  expect(await client.request(method, bad)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining("attachment 1") },
  });
});

it("agent with the same idempotency key joins the first run", async () => {
  const { gateway } = await startGateway({ config });
  const params = { message: "once", idempotencyKey: "same" };
  const [one, two] = await Promise.all([
    gateway.call("agent", params),
    gateway.call("agent", params),
  ]);
  expect(two).toEqual(one);
  const history = await gateway.call("chat.history", { sessionKey: "main" });
  expect(history).toMatchObject({ messages: [{ role: "user" }, { role: "assistant" }] });
});

it.each(["agent", "chat.send"])(
  "%s refuses a used idempotency key with other parameters, also after a restart",
  async (method) => {
    const { gateway, root, stateDir } = await startGateway({ config });
    const params = { sessionKey: "main", message: "first", idempotencyKey: "used" };
    await gateway.call(method, params);
    await gateway.call("agent.wait", { runId: "used" });
    await gateway.close();
    const { gateway: next } = await startGateway({ config, root, stateDir });
    const refused = { code: "conflict", reason: "idempotency_mismatch" };
    for (const other of [{ message: "second" }, { sessionKey: "other" }]) {
      await expect(next.call(method, { ...params, ...other })).rejects.toMatchObject(refused);
    }
    expect(await next.call(method, params)).toMatchObject({ runId: "used" });
    const history = await next.call("chat.history", { sessionKey: "main" });
    expect(history).toMatchObject({ messages: [{ role: "user" }, { role: "assistant" }] });
  },
);

it("two messages at the same moment with one idempotency key: one runs, one is refused", async () => {
  const { gateway } = await startGateway({ config });
  const send = (message: string) =>
    gateway.call("agent", { message, sessionKey: "race", idempotencyKey: "race" });
  const ends = await Promise.allSettled([send("one"), send("two")]);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

it("refuses an agentId that disagrees with the session key", async () => {
  const list = [{ id: "main", default: true }, { id: "two" }, { id: "three" }];
  const { gateway } = await startGateway({ config: { agents: { ...config.agents, list } } });
  const both = { agentId: "two", sessionKey: "agent:three:main" };
  const calls = [
    ["agent", { ...both, message: "x" }],
    ["chat.send", { ...both, message: "x", idempotencyKey: "k" }],
    ["chat.history", both],
    ["tools.invoke", { ...both, name: "read", args: { path: "x" } }],
    ["wake", { ...both, text: "x" }],
  ] as const;
  for (const [method, params] of calls) {
    await expect(gateway.call(method, params)).rejects.toThrow(
      'sessionKey names the agent "three", but agentId is "two". Send only one of them.',
    );
  }
  const same = { message: "x", agentId: "TWO", sessionKey: "agent:two:main" };
  expect(await gateway.call("agent", same)).toMatchObject({ status: "ok" });
});

it("chat.send streams to the client and chat.history has the messages", async () => {
  const { operator } = await startGateway({ config });
  const client = await operator();
  const started = await client.request("chat.send", {
    sessionKey: "main",
    message: "hi",
    idempotencyKey: "c1",
  });
  expect(started.payload).toEqual({ runId: "c1", status: "started" });
  await client.next(
    ({ event, payload }) => event === "chat" && JSON.stringify(payload).includes('"final"'),
  );
  const history = await client.request("chat.history", { sessionKey: "main" });
  expect(history.payload).toMatchObject({
    sessionKey: "agent:main:main",
    messages: [
      { role: "user", content: [{ type: "text", text: "hi" }] },
      { role: "assistant", content: [{ type: "text", text: "hi" }] },
    ],
  });
});

it("sessions can be listed, labelled, found, reset and deleted", async () => {
  const { gateway } = await startGateway({ config });
  await gateway.call("agent", { message: "one", sessionKey: "work", idempotencyKey: "k1" });
  const patched = await gateway.call("sessions.patch", { key: "work", label: "Job" });
  expect(patched).toMatchObject({ ok: true, key: "agent:main:work" });
  expect(await gateway.call("sessions.resolve", { label: "Job" })).toMatchObject({
    key: "agent:main:work",
  });
  expect(await gateway.call("sessions.list", {})).toMatchObject({
    count: 1,
    sessions: [{ label: "Job" }],
  });
  await gateway.call("sessions.reset", { key: "work" });
  expect(await gateway.call("chat.history", { sessionKey: "work" })).toMatchObject({
    messages: [],
  });
  expect(await gateway.call("sessions.delete", { key: "work" })).toMatchObject({ deleted: true });
  expect(await gateway.call("sessions.list", {})).toMatchObject({ count: 0 });
});

it("a run that fails answers with an error, and the session takes the next message", async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const { gateway } = await startGateway({ config: mockConfig(server, "bad-key") });
  const refused = gateway.call("agent", { message: "x", model: "nobody/none" });
  await expect(refused).rejects.toThrow("nobody");
  await expect(gateway.call("agent", { message: "x" })).rejects.toMatchObject({
    reason: "run_failed",
  });
  const next = await gateway.call("agent", { message: "y", model: "debug/parrot-1" });
  expect(next).toMatchObject({ status: "ok", result: { payloads: [{ text: "y" }] } });
});

it("chat.abort with a runId ends a message that waits, and leaves the run before it", async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const { gateway } = await startGateway({
    config: { ...mockConfig(server, "stall"), messages: { queue: { mode: "followup" } } },
  });
  const sessionKey = "main";
  for (const idempotencyKey of ["w1", "w2"])
    await gateway.call("chat.send", { sessionKey, message: idempotencyKey, idempotencyKey });
  await expect.poll(() => server.requests.length).toBe(1);
  const elsewhere = await gateway.call("chat.abort", { sessionKey: "other", runId: "w2" });
  expect(elsewhere).toEqual({ ok: true, aborted: false, runIds: [] });
  const stopped = { ok: true, aborted: true, runIds: ["w2"] };
  expect(await gateway.call("chat.abort", { sessionKey, runId: "w2" })).toEqual(stopped);
  expect(await gateway.call("agent.wait", { runId: "w2" })).toMatchObject({ status: "error" });
  const first = await gateway.call("chat.abort", { sessionKey });
  expect(first).toEqual({ ok: true, aborted: true, runIds: ["w1"] });
});

it("large images are made smaller, and what is not an image is refused before it is stored", async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const { gateway } = await startGateway({ config: mockConfig(server, "text") });
  const noise = {
    create: { width: 4_000, height: 1_000, channels: 3, background: "red" },
  } as const;
  const picture = await sharp(noise).png().toBuffer();
  const attach = (bytes: Buffer) => [
    { fileName: "a.png", mimeType: "image/png", content: bytes.toString("base64") },
  ];
  await gateway.call("agent", { message: "see", attachments: attach(picture) });
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  const [, data = ""] = /data:image\/\w+;base64,([^"]+)/.exec(sent) ?? [];
  const { width } = await sharp(Buffer.from(data, "base64")).metadata();
  expect(width).toBe(1_568);
  const broken = gateway.call("agent", { message: "see", attachments: attach(Buffer.from("x")) });
  await expect(broken).rejects.toMatchObject({ reason: "attachment_invalid" });
});

it("says that a model is configured when only a key in the environment names one", async () => {
  const read = async () => {
    const { operator } = await startGateway();
    const hello = (await operator()).frames.find(({ ok }) => ok === true);
    return hello?.payload;
  };
  const flag = (modelConfigured: boolean) => ({
    snapshot: { sessionDefaults: { modelConfigured } },
  });
  for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"])
    vi.stubEnv(name, "");
  expect(await read()).toMatchObject(flag(false));
  vi.stubEnv("OPENAI_API_KEY", "sk-test-0123456789");
  expect(await read()).toMatchObject(flag(true));
});

it("models.list names the models that can be chosen", async () => {
  const { gateway } = await startGateway({ config });
  const listed = await gateway.call("models.list");
  assertFits("ModelsListResult", listed);
  expect(JSON.stringify(listed)).toContain("parrot-1");
});

it("sessions.create opens a session with its first message, and refuses what it cannot do", async () => {
  const { gateway } = await startGateway({ config });
  const made = await gateway.call("sessions.create", {
    ...{ label: "Trip", model: "debug/upper-parrot-1", message: "pack", idempotencyKey: "n1" },
  });
  assertFits("SessionsCreateResult", made);
  expect(made).toMatchObject({ runStarted: true, runId: "n1" });
  await gateway.call("agent.wait", { runId: "n1" });
  const sessionKey = (made as { key: string }).key;
  expect(sessionKey).toMatch(/^agent:main:chat:[0-9a-f]{16}$/);
  expect(await gateway.call("chat.history", { sessionKey })).toMatchObject({
    messages: [{ role: "user" }, { role: "assistant", content: [{ text: "PACK" }] }],
  });
  const empty = await gateway.call("sessions.create", { key: "work" });
  expect(empty).toMatchObject({ key: "agent:main:work", runStarted: false });
  const limited = gateway.call("sessions.create", { permissionMode: "read-only", message: "x" });
  await expect(limited).rejects.toThrow("does not support permissionMode");
});

it("agent.identity.get gives the configured name of an agent", async () => {
  const list = [{ id: "main", default: true, name: "Clawd" }, { id: "two" }];
  const { gateway } = await startGateway({ config: { agents: { ...config.agents, list } } });
  const own = await gateway.call("agent.identity.get", { sessionKey: "main" });
  assertFits("AgentIdentityResult", own);
  expect(own).toEqual({ agentId: "main", name: "Clawd", nameSource: "config" });
  expect(await gateway.call("agent.identity.get", { agentId: "two" })).toEqual({
    ...{ agentId: "two", name: "clawtools", nameSource: "default" },
  });
});

it("models.list with the view `configured` leaves out models without a key", async () => {
  for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN"]) vi.stubEnv(name, "");
  const { gateway } = await startGateway({ config });
  const read = async (params: object) => JSON.stringify(await gateway.call("models.list", params));
  expect(await read({})).toContain('"anthropic"');
  const configured = await read({ view: "configured" });
  expect(configured).toContain("parrot-1");
  expect(configured).not.toContain('"anthropic"');
});
