// Requests as callers without types send them: whatever comes, the door answers with a result.

import { describe, expect, it, vi } from "vitest";
import { ToolError } from "../../src/core/errors.js";
import { createTurnBudget } from "../../src/core/invoke/budget.js";
import { type Callable, createCallableFactory } from "../../src/core/invoke/callable.js";
import type { Invoke } from "../../src/core/invoke/invoke.js";
import { eventually } from "../fakes/eventually.js";
import { createManualClock } from "../fakes/manual-clock.js";
import { createCallable, createHanging, createInvoker, says, textOf } from "./create-invoker.js";

const THEN = "then";

/** The door as a caller without types sees it. */
const untyped = (invoke: Invoke) => invoke as (request: unknown) => ReturnType<Invoke>;

describe("a request that is none", () => {
  const requests = [undefined, null, 5, "read", [], {}, { id: "x" }, { id: "x", name: 7 }];
  it.each(requests.map((request) => [request]))(
    "such as %j is refused, and leaves a row",
    async (request) => {
      const run = vi.fn<Callable["run"]>(async () => says("said"));
      const { invoke, rows } = createInvoker(createCallable({ run }));
      const result = await untyped(invoke)(request);
      expect(result.details).toMatchObject({ code: "invalid_input", reason: "request_invalid" });
      expect(result.toolCallId).not.toBe("");
      expect(rows[0]).toMatchObject({ stage: "find", reason: "request_invalid" });
      expect(run).not.toHaveBeenCalled();
    },
  );

  it("such as one that throws when it is read is refused", async () => {
    const { invoke } = createInvoker(createCallable());
    const throwing = {
      get name(): never {
        throw new Error("no");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const request of [throwing, proxy]) {
      const result = await untyped(invoke)(request);
      expect(result.details).toMatchObject({ reason: "request_invalid" });
    }
  });

  it("such as one with a signal behind it is refused, and says where the signal belongs", async () => {
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const { invoke } = createInvoker(createCallable({ run }));
    const withOptions = invoke as (request: object, options: unknown) => ReturnType<Invoke>;
    const call = { id: "call_1", name: "say" };
    const result = await withOptions(call, { signal: new AbortController().signal });
    expect(result).toMatchObject({ toolCallId: "call_1", isError: true });
    expect(result.details).toMatchObject({ reason: "request_invalid" });
    expect(textOf(result)).toContain(
      "put signal, onUpdate and turn next to id, name and arguments",
    );
    expect(run).not.toHaveBeenCalled();
  });

  it("names every wrong field at once", async () => {
    const { invoke } = createInvoker(createCallable());
    const wrong = { id: 5, name: {}, signal: {}, onUpdate: "x", turn: {} };
    const text = textOf(await untyped(invoke)(wrong));
    for (const field of ["id", "name", "signal", "onUpdate", "turn"]) {
      expect(text).toContain(`${field} must be`);
    }
  });

  it.each([
    ["an object", {}],
    ["options of another library", { abortSignal: AbortSignal.abort() }],
    ["a controller", new AbortController()],
  ])("such as one with %s for its signal is refused and leaves no timer", async (_, signal) => {
    const { invoke, clock } = createInvoker(createCallable());
    const result = await untyped(invoke)({ id: "x", name: "say", signal });
    expect(result.details).toMatchObject({ code: "invalid_input", reason: "signal_invalid" });
    expect(clock.pending()).toBe(0);
  });

  it("takes null for what is left out", async () => {
    const { invoke } = createInvoker(createCallable());
    const request = { id: null, name: "say", signal: null, onUpdate: null, turn: null };
    expect((await untyped(invoke)(request)).isError).toBe(false);
  });
});

describe("the id of a call", () => {
  it.each([undefined, null, ""])("is made when it is %j", async (id) => {
    const { invoke, rows } = createInvoker(createCallable());
    const result = await untyped(invoke)({ id, name: "say" });
    expect(result.isError).toBe(false);
    expect(result.toolCallId).toBe(`made_${"0".repeat(24)}`);
    expect(rows[0]?.toolCallId).toBe(result.toolCallId);
  });

  it("may have 2,000 characters and no more", async () => {
    const { call, rows } = createInvoker(createCallable());
    expect((await call({ id: "x".repeat(2_000) })).isError).toBe(false);
    const result = await call({ id: "x".repeat(100_000) });
    expect(result.details).toMatchObject({ reason: "request_invalid" });
    expect(result.toolCallId).toHaveLength(2_000);
    expect(rows[1]?.toolCallId).toHaveLength(2_000);
  });

  it("may be that of another call, also of one under way", async () => {
    const first = createHanging();
    let calls = 0;
    const run: Callable["run"] = () => {
      calls += 1;
      return calls === 1 ? first.run() : Promise.resolve(says("second"));
    };
    const controller = new AbortController();
    const { call, journal, rows } = createInvoker(createCallable({ run }));
    const hanging = call({ signal: controller.signal });
    await first.begun;
    expect(textOf(await call())).toBe("second");
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ code: "aborted" });
    expect(journal.map(({ end }) => end?.outcome)).toEqual(["interrupted", "ok"]);
    expect(rows.map(({ outcome }) => outcome)).toEqual(["ok", "aborted"]);
  });
});

