// The exchange after `sessions_send`: replies go back and forth, end by a word, a number or a person,
// and the target may announce the outcome.

import { expect, it } from "vitest";
import type { ScriptedRequest, ScriptedTurn } from "../../src/connectors/index.js";
import { startAgent } from "./agent-setting.js";

const TARGET = "agent:main:other";
const LIMIT_MS = 240_000;

const textOf = (message: unknown) => JSON.stringify(message ?? "");
const lastText = ({ context }: ScriptedRequest) => textOf(context.messages.at(-1));
const ask = (message: string, timeoutSeconds = 600): ScriptedTurn => ({
  calls: [{ name: "sessions_send", arguments: { sessionKey: TARGET, message, timeoutSeconds } }],
});

/** The main session sends "question" to the other one when a person says "start". */
async function startExchange({
  answer,
  turns,
  channel,
  posts,
  wait,
}: {
  readonly answer: (text: string) => string | ScriptedTurn;
  readonly turns?: number;
  readonly channel?: string;
  /** What the connected channels are handed. */
  readonly posts?: string[];
  readonly wait?: number;
}) {
  const setting = await startAgent({
    script(request) {
      const text = lastText(request);
      if (text.includes("start")) return ask("question", wait);
      if (text.includes("hello")) return { text: "hi" };
      const given = answer(text);
      return typeof given === "string" ? { text: given } : given;
    },
    options: {
      ...(turns === undefined
        ? {}
        : { config: { session: { agentToAgent: { maxPingPongTurns: turns } } } }),
      ...(posts && {
        post({ text }) {
          posts.push(text);
          return [];
        },
      }),
    },
  });
  const { agent } = setting;
  const route = channel === undefined ? {} : { route: { channel, to: "room" } };
  await agent.send({ message: "hello", sessionKey: "other", ...route });
  const first = await agent.send("start");
  const texts = async (session: string, role = "assistant") => {
    const view = agent.sessions.as({ sessionKey: "main" });
    const { messages } = await view.history({ session, limit: 500 });
    return messages.flatMap(({ role: own, content }) =>
      own === role ? content.map(({ text }) => text) : [],
    );
  };
  /** Until both sessions have ended every run that was started. */
  const settle = () =>
    expect
      .poll(() => setting.events.map(({ type }) => type).filter((type) => type === "end").length, {
        timeout: LIMIT_MS,
      })
      .toBe(setting.events.filter(({ type }) => type === "start").length);
  return { ...setting, first, texts, settle };
}

const repliesIn = (texts: readonly string[]) => texts.filter((text) => text.startsWith("reply"));

it("347 391 · both sides answer each other until the configured number of replies is reached", async () => {
  let count = 0;
  const { texts } = await startExchange({
    turns: 3,
    answer: (text) => (text.includes("toolResult") ? "answered the person" : `reply ${count++}`),
  });
  await expect.poll(() => texts("main"), { timeout: LIMIT_MS }).toContain("reply 3");
  expect(repliesIn(await texts(TARGET))).toEqual(["reply 0", "reply 2"]);
  expect(repliesIn(await texts("main"))).toEqual(["reply 1", "reply 3"]);
  expect(await texts("main")).toContain("answered the person");
  const [last] = (await texts("main", "user")).slice(-1);
  expect(last).toContain("reply 3 of at most 3");
});

it("347 · five replies follow the first one by default", async () => {
  let count = 0;
  const { texts, settle } = await startExchange({
    answer: (text) => (text.includes("toolResult") ? "done" : `reply ${count++}`),
  });
  await expect.poll(() => texts("main"), { timeout: LIMIT_MS }).toContain("reply 5");
  await settle();
  expect(count).toBe(6);
});

it.each([
  ["0 turns", { turns: 0, word: "reply" }],
  ["REPLY_SKIP", { turns: 5, word: "REPLY_SKIP" }],
])("347 · %s ends the exchange after the first reply", async (_title, { turns, word }) => {
  const { texts, first, settle } = await startExchange({
    turns,
    answer: (text) => (text.includes("toolResult") ? `got ${text.includes(word)}` : word),
  });
  expect(first.reply).toBe("got true");
  await settle();
  expect(await texts(TARGET)).toEqual(["hi", word]);
  expect(await texts("main", "user")).toHaveLength(1);
});

