// Scheduled jobs and wakes on a real gateway, with a model that echoes.
import { expect, it } from "vitest";
import { startGateway } from "./start-gateway.js";

const ECHO = { agents: { defaults: { model: "debug/echo" } } };
const past = () => ({ kind: "at", atMs: Date.now() - 1_000 });
const read = (value: unknown) => JSON.stringify(value);

it("cron: an isolated job runs in its own session and reports to the main one [claim 318, 320]", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const payload = { kind: "agentTurn", message: "count the ducks" };
  const added = await gateway.call("cron.add", { name: "ducks", schedule: past(), payload });
  const id = (added as { id: string }).id;
  await expect
    .poll(async () => read(await gateway.call("cron.runs", { id })))
    .toMatch(/"status":"ok".*count the ducks/);
  expect(await gateway.call("cron.get", { id })).toMatchObject({
    enabled: false,
    sessionTarget: "isolated",
    state: { lastStatus: "ok", lastDeliveryStatus: "delivered" },
  });
  const { records } = await gateway.services.store.log.read({ stream: "inbox:agent:main:main" });
  expect(records.map(({ value }) => value)).toEqual([
    expect.objectContaining({
      kind: "system",
      content: [
        { type: "text", text: expect.stringMatching(/^Cron job "ducks": .*count the ducks/s) },
      ],
    }),
  ]);
});

it("cron: a job uses its own model until it names none, and one that is unknown fails", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const payload = { kind: "agentTurn", message: "count the ducks", model: "debug/upper-parrot-1" };
  const far = { kind: "at", at: "2999-01-01T00:00:00Z" };
  const { id } = (await gateway.call("cron.add", { schedule: far, payload })) as { id: string };
  const runs = async () => read(await gateway.call("cron.runs", { id }));
  await gateway.call("cron.run", { id });
  await expect.poll(runs).toContain("COUNT THE DUCKS");
  await gateway.call("cron.update", { id, patch: { payload: { ...payload, model: null } } });
  await gateway.call("cron.run", { id });
  await expect.poll(runs).toMatch(/"summary":"You said:.*count the ducks/);
  await gateway.call("cron.update", { id, patch: { payload: { ...payload, model: "no/such" } } });
  await gateway.call("cron.run", { id });
  await expect.poll(runs).toContain("Unrecognized model");
});

it("cron: a main job with wakeMode now is read in a turn of the main session [claim 321]", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const payload = { kind: "systemEvent", text: "water the plants" };
  const job = { name: "plants", schedule: past(), payload, wakeMode: "now" };
  await gateway.call("cron.add", job);
  await expect
    .poll(async () => read(await gateway.call("chat.history", { sessionKey: "main" })))
    .toContain("water the plants");
});

it("wake: next-heartbeat waits for the next turn, now starts one [claim 321, 322]", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  await gateway.call("wake", { text: "mail has come", mode: "next-heartbeat" });
  const before = read(await gateway.call("chat.history", { sessionKey: "main" }));
  expect(before).not.toContain("mail has come");
  await gateway.call("wake", { text: "and a parcel", mode: "now" });
  await expect
    .poll(async () => read(await gateway.call("chat.history", { sessionKey: "main" })))
    .toMatch(/mail has come[\s\S]*and a parcel/);
});

it("321 · an event with `now` that comes during a run is read after it", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const { agent } = gateway.services;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  agent.on(({ type }) => {
    // The run has begun and has not ended.
    if (type === "model") release();
  });
  const started = agent.start({ message: "hello" });
  await held;
  await gateway.call("wake", { text: "mail has come", mode: "now" });
  await (await started).ended;
  await expect
    .poll(async () => read(await gateway.call("chat.history", { sessionKey: "main" })))
    .toMatch(/System event.{1,20}mail has come/);
});

it("refuses agents that do not exist", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const unknown = /agent.{1,12}"nobody"/;
  const job = { schedule: { kind: "every", everyMs: 60_000 }, payload: { text: "tea" } };
  await expect(gateway.call("cron.add", { ...job, agentId: "nobody" })).rejects.toThrow(unknown);
  const { id } = (await gateway.call("cron.add", job)) as { id: string };
  await expect(gateway.call("cron.update", { id, patch: { agentId: "nobody" } })).rejects.toThrow(
    unknown,
  );
  await expect(gateway.call("wake", { text: "x", agentId: "nobody" })).rejects.toThrow(unknown);
});

