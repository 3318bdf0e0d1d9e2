// 12b to 12d: one turn of the agent loop with one call, kept in SQLite, without the model; the same
// turns of the AI SDK, which keeps nothing; and opening a long session.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { createAgent } from "../dist/agent.js";
import { createToolkit, defineTool, t } from "../dist/index.js";
import { importSource } from "./measure/bundle-source.mjs";
import { timeByTurns } from "./measure/by-turns.mjs";
import { sized } from "./measure/size.mjs";

const ROUNDS = 20;
const SDK_ROUNDS = 5;
const TURNS = 20;
const MAX_TURN_MS = 1;
const MAX_OPEN_MS = 50;
const PAGE = 500;
const FEW_TOOLS = sized(25, 2);
const MANY_TOOLS = sized(1_000, 4);
const FEW_MESSAGES = sized(100, 4);
const MANY_MESSAGES = sized(5_000, 8);
const KEY = "agent:main:bench";
const MODEL = { id: "test", provider: "bench", api: "bench", contextWindow: 10_000_000 };

export const ids = ["12b", "12c", "12d"];

export async function rows({ isWanted }) {
  const found = [];
  if (isWanted("12b") || isWanted("12d")) {
    for (const messages of [FEW_MESSAGES, MANY_MESSAGES]) {
      for (const tools of [FEW_TOOLS, MANY_TOOLS]) found.push(...(await measure(tools, messages)));
    }
  }
  if (isWanted("12c")) {
    for (const messages of [FEW_MESSAGES, MANY_MESSAGES]) found.push(await measureSdk(messages));
  }
  return found.filter(({ id }) => isWanted(id));
}

async function measure(tools, messages) {
  const folder = await mkdtemp(join(tmpdir(), "bench-agent-"));
  const store = await openStore(folder);
  const toolkit = createToolkit({ root: folder, stateDir: false, tools: makeTools(tools) });
  let count = 0;
  const nextCall = () => ({ name: "noop_0", arguments: { text: `${count++}` } });
  const stream = (_model, { messages }) => streamAnswer(countTurns(messages), nextCall);
  const connector = { id: "bench", label: "Bench", provider: "bench", api: "bench", stream };
  const model = { connector: { ...connector, models: [MODEL] }, model: MODEL };
  const agent = createAgent({ toolkit, store, model });
  await fill(agent, { store, messages });
  try {
    const isLargest = tools === MANY_TOOLS && messages === MANY_MESSAGES;
    const openRows = isLargest ? [await measureOpen(agent, { store, messages })] : [];
    const [bare, ours] = await timeByTurns(
      [
        async () => {
          for (let turn = 0; turn < TURNS; turn++) {
            for await (const _event of streamAnswer(turn, nextCall));
            await toolkit.invoke({ id: `c${count}`, ...nextCall() });
          }
        },
        async () => {
          const { state, error } = await agent.send({ message: "go", sessionKey: KEY });
          if (state !== "done") throw new Error(error);
        },
      ],
      { rounds: ROUNDS },
    );
    return [...openRows, toTurnRow({ tools, messages, bare, ours })];
  } finally {
    await agent.close();
    await toolkit.close();
    await store.close();
    await rm(folder, { recursive: true });
  }
}

function toTurnRow({ tools, messages, bare, ours }) {
  const toMs = (nanoseconds) => nanoseconds / TURNS / 1e6;
  const addedMs = toMs(ours.median - bare.median);
  const bestMs = toMs(ours.minimum - bare.minimum);
  return {
    id: "12b",
    work: `one turn, ${tools} tools, ${messages} messages (raw = the call alone)`,
    raw: `${toMs(bare.median).toFixed(2)} ms`,
    ours: `${toMs(ours.median).toFixed(2)} ms`,
    ratio: `${addedMs.toFixed(2)} ms added, best ${bestMs.toFixed(2)} ms`,
    target: `<= ${MAX_TURN_MS} ms added`,
    met: addedMs <= MAX_TURN_MS,
  };
}

