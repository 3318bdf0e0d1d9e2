// There is one door: the `execute` of every offered tool goes through it as `invoke` does, whoever
// calls and whatever kind of tool it is.

import { type AuditRow, type Tool, type ToolkitOptions, textResult } from "clawtools";
import { describe, expect, it, vi } from "vitest";
import { hangingTool, plainEcho, say } from "./sample-tools.js";
import { type StartedToolkit, startToolkit } from "./start-toolkit.js";

function offered({ toolkit }: StartedToolkit, name: string): Tool {
  const tool = toolkit.tools.find((candidate) => candidate.name === name);
  if (tool) return tool;
  throw new Error(`${name} is not offered.`);
}

/** Apart from the time, and the way by which it came. */
const timeless = (row: AuditRow | undefined) => ({
  ...row,
  atMs: 0,
  durationMs: 0,
  entryPoint: "",
});

interface Forbidden {
  readonly options: Partial<ToolkitOptions>;
  readonly name: string;
  readonly params: Record<string, unknown>;
  readonly reason: string;
}

const HOOKED = { beforeCall: [() => ({ block: "no" })] };

const FORBIDDEN: [title: string, forbidden: Forbidden][] = [
  [
    "bad arguments of a defined tool",
    { options: { tools: [say] }, name: "say", params: { txt: "x" }, reason: "unknown_parameter" },
  ],
  [
    "bad arguments of a plain tool",
    {
      options: { tools: [plainEcho()] },
      name: "plain_echo",
      params: { text: 5n },
      reason: "arguments_invalid",
    },
  ],
  [
    "a hook that blocks a built-in tool",
    {
      options: { hooks: HOOKED },
      name: "read",
      params: { path: "notes.txt" },
      reason: "hook_blocked",
    },
  ],
  [
    "a hook that blocks a plain tool",
    {
      options: { hooks: HOOKED, tools: [plainEcho()] },
      name: "plain_echo",
      params: { text: "x" },
      reason: "hook_blocked",
    },
  ],
  [
    "an approval that nobody can give",
    {
      options: { hooks: { beforeCall: [() => ({ requireApproval: "It" })] } },
      name: "read",
      params: { path: "notes.txt" },
      reason: "no_approver",
    },
  ],
  [
    "a budget that is used up",
    {
      options: { config: { budgets: { calls: 0 } } },
      name: "read",
      params: { path: "notes.txt" },
      reason: "budget_used_up",
    },
  ],
];