it("a name of many characters is cut in the row and in the answer", async () => {
  const { invoke, rows } = createInvoker(createCallable(), {
    find: (name) => createCallable({ name }),
  });
  const result = await invoke({ id: "call_1", name: "x".repeat(100_000) });
  expect(result.toolName).toHaveLength(128);
  expect(rows[0]?.toolName).toHaveLength(128);
});

describe("the arguments of a call", () => {
  const plain = {
    name: "say",
    description: "Says.",
    parameters: { type: "object", properties: { text: { type: "string" } } },
    execute: async (_id: string, params: unknown) => says(JSON.stringify(params)),
  };
  const ports = {
    clock: createManualClock(),
    random: { hex: () => "00" },
    guard: { run: <T>(work: () => T) => work() },
  };
  const tool = createCallableFactory(ports).fromTool(plain);

  it.each([
    ["undefined", undefined],
    ["null", null],
    ["text of nothing", ""],
    ["the text null", "null"],
    ["the text null with spaces", " null\n"],
  ])("are an empty object when they are %s", async (_what, given) => {
    expect(textOf(await createInvoker(tool).call({ arguments: given }))).toBe("{}");
  });

  it.each<[what: string, given: unknown, reason: string]>([
    ["a list", [], "arguments_not_object"],
    ["text of a list", "[]", "arguments_not_object"],
    ["a number", 5, "arguments_not_object"],
    ["text of a text", '"text"', "arguments_not_object"],
    ["a Map", new Map(), "arguments_not_object"],
    ["no JSON", "{", "arguments_not_json"],
    ["undefined as text", "undefined", "arguments_not_json"],
  ])("are refused when they are %s", async (_what, given, reason) => {
    const result = await createInvoker(tool).call({ arguments: given });
    expect(result.details).toMatchObject({ code: "invalid_input", reason });
    expect(textOf(result)).not.toContain("a object");
  });

  it("do not change under the tool when the caller changes them later", async () => {
    const open = createCallableFactory(ports).fromTool({
      ...plain,
      parameters: { type: "object", properties: { any: {} } },
    });
    const given = { any: { list: [1] } };
    const beforeCall = [
      async () => {
        given.any.list.push(2);
        return undefined;
      },
    ];
    const { call } = createInvoker(open, { hooks: { beforeCall } });
    expect(textOf(await call({ arguments: given }))).toBe('{"any":{"list":[1]}}');
  });
});

it("calls of one turn share its allowance, and a call without one has its own", async () => {
  const run = async () => says("x".repeat(60));
  const { call } = createInvoker(createCallable({ run }), { turns: createTurnBudget(100) });
  expect(textOf(await call({ turn: "a" }))).toHaveLength(60);
  expect(textOf(await call({ turn: "a" }))).toContain("20 of 60 characters left out");
  expect(textOf(await call())).toHaveLength(60);
});

describe("onUpdate", () => {
  const updating = createCallable({
    run: async ({ update }) => {
      update({ details: 1 });
      await Promise.resolve();
      update({ details: 2 });
      return says("said");
    },
  });

  it.each<[how: string, onUpdate: () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    [
      "gives back what rejects like a promise",
      () => ({
        [THEN]: (_resolve: unknown, reject: (error: Error) => void) => reject(new Error()),
      }),
    ],
  ])("that %s is reported and harms nobody", async (_how, onUpdate) => {
    const { call, reports } = createInvoker(updating);
    expect(textOf(await call({ onUpdate }))).toBe("said");
    await eventually(() => expect(reports[0]).toContain("onUpdate of a say call failed"));
  });
});

describe("a name in another case", () => {
  const unknown = new ToolError("not_found", "There is no such tool.", { reason: "tool_unknown" });
  const denied = new ToolError("denied", "Not here.", { reason: "tool_denied" });
  const find = (name: string) => {
    if (name === "say" || name === "Loud") return createCallable({ name });
    return name === "hush" ? denied : unknown;
  };

  it.each([
    ["Say", "say", undefined],
    ["SAY", "say", undefined],
    ["Loud", "Loud", undefined],
    ["loud", "loud", "tool_unknown"],
    ["Hush", "Hush", "tool_denied"],
    ["Nope", "Nope", "tool_unknown"],
  ])("%s finds %s, or says why not", async (name, toolName, reason) => {
    const { invoke } = createInvoker(createCallable(), { find });
    const result = await invoke({ id: "call_1", name });
    expect(result.toolName).toBe(toolName);
    expect(Reflect.get(Object(result.details), "reason")).toBe(reason);
  });
});