/** Opens the session as a new process does; raw reads and parses the same records. */
async function measureOpen(agent, { store, messages }) {
  const { sessionStore } = agent;
  const { entry } = await sessionStore.entries.open(KEY);
  const stream = `transcript:${entry.sessionId}`;
  const [raw, ours] = await timeByTurns(
    [
      async () => {
        for (let after = 0; after !== undefined; )
          after = (await store.log.read({ stream, after, limit: PAGE })).next;
      },
      async () => void (await sessionStore.openTranscript(await sessionStore.entries.open(KEY))),
    ],
    { rounds: ROUNDS },
  );
  const [rawMs, oursMs] = [raw, ours].map(({ median }) => median / 1e6);
  return {
    id: "12d",
    work: `open a session of ${messages} messages (raw = read the records)`,
    raw: `${rawMs.toFixed(1)} ms`,
    ours: `${oursMs.toFixed(1)} ms`,
    ratio: `${(oursMs / rawMs).toFixed(2)}x`,
    target: `<= ${MAX_OPEN_MS} ms`,
    met: oursMs <= MAX_OPEN_MS,
  };
}

/** The same turns in memory, so there is no target: the figure is what ours is compared with. */
async function measureSdk(messages) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  let turn = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const isLast = turn++ % (TURNS + 1) === TURNS;
      const input = JSON.stringify({ text: `${turn}` });
      const content = isLast
        ? [{ type: "text", text: "done" }]
        : [{ type: "tool-call", toolCallId: `c${turn}`, toolName: "noop_0", input }];
      const finishReason = { unified: isLast ? "stop" : "tool-calls", raw: undefined };
      return { content, finishReason, usage, warnings: [] };
    },
  });
  const noop = tool({
    description: "Does nothing.",
    inputSchema: jsonSchema({ type: "object", properties: { text: { type: "string" } } }),
    execute: async ({ text }) => text,
  });
  const tools = Object.fromEntries(
    Array.from({ length: FEW_TOOLS }, (_, index) => [`noop_${index}`, noop]),
  );
  const history = Array.from({ length: messages }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: "words",
  }));
  const sent = [...history, { role: "user", content: "go" }];
  const [sdk] = await timeByTurns(
    [() => generateText({ model, tools, messages: sent, stopWhen: stepCountIs(TURNS + 1) })],
    { rounds: SDK_ROUNDS },
  );
  return {
    id: "12c",
    work: `AI SDK: one turn, ${FEW_TOOLS} tools, ${messages} messages, nothing kept`,
    raw: "-",
    ours: "-",
    ratio: `theirs ${(sdk.median / TURNS / 1e6).toFixed(2)} ms, best ${(sdk.minimum / TURNS / 1e6).toFixed(2)} ms`,
    target: "-",
  };
}

function countTurns(messages) {
  const from = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(from).filter(({ role }) => role === "assistant").length;
}

async function* streamAnswer(turn, nextCall) {
  yield { type: "start" };
  if (turn >= TURNS) yield { type: "text_end", content: "done" };
  else yield { type: "toolcall_end", toolCall: { id: "c", ...nextCall() } };
  yield { type: "done", stopReason: "stop" };
}

async function openStore(folder) {
  const { createSqliteStore } = await importSource("src/drivers/store/index.ts");
  const { createSystemClock, createSystemRandom } = await importSource("src/drivers/clock.ts");
  return createSqliteStore({ folder, clock: createSystemClock(), random: createSystemRandom() });
}

function makeTools(count) {
  return Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `noop_${index}`,
      description: "Does nothing.",
      parameters: t.object({ text: t.string({ description: "Returned unchanged." }) }),
      execute: async ({ params }) => ({ content: [{ type: "text", text: params.text }] }),
    }),
  );
}

async function fill(agent, { store, messages }) {
  const { entry } = await agent.sessionStore.entries.open(KEY);
  const origin = { provider: "bench", api: "bench", model: "test" };
  const content = [{ type: "text", text: "words" }];
  const records = Array.from({ length: messages / 2 }, (_, index) => {
    const run = `r${index}`;
    return [
      { type: "user", run, content, about: [], through: 0, kind: "message" },
      { type: "assistant", run, turn: 1, content, stop: "stop", origin },
      { type: "end", run, state: "done" },
    ];
  }).flat();
  for (let from = 0; from < records.length; from += PAGE) {
    const page = records.slice(from, from + PAGE);
    await store.log.append({ stream: `transcript:${entry.sessionId}`, records: page });
  }
}