describe("execute of an offered tool and invoke", () => {
  it.each(FORBIDDEN)("refuse alike: %s", async (_title, { options, name, params, reason }) => {
    const started = startToolkit(options);
    const invoked = await started.toolkit.invoke({ id: "c1", name, arguments: params });
    const executed = await offered(started, name).execute("c1", params);
    expect(executed).toEqual({
      content: invoked.content,
      details: invoked.details,
      isError: true,
    });
    expect(invoked.isError).toBe(true);
    expect(started.rows).toHaveLength(2);
    expect(started.rows[0]).toMatchObject({ reason, outcome: "stopped" });
    expect(timeless(started.rows[1])).toEqual(timeless(started.rows[0]));
  });

  it("answer alike when nothing is wrong", async () => {
    const started = startToolkit();
    const params = { path: "notes.txt" };
    const invoked = await started.toolkit.invoke({ id: "c1", name: "read", arguments: params });
    const executed = await offered(started, "read").execute("c1", params);
    expect(executed).toEqual({ content: invoked.content, details: invoked.details });
    expect(timeless(started.rows[1])).toEqual(timeless(started.rows[0]));
  });

  it("share one budget and one loop history", async () => {
    const started = startToolkit({ config: { budgets: { calls: 2 } } });
    await started.call("read", { arguments: { path: "notes.txt" } });
    await offered(started, "read").execute("c2", { path: "notes.txt" });
    expect((await started.call("read", { arguments: { path: "notes.txt" } })).isError).toBe(true);
    expect(started.toolkit.used().calls).toBe(2);
  });

  it("work for a tool that is an instance of a class", async () => {
    class Shelf {
      readonly #items = ["a", "b"];
      readonly parameters = { type: "object", properties: {} };
      get name() {
        return "shelf";
      }
      get description() {
        return "Lists the shelf.";
      }
      async execute() {
        return textResult(this.#items.join(" "));
      }
    }
    const started = startToolkit({ tools: [new Shelf()] });
    const tool = offered(started, "shelf");
    expect(tool.description).toBe("Lists the shelf.");
    expect(await tool.execute("c1", {})).toEqual(textResult("a b"));
  });

  it("pass signal and updates on", async () => {
    const { tool, begun, seen } = hangingTool();
    const started = startToolkit({ tools: [tool] });
    const controller = new AbortController();
    const answer = offered(started, "hang").execute("c1", {}, controller.signal);
    await begun;
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(seen.signal?.aborted).toBe(true);
    expect(started.rows).toEqual([expect.objectContaining({ outcome: "aborted" })]);
  });

  it("never hand out the tool's own function", async () => {
    const execute = vi.fn(async () => textResult("x"));
    const started = startToolkit({ tools: [plainEcho({ execute })], hooks: HOOKED });
    const tool = offered(started, "plain_echo");
    expect(tool.execute).not.toBe(execute);
    await tool.execute("c1", { text: "x" });
    expect(execute).not.toHaveBeenCalled();
  });

  it("stay under policy for a tool that is kept from before a toolkit was closed", async () => {
    const started = startToolkit();
    const tool = offered(started, "read");
    await started.toolkit.close();
    const result = await tool.execute("c1", { path: "notes.txt" });
    expect(result).toMatchObject({
      isError: true,
      details: { code: "unavailable", reason: "toolkit_closed" },
    });
  });
});

describe("whoever watches", () => {
  it("cannot change a call by throwing or rejecting, and is not heard of again", async () => {
    const { toolkit, call, rows } = startToolkit();
    const throwing = vi.fn(() => {
      throw new Error("listener is ill");
    });
    const rejecting = vi.fn(() => Promise.reject(new Error("listener is ill")));
    toolkit.on("call", throwing);
    toolkit.on("call", rejecting);
    for (let index = 0; index < 2; index++) {
      expect((await call("read", { arguments: { path: "notes.txt" } })).isError).toBe(false);
    }
    expect(rows).toHaveLength(2);
    expect(throwing).toHaveBeenCalledOnce();
    expect(rejecting).toHaveBeenCalledOnce();
  });

  it("that comes while another is told hears of the next call", async () => {
    const { toolkit, call } = startToolkit();
    const late = vi.fn();
    toolkit.on("call", () => void toolkit.on("call", late));
    await call("read", { arguments: { path: "notes.txt" } });
    expect(late).not.toHaveBeenCalled();
    await call("read", { arguments: { path: "notes.txt" } });
    expect(late).toHaveBeenCalledOnce();
  });

  it.each<[what: string, event: unknown, listener: unknown, words: RegExp]>([
    ["an event that does not exist", "cal", () => undefined, /no event "cal".*"call"/],
    ["what only looks like an event", "toString", () => undefined, /no event "toString"/],
    ["a listener that is no function", "call", {}, /takes a function/],
  ])("is refused with %s", (_what, event, listener, words) => {
    const { toolkit } = startToolkit();
    expect(() => Reflect.apply(toolkit.on, undefined, [event, listener])).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringMatching(words) }),
    );
  });

  it("can stop watching", async () => {
    const { toolkit, call } = startToolkit();
    const listener = vi.fn();
    const stop = toolkit.on("call", listener);
    await call("read", { arguments: { path: "notes.txt" } });
    stop();
    await call("read", { arguments: { path: "notes.txt" } });
    expect(listener).toHaveBeenCalledOnce();
  });
});
