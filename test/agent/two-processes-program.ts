// One of two processes over the same store. Its sessions send messages and start sub-agents until it is
// killed. `finish` works off what is left and prints the runs and transcripts. `split` writes every
// transaction in two, as a control.

import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "../../src/agent/index.js";
import { createScriptedConnector, type ScriptedRequest } from "../../src/connectors/index.js";
import type { Store } from "../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";
import { createToolkit } from "../../src/toolkit/index.js";

const STANDARD_OUTPUT = 1;
const PAGE = 1_000;
const LOOK_MS = 20;
const SPLIT_MS = 3;
const MAX_WAIT_MS = 5_000;
const TURNS = 2;
const WAITS_SECONDS = [0, 0.02, 600];
const [folder = "", mode = "work"] = process.argv.slice(2);
const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
const pause = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));

const sqlite = createSqliteStore({
  ...{ folder: join(folder, "state"), clock: createSystemClock(), random: createSystemRandom() },
});
const split: Store = {
  ...sqlite,
  async transact(operations, options) {
    const [first, ...rest] = operations;
    if (first === undefined || rest.length === 0) return sqlite.transact(operations, options);
    const one = await sqlite.transact([first], options);
    await pause(SPLIT_MS);
    return [...one, ...(await sqlite.transact(rest, options))];
  },
};

/** Decided from the conversation alone, as a model would. */
function answer({ context }: ScriptedRequest) {
  const { messages } = context;
  const last = messages.at(-1);
  const text = JSON.stringify(last?.content ?? "");
  if (last?.role === "toolResult") return { text: "sent" };
  const [, id = "", target = "", wait = "0"] =
    text.match(/input-(\w+) to (\S+) wait ([\d.]+)/) ?? [];
  if (id === "") return { text: `answer to ${text.length} characters` };
  const send = { sessionKey: target, message: `question-${id}`, timeoutSeconds: Number(wait) };
  return {
    calls: [
      { name: "sessions_send", arguments: send },
      { name: "sessions_spawn", arguments: { task: `task-${id}` } },
    ],
  };
}

const connector = createScriptedConnector(answer);
const [model] = connector.models;
const store = mode === "split" ? split : sqlite;
const toolkit = createToolkit({ root: folder, stateDir: false });
const agent = createAgent({
  ...{ toolkit, store },
  ...(model ? { model: { connector, model } } : {}),
  config: {
    session: { agentToAgent: { maxPingPongTurns: TURNS } },
    agents: { defaults: { subagents: { maxChildrenPerAgent: 20 } } },
  },
});

async function listAll(space: string) {
  const entries: { readonly key: string; readonly value: unknown }[] = [];
  for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
    const page = await sqlite.kv.list({ space, limit: PAGE, ...(after ? { after } : {}) });
    entries.push(...page.entries);
    after = page.next;
  }
  return entries;
}

if (mode === "finish") {
  while ((await listAll("session.mail")).length > 0) await pause(LOOK_MS);
  for (const { key, value } of await listAll("runs")) {
    say(JSON.stringify({ type: "run", runId: key, record: value }));
  }
  for (const found of (await agent.sessionStore.entries.all()).values()) {
    for await (const line of agent.sessionStore.export(found)) {
      say(JSON.stringify({ type: "record", key: found.key, record: JSON.parse(line) }));
    }
  }
  await agent.close();
  await toolkit.close();
  await sqlite.close();
} else {
  const life = randomBytes(4).toString("hex");
  await agent.sessionStore.entries.open(`agent:main:target-${life}`);
  say("ready");
  for (let count = 0; ; count += 1) {
    const wait = WAITS_SECONDS[count % WAITS_SECONDS.length];
    const message = `input-${life}x${count} to agent:main:target-${life} wait ${wait}`;
    const { ended } = await agent.start({ message, sessionKey: `asker-${life}-${count % 2}` });
    say(`sent ${count}`);
    // Another process may be at work on the session, and the control loses messages.
    await Promise.race([ended.catch(() => undefined), pause(MAX_WAIT_MS)]);
  }
}