it("347 · REPLY_SKIP of the requester ends the exchange", async () => {
  const { texts, settle } = await startExchange({
    answer(text) {
      if (text.includes("toolResult")) return "done";
      return text.includes("[Reply from session") ? "REPLY_SKIP" : "reply";
    },
  });
  await expect.poll(() => texts("main"), { timeout: LIMIT_MS }).toContain("REPLY_SKIP");
  await settle();
  expect(await texts(TARGET)).toEqual(["hi", "reply"]);
});

it("346 · a late reply is announced once, and the exchange follows", async () => {
  const { texts } = await startExchange({
    wait: 0,
    answer(text) {
      if (text.includes("toolResult")) return text.includes("accepted") ? "waiting" : "wrong";
      if (text.includes("completed. Run")) return "announced";
      return text.includes("[Reply from session") ? "REPLY_SKIP" : "late reply";
    },
  });
  await expect.poll(() => texts("main"), { timeout: LIMIT_MS }).toContain("REPLY_SKIP");
  expect(await texts("main")).toEqual(["waiting", "announced", "REPLY_SKIP"]);
});

it.each([
  ["announces in the chat of the target", "the news", ["the news"]],
  ["announces nothing after ANNOUNCE_SKIP", "ANNOUNCE_SKIP", []],
])("348 · the target %s when the exchange is over", async (_title, word, posted) => {
  const posts: string[] = [];
  const { texts, settle } = await startExchange({
    ...{ turns: 1, channel: "telegram", posts },
    answer(text) {
      if (text.includes("toolResult")) return "done";
      if (text.includes("has ended")) return word;
      return text.includes("[Reply from session") ? "last word" : "reply";
    },
  });
  await expect.poll(() => texts(TARGET), { timeout: LIMIT_MS }).toEqual(["hi", "reply", word]);
  const [step] = (await texts(TARGET, "user")).slice(-1);
  expect(step).toContain("Last reply: last word");
  await settle();
  expect(posts).toEqual(posted);
});

it("348 · without connected channels no turn is spent on an announcement", async () => {
  const { texts, settle } = await startExchange({
    ...{ turns: 0, channel: "telegram" },
    answer: (text) => (text.includes("toolResult") ? "done" : "reply"),
  });
  await settle();
  expect(await texts(TARGET)).toEqual(["hi", "reply"]);
});

it("a person who writes to the requester ends the exchange and is answered", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { agent, texts, settle } = await startExchange({
    answer(text) {
      if (text.includes("person speaks")) return "at your service";
      if (text.includes("toolResult")) return "done";
      return text.includes("[Reply from session")
        ? { text: "reply of main", until: held }
        : "reply";
    },
  });
  await expect.poll(() => agent.running("main"), { timeout: LIMIT_MS }).toMatch(/\.1$/);
  const { ended } = await agent.start({ message: "person speaks" });
  release();
  expect((await ended).reply).toBe("at your service");
  await settle();
  expect(await texts(TARGET)).toEqual(["hi", "reply"]);
});

it("two agents that write to each other all the time stop by themselves", async () => {
  const { agent, events } = await startAgent({
    script(request) {
      const text = lastText(request);
      if (text.includes("hello")) return { text: "hi" };
      if (text.includes("toolResult")) return { text: "sent" };
      const isTarget = text.includes("session agent:main:main");
      return {
        calls: [
          {
            name: "sessions_send",
            arguments: {
              sessionKey: isTarget ? "main" : TARGET,
              message: "you",
              timeoutSeconds: 0,
            },
          },
        ],
      };
    },
  });
  await agent.send({ message: "hello", sessionKey: "other" });
  await agent.send("start");
  const refused = () =>
    events.filter((event) => event.type === "result" && textOf(event.content).includes("in a row"));
  await expect.poll(() => refused().length, { timeout: LIMIT_MS }).toBeGreaterThan(0);
  const open = () =>
    events.filter(({ type }) => type === "start").length -
    events.filter(({ type }) => type === "end").length;
  await expect.poll(open, { timeout: LIMIT_MS }).toBe(0);
});

it("an agent that starts a sub-agent for every result stops by itself", async () => {
  const { agent, events } = await startAgent({
    script: (request) =>
      /start|completed/.test(lastText(request))
        ? { calls: [{ name: "sessions_spawn", arguments: { task: "job" } }] }
        : { text: "done" },
  });
  await agent.send("start");
  const refused = () =>
    events.filter((event) => event.type === "result" && textOf(event.content).includes("in a row"));
  await expect.poll(() => refused().length, { timeout: LIMIT_MS }).toBe(1);
});
