// The agents over plain HTTP: the interfaces of OpenAI, and hooks.

import { expect, it } from "vitest";
import { startGateway } from "./start-gateway.js";

const agents = { defaults: { model: "debug/echo" } };
const endpoints = { chatCompletions: { enabled: true }, responses: { enabled: true } };
const config = { agents, gateway: { http: { endpoints } } };
const user = (content: unknown) => ({ role: "user", content });
const MAIN = "agent:main:main";

async function start(given: object = config) {
  const { gateway, token } = await startGateway({ config: given });
  const send = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(gateway.httpUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const history = async (sessionKey: string) =>
    JSON.stringify(await gateway.call("chat.history", { sessionKey }));
  return { gateway, send, history };
}

const readJson = async (response: Response) => JSON.parse(await response.text());

/** The data of each event. */
async function readEvents(response: Response): Promise<string[]> {
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data);
}

it("the interfaces of OpenAI and the hooks are not there unless the config asks", async () => {
  const { send } = await start({ agents });
  for (const path of ["/v1/chat/completions", "/v1/responses", "/hooks/agent", "/hooks/wake"]) {
    expect((await send(path, {})).status, path).toBe(404);
  }
  expect((await send("/v1/models")).status).toBe(404);
});

it("they need the token of the gateway", async () => {
  const { send } = await start();
  const wrong = { Authorization: "Bearer wrong" };
  expect((await send("/v1/chat/completions", {}, wrong)).status).toBe(401);
  expect((await send("/v1/responses", {}, wrong)).status).toBe(401);
});

it("models lists the agents", async () => {
  const { send } = await start();
  const { data } = await readJson(await send("/v1/models"));
  const ids = data.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["openclaw", "openclaw/default", "openclaw/main", "clawtools/main"]),
  );
});

it("chat completions answers whole, in a fresh session for each request", async () => {
  const { gateway, send } = await start();
  const body = { model: "openclaw/main", messages: [user("hello")] };
  const answer = await (await send("/v1/chat/completions", body)).json();
  expect(answer).toMatchObject({
    object: "chat.completion",
    model: "openclaw/main",
    choices: [
      { message: { role: "assistant", content: "You said: hello" }, finish_reason: "stop" },
    ],
    usage: { total_tokens: expect.any(Number) },
  });
  await send("/v1/chat/completions", { ...body, model: "clawtools" });
  expect(await gateway.call("sessions.list", {})).toMatchObject({ count: 2 });
});

it("chat completions streams chunks that end with [DONE]", async () => {
  const { send } = await start();
  const response = await send("/v1/chat/completions", {
    model: "openclaw",
    stream: true,
    stream_options: { include_usage: true },
    messages: [user("hello there")],
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const events = await readEvents(response);
  expect(events.at(-1)).toBe("[DONE]");
  const chunks = events.slice(0, -1).map((text) => JSON.parse(text));
  expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(["chat.completion.chunk"]));
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
  expect(text).toBe("You said: hello there");
  expect(chunks.at(-2).choices[0].finish_reason).toBe("stop");
  expect(chunks.at(-1).usage.total_tokens).toEqual(expect.any(Number));
});

it("the user field and the session header pick a session, which hears only what is new", async () => {
  const { send, history } = await start();
  const first = { model: "openclaw", user: "Ada", messages: [user("one")] };
  await send("/v1/chat/completions", first);
  const answered = { role: "assistant", content: "You said: one" };
  const messages = [user("one"), answered, user("two")];
  await send("/v1/chat/completions", { ...first, messages });
  expect((await history("openai-user:ada")).match(/You said: /g)).toHaveLength(2);
  const header = { "x-openclaw-session-key": "work" };
  await send("/v1/chat/completions", { ...first, messages: [user("three")] }, header);
  expect(await history("work")).toContain("You said: three");
});

it("a fresh session is told the instructions and what was said before", async () => {
  const { send } = await start();
  const answered = { role: "assistant", content: "noted" };
  const messages = [{ role: "system", content: "Be brief." }, user("one"), answered, user("two")];
  const answer = await send("/v1/chat/completions", { model: "openclaw", messages });
  const text = (await readJson(answer)).choices[0].message.content;
  expect(text).toContain("Be brief.");
  expect(text).toContain("user: one\n\nassistant: noted");
  expect(text.endsWith("two")).toBe(true);
});

it.each([
  [{ model: "gpt-5", messages: [user("x")] }, "openclaw/main"],
  [{ model: "openclaw/nobody", messages: [user("x")] }, "openclaw/main"],
  [{ model: "openclaw" }, "messages"],
  [{ model: "openclaw", messages: [] }, "last message"],
  [
    { messages: [user([{ type: "image_url", image_url: { url: "https://x.test/a.png" } }])] },
    "data URL",
  ],
])("a request that cannot be meant is refused: %j", async (body, hint) => {
  const { send } = await start();
  const response = await send("/v1/chat/completions", body);
  expect(response.status).toBe(400);
  expect((await readJson(response)).error.message).toContain(hint);
});

it("sessions of sub-agents and cron cannot be named", async () => {
  const { send } = await start();
  for (const key of ["cron:1", "agent:main:subagent:1"]) {
    const header = { "x-openclaw-session-key": key };
    const response = await send("/v1/chat/completions", { messages: [user("x")] }, header);
    expect(response.status, key).toBe(400);
  }
});

it("responses answers whole, and goes on from an earlier one", async () => {
  const { send, gateway } = await start();
  const first = await readJson(await send("/v1/responses", { model: "openclaw", input: "one" }));
  expect(first).toMatchObject({
    object: "response",
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text: "You said: one" }] }],
  });
  const input = [{ type: "message", ...user([{ type: "input_text", text: "two" }]) }];
  const second = await send("/v1/responses", { input, previous_response_id: first.id });
  expect((await readJson(second)).output[0].content[0].text).toBe("You said: two");
  expect(await gateway.call("sessions.list", {})).toMatchObject({ count: 1 });
  const unknown = { input, previous_response_id: "resp_none" };
  expect((await send("/v1/responses", unknown)).status).toBe(404);
});

