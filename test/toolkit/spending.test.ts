// Budgets and loops through the front door: the model is warned, then stopped, and the audit knows.

import { textResult } from "clawtools";
import { describe, expect, it } from "vitest";
import { giving, say } from "./sample-tools.js";
import { type StartedToolkit, startToolkit, textOf } from "./start-toolkit.js";

const counter = () => giving("count", (call) => textResult(`${call}`));
const constant = () => giving("ping", () => textResult("pong"));

async function callTimes({ call }: StartedToolkit, name: string, times: number): Promise<string[]> {
  const texts: string[] = [];
  for (let index = 0; index < times; index++) texts.push(textOf(await call(name)));
  return texts;
}

describe("a budget", () => {
  it("of calls warns at four fifths and ends at the whole", async () => {
    const started = startToolkit({ tools: [counter()], config: { budgets: { calls: 5 } } });
    const texts = await callTimes(started, "count", 6);
    expect(texts.slice(0, 3)).toEqual(["1", "2", "3"]);
    expect(texts[3]).toContain("[Budget: 4 of 5 calls are used.");
    expect(texts[4]).toContain("5 of 5 calls");
    expect(texts[5]).toContain("Raise budgets.calls");
    expect(started.rows[5]).toMatchObject({
      stage: "budget",
      outcome: "stopped",
      code: "limit",
      reason: "budget_used_up",
    });
    expect(started.toolkit.used().calls).toBe(5);
  });

  it("of calls is not spent by calls that were stopped before", async () => {
    const { toolkit, call } = startToolkit({ tools: [say], config: { budgets: { calls: 1 } } });
    await call("no_such_tool");
    await call("say", { arguments: {} });
    expect(toolkit.used().calls).toBe(0);
    expect((await call("say", { arguments: { text: "hi" } })).isError).toBe(false);
  });

  it("of wall time that is nothing lets nothing run", async () => {
    const { call, rows } = startToolkit({ tools: [counter()], config: { budgets: { wallMs: 0 } } });
    expect((await call("count")).details).toMatchObject({ code: "limit", budget: "wallMs" });
    expect(rows[0]?.stage).toBe("budget");
  });

  it("of characters counts what results bring in", async () => {
    const { toolkit, call } = startToolkit({
      tools: [say],
      config: { budgets: { resultChars: 10 } },
    });
    await call("say", { arguments: { text: "12345" } });
    expect(toolkit.used().resultChars).toBe(5);
    const near = await call("say", { arguments: { text: "abcde" } });
    expect(textOf(near)).toContain("10 of 10 characters of results are used");
    const over = await call("say", { arguments: { text: "x" } });
    expect(over.details).toMatchObject({ code: "limit", budget: "resultChars", limit: 10 });
  });

  it.each([
    ["tokens", 1_000, "800 of 1000 tokens"],
    ["usd", 0.5, "0.4 of 0.5 US dollars"],
  ] as const)("of %s counts what the caller reports", async (kind, limit, words) => {
    const { toolkit, call, rows } = startToolkit({
      tools: [counter()],
      config: { budgets: { [kind]: limit } },
    });
    expect(textOf(await call("count"))).toBe("1");
    toolkit.reportUsage({ [kind]: limit * 0.8 });
    expect(textOf(await call("count"))).toContain(words);
    toolkit.reportUsage({ [kind]: limit * 0.2 });
    expect((await call("count")).details).toMatchObject({ code: "limit", budget: kind });
    expect(rows[2]).toMatchObject({ stage: "budget", reason: "budget_used_up" });
    expect(toolkit.used()[kind]).toBeCloseTo(limit);
  });
});

describe("loop detection", () => {
  it("is on by default: a warning at the 10th same call, a stop at the 21st", async () => {
    const started = startToolkit({ tools: [constant()] });
    const texts = await callTimes(started, "ping", 21);
    expect(texts[8]).toBe("pong");
    expect(texts[9]).toContain("[Loop: ping was called 10 times in a row without progress");
    expect(texts[20]).toContain("It is not run again.");
    expect(started.rows[20]).toMatchObject({
      stage: "budget",
      outcome: "stopped",
      code: "denied",
      reason: "tool_loop",
    });
  });

  it("lets a call alone whose outcome changes", async () => {
    const started = startToolkit({ tools: [counter()] });
    const texts = await callTimes(started, "count", 30);
    expect(texts).toEqual(Array.from({ length: 30 }, (_, index) => `${index + 1}`));
  });

  it("stops asking for a tool that is not there", async () => {
    const started = startToolkit();
    await callTimes(started, "no_such_tool", 11);
    expect(started.rows[9]?.reason).toBe("tool_unknown");
    expect(started.rows[10]).toMatchObject({ stage: "find", reason: "tool_loop" });
  });

  it("has its numbers from tools.loopDetection", async () => {
    const config = { tools: { loopDetection: { warnAt: 2, stopAt: 3 } } };
    const started = startToolkit({ tools: [constant()], config });
    const texts = await callTimes(started, "ping", 4);
    expect(texts[1]).toContain("2 times in a row");
    expect(started.rows[3]?.reason).toBe("tool_loop");
  });

  it.each([
    ["its numbers", { warnAt: 2, stopAt: 3 }, { warnAt: 5, stopAt: 9 }],
    ["one of them", { stopAt: 3 }, { warnAt: 2, stopAt: 9 }],
    ["that it is on", { enabled: true }, { enabled: false, warnAt: 2, stopAt: 3 }],
  ])("takes from the agent's own setting %s", async (_what, own, loopDetection) => {
    const list = [{ id: "Support", tools: { loopDetection: own } }, { id: "other" }];
    const config = { tools: { loopDetection }, agents: { list } };
    const started = startToolkit({ tools: [constant()], config, agentId: "support" });
    const texts = await callTimes(started, "ping", 4);
    expect(texts[1]).toContain("2 times in a row");
    expect(started.rows[3]?.reason).toBe("tool_loop");
    const other = startToolkit({ tools: [constant()], config, agentId: "other" });
    await callTimes(other, "ping", 4);
    expect(other.rows[3]?.reason).toBeUndefined();
  });

  it("can be switched off for one agent", async () => {
    const list = [{ id: "support", tools: { loopDetection: { enabled: false } } }];
    const config = { agents: { list } };
    const started = startToolkit({ tools: [constant()], config, agentId: "support" });
    expect(new Set(await callTimes(started, "ping", 40))).toEqual(new Set(["pong"]));
  });

  it("can be switched off", async () => {
    const config = { tools: { loopDetection: { enabled: false } } };
    const started = startToolkit({ tools: [constant()], config });
    expect(new Set(await callTimes(started, "ping", 40))).toEqual(new Set(["pong"]));
  });
});