const UNCONNECTED =
  'not posted: the channel "telegram" is not connected; reported to the main session';
const DELIVERIES: readonly (readonly [object, object, string])[] = [
  [{ deliver: false }, {}, "off"],
  [{}, { delivery: { mode: "none" } }, "off"],
  [{}, { delivery: { mode: "announce", channel: "last" } }, "delivered"],
  [{ channel: "telegram", to: "room" }, {}, UNCONNECTED],
  [{}, { delivery: { mode: "announce", channel: "telegram", to: "room" } }, UNCONNECTED],
  [{ deliver: true }, {}, "not posted: the session has no chat; reported to the main session"],
];
it.each(DELIVERIES)(
  "cron: says what became of the reply of a job with %j and %j",
  async (more, fields, status) => {
    const { gateway } = await startGateway({ config: ECHO });
    const payload = { kind: "agentTurn", message: "count the ducks", ...more };
    const job = { schedule: past(), payload, ...fields };
    const { id } = (await gateway.call("cron.add", job)) as { id: string };
    await expect
      .poll(async () => await gateway.call("cron.runs", { id }))
      .toMatchObject({ entries: [{ status: "ok", deliveryStatus: status }] });
  },
);

it("refuses a delivery that is not supported, with what is", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const payload = { kind: "agentTurn", message: "x" };
  const job = { schedule: past(), payload, delivery: { mode: "webhook", to: "https://x.test" } };
  await expect(gateway.call("cron.add", job)).rejects.toThrow("mode must be one of announce, none");
});

it("324 · the cron tool in a gateway calls another gateway by URL and token", async () => {
  const [one, other] = [await startGateway({ config: ECHO }), await startGateway({ config: ECHO })];
  const schedule = { kind: "at", at: "2999-01-01T00:00:00Z" };
  const job = { name: "far", schedule, payload: { text: "x" } };
  const invoke = (args: object) =>
    one.gateway.call("tools.invoke", { name: "cron", args: { action: "add", job, ...args } });
  const gatewayUrl = other.gateway.url;
  const timeoutMs = 60_000;
  expect(await invoke({ gatewayUrl })).toMatchObject({ ok: false });
  expect(await invoke({ gatewayUrl, gatewayToken: other.token, timeoutMs })).toMatchObject({
    ok: true,
  });
  expect(await other.gateway.call("cron.list")).toMatchObject({ total: 1 });
  expect(await one.gateway.call("cron.list")).toMatchObject({ total: 0 });
});

it("cron.list gives whole pages, and status the next time [claim 317]", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const schedule = { kind: "every", everyMs: 3_600_000 };
  for (const name of ["a", "b", "c"]) {
    await gateway.call("cron.add", {
      name,
      schedule,
      payload: { text: name },
      enabled: name !== "c",
    });
  }
  const page = await gateway.call("cron.list", { limit: 1, offset: 0 });
  expect(page).toMatchObject({ total: 2, offset: 0, limit: 1, hasMore: true, nextOffset: 1 });
  const all = await gateway.call("cron.list", { includeDisabled: true });
  expect(all).toMatchObject({ total: 3, hasMore: false, nextOffset: null });
  const status = await gateway.call("cron.status");
  expect(status).toMatchObject({ enabled: true, jobs: 3, nextWakeAtMs: expect.any(Number) });
});

it("cron.update and cron.remove change one job, and refuse what cannot be meant [claim 319]", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  const schedule = { kind: "cron", expr: "0 9 * * *", tz: "Europe/Berlin" };
  const { id } = (await gateway.call("cron.add", { schedule, payload: { text: "tea" } })) as {
    id: string;
  };
  expect(await gateway.call("cron.update", { id, patch: { name: "tea time" } })).toMatchObject({
    name: "tea time",
    schedule,
  });
  await expect(
    gateway.call("cron.update", { id, patch: { schedule: { kind: "every", everyMs: 5 } } }),
  ).rejects.toThrow(/shortest interval/);
  await expect(gateway.call("cron.get", { id: "nope" })).rejects.toThrow(/No cron job "nope"/);
  expect(await gateway.call("cron.remove", { id })).toEqual({ ok: true, removed: true });
});

const TWO_AGENTS = {
  agents: { ...ECHO.agents, list: [{ id: "main", default: true }, { id: "two" }] },
};