it("responses streams its text and ends with the whole response", async () => {
  const { send } = await start();
  const response = await send("/v1/responses", { input: "hello there", stream: true });
  const events = (await readEvents(response)).map((text) => JSON.parse(text));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
  expect(events[0].type).toBe("response.created");
  const deltas = events.filter(({ type }) => type === "response.output_text.delta");
  expect(deltas.map(({ delta }) => delta).join("")).toBe("You said: hello there");
  expect(events.at(-1)).toMatchObject({
    type: "response.completed",
    response: { status: "completed", output: [{ content: [{ text: "You said: hello there" }] }] },
  });
});

it("a run that cannot start is an error with its reason", async () => {
  const { send } = await start({ ...config, agents: { defaults: { model: "nobody/none" } } });
  const response = await send("/v1/chat/completions", { stream: true, messages: [user("x")] });
  expect(response.ok).toBe(false);
  expect((await readJson(response)).error.message).toContain("nobody");
});

const hooks = { enabled: true, token: "hook-secret" };
const HOOK = { Authorization: "Bearer hook-secret" };

it("a hook starts a run in a session of its own", async () => {
  const { gateway, send, history } = await start({ agents, hooks });
  const response = await send("/hooks/agent", { message: "mail came" }, HOOK);
  expect(response.status).toBe(200);
  const { ok, runId, sessionKey } = await readJson(response);
  expect({ ok, sessionKey }).toEqual({
    ok: true,
    sessionKey: expect.stringMatching(/^agent:main:hook:/),
  });
  await gateway.call("agent.wait", { runId });
  expect(await history(sessionKey)).toContain("You said: mail came");
});

it("a hook wakes the main session now", async () => {
  const { gateway, send, history } = await start({ agents, hooks: { ...hooks, path: "/in/" } });
  const ended = new Promise<void>((done) => {
    gateway.services.agent.on(({ type, sessionKey }) => {
      if (type === "end" && sessionKey === MAIN) done();
    });
  });
  const header = { Authorization: "", "x-openclaw-token": "hook-secret" };
  const response = await send("/in/wake", { text: "the build is red" }, header);
  expect(await response.json()).toEqual({ ok: true, mode: "now" });
  await ended;
  expect(await history(MAIN)).toContain("the build is red");
});

it("a hook takes its own token alone, and only from a header", async () => {
  const { gateway, send } = await start({ agents, hooks });
  expect((await send("/hooks/agent", { message: "x" })).status).toBe(401);
  const inQuery = await send(
    "/hooks/agent?token=hook-secret",
    { message: "x" },
    { Authorization: "" },
  );
  expect(inQuery.status).toBe(401);
  expect((await send("/tools/invoke", { tool: "read" }, HOOK)).status).toBe(401);
  expect(await gateway.call("sessions.list", {})).toMatchObject({ count: 0 });
  for (let tries = 0; tries < 8; tries++)
    await send("/hooks/wake", {}, { Authorization: "Bearer x" });
  expect((await send("/hooks/wake", { text: "x" }, HOOK)).status).toBe(429);
});

it("a hook names agents and sessions only as the config lets it", async () => {
  const strict = await start({ agents, hooks: { ...hooks, allowedAgentIds: [] } });
  expect((await strict.send("/hooks/agent", { message: "x" }, HOOK)).status).toBe(400);
  const { send } = await start({ agents, hooks });
  const named = { message: "x", sessionKey: "hook:mail" };
  expect((await send("/hooks/agent", named, HOOK)).status).toBe(400);
  expect((await send("/hooks/agent", { message: "x", agentId: "no" }, HOOK)).status).toBe(400);
  expect((await send("/hooks/agent", { message: " " }, HOOK)).status).toBe(400);
  // Without allowedSessionKeyPrefixes only sessions under `hook:` are open.
  const open = await start({ agents, hooks: { ...hooks, allowRequestSessionKey: true } });
  expect(await (await open.send("/hooks/agent", named, HOOK)).json()).toMatchObject({
    sessionKey: "agent:main:hook:mail",
  });
  const main = await open.send("/hooks/agent", { message: "x", sessionKey: "main" }, HOOK);
  expect(main.status).toBe(400);
  const prefixes = { allowRequestSessionKey: true, allowedSessionKeyPrefixes: ["mail:"] };
  const mail = await start({ agents, hooks: { ...hooks, ...prefixes } });
  expect((await mail.send("/hooks/agent", named, HOOK)).status).toBe(400);
});
