// What the config says about messages that wait, old sessions and models that fail; and the example
// of docs/agent.md.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createScriptedConnector, type ScriptedTurn } from "../../src/connectors/index.js";
import { PROJECT_DIR, runNode } from "../fakes/run-node.js";
import { startAgent } from "./agent-setting.js";

const DAY_MS = 24 * 60 * 60_000;
const TEXTS = ["m0", "m1", "m2", "m3", "m4"];

function hold() {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release: () => release() };
}

/** The first message holds the run until the others are stored. */
async function sendWhileBusy(drop: "old" | "summarize" | "new") {
  const { held, release } = hold();
  const { agent, connector } = await startAgent({
    script: (_request, index) =>
      index === 0 ? { text: "first", until: held } : { text: "all of it" },
    options: {
      queueMode: "collect",
      config: { messages: { queue: { cap: 2, drop, debounceMs: 1 } } },
    },
  });
  const first = await agent.start({ message: "busy" });
  await expect.poll(() => connector.requests.length).toBe(1);
  const started = await Promise.allSettled(TEXTS.map((message) => agent.start({ message })));
  release();
  await first.ended;
  const accepted = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const rows = await Promise.all(accepted.map(({ ended }) => ended));
  const refused = started.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  return { rows, refused, sent: JSON.stringify(connector.requests.at(-1)?.context.messages) };
}

it("drop: old keeps the newest messages and says how many are missing", async () => {
  const { rows, sent } = await sendWhileBusy("old");
  expect(rows.map(({ reply }) => reply)).toEqual(TEXTS.map(() => "all of it"));
  expect(sent).toContain("[3 earlier messages were dropped: at most 2 wait.]");
  expect(sent).toContain("m4");
  expect(sent).not.toContain("m0");
});

it("drop: summarize quotes how the dropped messages began", async () => {
  const { sent } = await sendWhileBusy("summarize");
  expect(sent).toContain("They began:]\\n- m0\\n- m1\\n- m2");
});

it("drop: new refuses messages beyond the cap, and answers those before", async () => {
  const { held, release } = hold();
  const { agent, connector } = await startAgent({
    script: (_request, index) => ({ text: `answer ${index}`, ...(index === 0 && { until: held }) }),
    options: { queueMode: "followup", config: { messages: { queue: { cap: 2, drop: "new" } } } },
  });
  const first = await agent.start({ message: "busy" });
  await expect.poll(() => connector.requests.length).toBe(1);
  const kept = [await agent.start({ message: "m0" }), await agent.start({ message: "m1" })];
  await expect(agent.start({ message: "m2" })).rejects.toMatchObject({
    code: "limit",
    reason: "queue_full",
    message: expect.stringContaining("messages.queue.cap"),
  });
  release();
  const rows = await Promise.all([first, ...kept].map(({ ended }) => ended));
  expect(rows.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  expect(await agent.send("m3")).toMatchObject({ state: "done" });
});

it("session.retentionDays deletes sessions that were not used for so long, except main", async () => {
  let nowMs = Date.now();
  const clock = {
    now: () => nowMs,
    after(delayMs: number, work: () => void) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const first = await startAgent({ options: { clock }, script: () => ({ text: "ok" }) });
  for (const sessionKey of ["main", "old"]) await first.agent.send({ message: "hi", sessionKey });
  nowMs += 20 * DAY_MS;
  await first.agent.send({ message: "hi", sessionKey: "young" });
  await first.close();
  nowMs += 15 * DAY_MS;
  const { agent } = await startAgent({
    folder: first.folder,
    options: { clock, config: { session: { retentionDays: 30 } } },
  });
  const keys = async () => [...(await agent.sessionStore.entries.all()).keys()];
  await expect.poll(keys).toEqual(["agent:main:main", "agent:main:young"]);
});

it("a fallback is asked when the first model fails for good, and not when it answers", async () => {
  const choice = (provider: string, turns: readonly ScriptedTurn[]) => {
    const connector = createScriptedConnector(turns, { provider, id: "m" });
    const [model] = connector.models;
    if (model === undefined) throw new Error("The scripted connector has a model.");
    return { connector, model };
  };
  const one = choice("one", [
    { error: { reason: "auth_failed", message: "bad key" } },
    { text: "one again" },
  ]);
  const two = choice("two", [{ text: "two answers" }]);
  const { agent, events } = await startAgent({ options: { model: [one, two] } });
  expect(await agent.send("first")).toMatchObject({ state: "done", reply: "two answers" });
  expect(await agent.send("second")).toMatchObject({ state: "done", reply: "one again" });
  const asked = events.flatMap((event) => (event.type === "model" ? [event.model] : []));
  expect(asked).toEqual(["one/m", "two/m", "one/m"]);
});

it("docs/agent.md: the example runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clawtools-agent-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const page = readFileSync(join(PROJECT_DIR, "docs", "agent.md"), "utf8");
  const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const program = example.replace('"./agent-state"', JSON.stringify(join(folder, "state")));
  expect(program).not.toBe(example);
  const run = await runNode(["--input-type=module", "--eval", program]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("done");
  expect(run.stdout).toContain("Hello");
});