async function useCronTool(tools: object) {
  const { gateway } = await startGateway({ config: { ...TWO_AGENTS, tools } });
  const job = { schedule: { kind: "every", everyMs: 3_600_000 }, payload: { text: "tea" } };
  const other = await gateway.call("cron.add", { ...job, name: "other", agentId: "two" });
  const tool = async (args: object) =>
    await gateway.call("tools.invoke", { name: "cron", agentId: "main", args });
  return { gateway, job, jobId: (other as { id: string }).id, tool };
}

it("the cron tool reaches only jobs of its own agent", async () => {
  const { gateway, job, jobId, tool } = await useCronTool({});
  const own = await tool({ action: "add", job: { ...job, name: "own" } });
  expect(own).toMatchObject({ ok: true });
  const listed = read(await tool({ action: "list" }));
  expect(listed).toContain("own");
  expect(listed).not.toContain("other");
  const { jobs } = (await gateway.call("cron.list")) as { jobs: { id: string; name: string }[] };
  const ownId = jobs.find(({ name }) => name === "own")?.id;
  const refused = { ok: false, error: { code: "agent_to_agent_off" } };
  const crossing = [
    { action: "add", job: { ...job, agentId: "two" } },
    { action: "update", jobId: ownId, patch: { agentId: "TWO" } },
    ...["run", "runs", "remove"].map((action) => ({ action, jobId })),
    { action: "update", jobId, patch: { enabled: false } },
  ];
  for (const args of crossing) expect(await tool(args)).toMatchObject(refused);
  // Operators see all.
  expect(await gateway.call("cron.list")).toMatchObject({ total: 2 });
  expect(await tool({ action: "remove", jobId: ownId })).toMatchObject({ ok: true });
});

it("the cron tool reaches agents that tools.agentToAgent allows", async () => {
  const { jobId, tool } = await useCronTool({ agentToAgent: { enabled: true } });
  expect(read(await tool({ action: "list" }))).toContain("other");
  expect(await tool({ action: "remove", jobId })).toMatchObject({ ok: true });
});

it("336 · tools.invoke gives the session tools the session they are called from", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  await gateway.call("agent", { message: "hello", idempotencyKey: "one" });
  await gateway.call("agent.wait", { runId: "one" });
  const list = await gateway.call("tools.invoke", { name: "sessions_list", args: {} });
  expect(list).toMatchObject({ ok: true });
  expect(read(list)).toContain("main");
  const status = await gateway.call("tools.invoke", { name: "session_status", args: {} });
  expect(read(status)).toMatch(/Session: main.*Model: debug\/echo/);
});

const BAD_SCHEDULES = [
  [
    { kind: "at", at: "2026-02-30T09:00:00Z" },
    /"2026-02-30T09:00:00Z" is not a time. Use ISO 8601/,
  ],
  [{ kind: "at", at: "tomorrow" }, /"tomorrow" is not a time. Use ISO 8601/],
  [
    { kind: "at", at: "2020-01-01T00:00:00Z" },
    /2020-01-01T00:00:00.000Z is in the past; it is \S+ now. Use a later time./,
  ],
  [{ kind: "every", everyMs: 1 }, /everyMs is 1; the shortest interval is 1000/],
  [{ kind: "cron", expr: "0 0 30 2 *" }, /"0 0 30 2 \*" never comes/],
  [{ kind: "cron", expr: "every day" }, /"every day" is not a cron expression.*five fields/],
  [{ kind: "cron", expr: "0 9 * * *", tz: "Mars/Base" }, /Unknown time zone "Mars\/Base".*IANA/],
] as const;

it("refuses schedules that cannot be meant, with the value and the fix", async () => {
  const { gateway } = await startGateway({ config: ECHO });
  for (const [schedule, expected] of BAD_SCHEDULES) {
    const job = { schedule, payload: { kind: "systemEvent", text: "x" } };
    await expect(gateway.call("cron.add", job)).rejects.toThrow(expected);
  }
  const text = "x".repeat(1_048_576);
  const schedule = { kind: "every", everyMs: 60_000 };
  const large = gateway.call("cron.add", { schedule, payload: { kind: "systemEvent", text } });
  await expect(large).rejects.toThrow("text has 1048576 characters; at most 100000 are allowed");
  expect(await gateway.call("cron.list", { includeDisabled: true })).toMatchObject({ total: 0 });
});
