// One call of a defined tool from load to answer: it always ends, and always with a bounded result
// or with the caller's own abort.
import {
  createClawtools,
  defineTool,
  errorResult,
  type ToolCall,
  ToolError,
  ToolRegistry,
  type ToolResult,
  type ToolUpdate,
  t,
  textResult,
} from "clawtools";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { eventually } from "../fakes/eventually.js";
import { createManualClock, createRegistryOn } from "../fakes/manual-clock.js";
import { bindAlone, resolveTool } from "../fakes/resolve-tool.js";

const DEFAULT_RESULT_CHARS = 50_000;
/** Room for the sentence that says what was cut. */
const NOTICE_CHARS = 200;
/** A call that would never end fails its test soon. */
const SOON = { timeout: 30_000 };

type Implementation = (call: ToolCall) => Promise<ToolResult>;

function defineProbe(execute: Implementation) {
  return defineTool({
    name: "probe",
    description: "Does what its test tells it.",
    parameters: { type: "object", properties: {} },
    execute,
  });
}

const run = (execute: Implementation) => bindAlone(defineProbe(execute)).execute("call_1", {});
const never = () => new Promise<never>(() => undefined);

function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe("load", () => {
  function defineLoaded(load: () => Promise<{ execute: Implementation }>) {
    return defineTool({
      name: "loaded",
      description: "Lives in a module of its own.",
      parameters: { type: "object", properties: {} },
      load,
    });
  }

  it("runs at the first call, once for all calls and contexts of a registry", async () => {
    const load = vi.fn(async () => ({ execute: async () => textResult("ran") }));
    const registry = new ToolRegistry();
    registry.register(defineLoaded(load));
    registry.resolveAll();
    registry.explain();
    expect(load).not.toHaveBeenCalled();
    const first = resolveTool({ registry, name: "loaded" });
    const second = resolveTool({ registry, name: "loaded", ctx: { root: "/other" } });
    const results = await Promise.all([
      first.execute("call_1", {}),
      first.execute("call_2", {}),
      second.execute("call_3", {}),
    ]);
    expect(results.map(textOf)).toEqual(["ran", "ran", "ran"]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("is tried again after a failure, which is an error result", async () => {
    const load = vi
      .fn<() => Promise<{ execute: Implementation }>>()
      .mockRejectedValueOnce(new Error("Cannot find package 'sharp'"))
      .mockResolvedValue({ execute: async () => textResult("ran") });
    const tool = bindAlone(defineLoaded(load));
    expect(await tool.execute("call_1", {})).toMatchObject({
      isError: true,
      details: { tool: "loaded", error: expect.stringContaining("sharp") },
    });
    expect(textOf(await tool.execute("call_2", {}))).toBe("ran");
    expect(textOf(await tool.execute("call_3", {}))).toBe("ran");
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("that never ends is left behind when the caller aborts", SOON, async () => {
    const caller = new AbortController();
    const called = bindAlone(defineLoaded(never)).execute("call_1", {}, caller.signal);
    caller.abort();
    await expect(called).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("deadline and abort", () => {
  it("a call that outlasts its deadline answers timeout, and its tool learns of it", async () => {
    const clock = createManualClock();
    const registry = createRegistryOn(clock);
    let seen: AbortSignal | undefined;
    registry.register(
      defineTool({
        name: "slow",
        description: "Never ends.",
        parameters: { type: "object", properties: {} },
        deadlineMs: 5_000,
        execute: ({ signal }) => {
          seen = signal;
          return never();
        },
      }),
    );
    const called = registry.resolve("slow")?.execute("call_1", {});
    await eventually(() => expect(seen).toBeDefined());
    clock.advance(4_999);
    expect(seen?.aborted).toBe(false);
    clock.advance(1);
    expect(await called).toMatchObject({
      isError: true,
      details: {
        code: "timeout",
        reason: "deadline_passed",
        error: expect.stringContaining("5 seconds"),
      },
    });
    expect(seen?.aborted).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  const stuck = { name: "stuck", description: "Gets stuck.", deadlineMs: 5_000 };
  const stuckAtLoad = defineTool({ ...stuck, parameters: t.object({}), load: never });
  const stuckAtCheck = defineTool({
    ...stuck,
    parameters: z.object({ word: z.string().optional().refine(never) }),
    execute: never,
  });

  it.each([
    ["load", stuckAtLoad],
    ["check", stuckAtCheck],
  ])("a %s that never ends is under the deadline too", SOON, async (_what, definition) => {
    const clock = createManualClock();
    const registry = createRegistryOn(clock);
    registry.register(definition);
    const called = registry.resolve("stuck")?.execute("call_1", {});
    await eventually(() => expect(clock.pending()).toBe(1));
    clock.advance(5_000);
    expect(await called).toMatchObject({ isError: true, details: { code: "timeout" } });
    expect(clock.pending()).toBe(0);
  });

  it("a caller who gave up while the tool was loaded causes no effect", SOON, async () => {
    const caller = new AbortController();
    const execute = vi.fn(async () => textResult("too late"));
    let finishLoad: (module: { execute: typeof execute }) => void = () => undefined;
    const loading = new Promise<{ execute: typeof execute }>((resolve) => {
      finishLoad = resolve;
    });
    const definition = defineTool({ ...stuck, parameters: z.object({}), load: () => loading });
    const called = bindAlone(definition).execute("call_1", {}, caller.signal);
    caller.abort();
    await expect(called).rejects.toMatchObject({ name: "AbortError" });
    finishLoad({ execute });
    // What the late module sets off has run by the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(execute).not.toHaveBeenCalled();
  });

  it("the deadline holds on the clock of the library too", SOON, async () => {
    const tool = bindAlone(
      defineTool({
        name: "slow",
        description: "Never ends.",
        parameters: { type: "object", properties: {} },
        deadlineMs: 20,
        execute: never,
      }),
    );
    expect((await tool.execute("call_1", {})).details).toMatchObject({ code: "timeout" });
  });

  it("a call that ends leaves no timer and no listener behind", async () => {
    const clock = createManualClock();
    const registry = createRegistryOn(clock);
    registry.register(defineProbe(async () => textResult("done")));
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    await registry.resolve("probe")?.execute("call_1", {}, signal);
    expect(clock.pending()).toBe(0);
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });

  it.each([{}, { abortSignal: new AbortController().signal }, "stop"])(
    "a signal that is none, such as %j, is refused and leaves no timer",
    async (signal) => {
      const clock = createManualClock();
      const registry = createRegistryOn(clock);
      registry.register(defineProbe(async () => textResult("done")));
      const tool = registry.resolve("probe");
      // Callers without types send anything.
      const result = await tool?.execute("call_1", {}, signal as unknown as AbortSignal);
      expect(result?.details).toMatchObject({ code: "invalid_input", reason: "signal_invalid" });
      expect(clock.pending()).toBe(0);
    },
  );

  it(
    "abort by the caller throws AbortError, even when the tool ignores its signal",
    SOON,
    async () => {
      const caller = new AbortController();
      let begun: () => void = () => undefined;
      const running = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const tool = bindAlone(
        defineProbe(() => {
          begun();
          return never();
        }),
      );
      const called = tool.execute("call_1", {}, caller.signal);
      await running;
      const why = new Error("the user pressed escape");
      caller.abort(why);
      await expect(called).rejects.toMatchObject({
        name: "AbortError",
        code: "aborted",
        cause: why,
      });
    },
  );

  it("abort by the caller reaches the tool as its own signal", SOON, async () => {
    const caller = new AbortController();
    const tool = bindAlone(
      defineProbe(({ signal, update }) => {
        update({ details: "running" });
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("cleaned up")));
        });
      }),
    );
    const called = tool.execute("call_1", {}, caller.signal, () => caller.abort());
    await expect(called).rejects.toMatchObject({ name: "AbortError" });
  });

  it("abort by the caller ends a check that never ends", SOON, async () => {
    const caller = new AbortController();
    const tool = bindAlone(
      defineTool({
        name: "stuck_check",
        description: "Its schema never answers.",
        parameters: z.object({ word: z.string().refine(never) }),
        execute: async () => textResult("never"),
      }),
    );
    const called = tool.execute("call_1", { word: "x" }, caller.signal);
    caller.abort();
    await expect(called).rejects.toMatchObject({ name: "AbortError" });
  });

  it("an AbortError of the tool's own, without an abort by the caller, is a result", async () => {
    const result = await run(async () => {
      throw new DOMException("inner request aborted", "AbortError");
    });
    expect(result).toMatchObject({ isError: true, details: { code: "aborted" } });
  });
});

describe("updates", () => {
  it("after the call has settled are dropped", async () => {
    let late: ((partial: ToolUpdate) => void) | undefined;
    const onUpdate = vi.fn();
    const tool = bindAlone(
      defineProbe(async ({ update }) => {
        late = update;
        update({ details: 1 });
        return textResult("done");
      }),
    );
    await tool.execute("call_1", {}, undefined, onUpdate);
    late?.({ details: 2 });
    expect(onUpdate.mock.calls).toEqual([[{ details: 1 }]]);
  });

  it("to a callback that throws do not break the call, and are a diagnostic", async () => {
    const { tools } = createClawtools();
    tools.register(
      defineProbe(async ({ update }) => {
        update({ details: 1 });
        update({ details: 2 });
        return textResult("done");
      }),
    );
    const cause = new Error("broken pipe");
    const onUpdate = vi.fn(() => {
      throw cause;
    });
    const tool = resolveTool({ registry: tools, name: "probe" });
    expect(textOf(await tool.execute("call_1", {}, undefined, onUpdate))).toBe("done");
    expect(onUpdate).toHaveBeenCalledTimes(1);
    expect(tools.diagnostics()).toEqual([
      expect.objectContaining({ code: "update_callback_threw", toolId: "probe", cause }),
    ]);
  });
});

describe("the bound of a result", () => {
  it("leaves text of 50,000 characters as it is", async () => {
    const text = "x".repeat(DEFAULT_RESULT_CHARS);
    expect(await run(async () => textResult(text))).toEqual(textResult(text));
  });

  it("cuts longer text in its middle and says how much is missing", async () => {
    const text = `BEGIN${"x".repeat(60_000 - 8)}END`;
    const shown = textOf(await run(async () => textResult(text, { kept: true })));
    expect(shown.length).toBeLessThanOrEqual(DEFAULT_RESULT_CHARS + NOTICE_CHARS);
    expect(shown).toMatch(/^BEGINx/);
    expect(shown).toMatch(/xEND$/);
    expect(shown).toContain("10000 of 60000 characters left out");
  });

  it("keeps the details of a cut result", async () => {
    const result = await run(async () => textResult("x".repeat(60_000), { rows: 3 }));
    expect(result.details).toEqual({ rows: 3 });
  });

  it("is limits.resultChars of the config, which the tool sees too", async () => {
    const definition = defineProbe(async ({ ctx }) =>
      textResult("x".repeat(5_000), ctx.limits.resultChars),
    );
    const config = { limits: { resultChars: 2_000 } };
    const cut = await bindAlone(definition, { config }).execute("call_1", {});
    expect(textOf(cut).length).toBeLessThanOrEqual(2_000 + NOTICE_CHARS);
    expect(textOf(cut)).toContain("3000 of 5000 characters left out");
    expect(cut.details).toBe(2_000);
    for (const resultChars of [0, -1, "2000", Number.NaN, 999, 1e9 + 0.5, null]) {
      const kept = await bindAlone(definition, { config: { limits: { resultChars } } }).execute(
        "call_2",
        {},
      );
      expect(kept.details, String(resultChars)).toBe(DEFAULT_RESULT_CHARS);
    }
  });

  it("holds for many blocks together", async () => {
    const block = { type: "text" as const, text: "x".repeat(10) };
    const result = await run(async () => ({
      content: Array.from({ length: 20_000 }, () => block),
    }));
    expect(textOf(result).length).toBeLessThanOrEqual(DEFAULT_RESULT_CHARS + NOTICE_CHARS);
    expect(textOf(result)).toMatch(/left out/);
    expect(result.content.length).toBeLessThan(1_000);
  });

  it("holds for the text of an error", async () => {
    const result = await run(async () => {
      throw new ToolError("failed", "y".repeat(200_000));
    });
    expect(result.isError).toBe(true);
    expect(textOf(result).length).toBeLessThanOrEqual(DEFAULT_RESULT_CHARS + NOTICE_CHARS);
  });

  it("never cuts a character in two", async () => {
    for (const text of [
      "😀".repeat(30_000),
      `a${"😀".repeat(30_000)}`,
      `${"😀".repeat(30_000)}a`,
    ]) {
      const shown = textOf(await run(async () => textResult(text)));
      expect(shown).toContain("left out");
      expect(shown).not.toMatch(/\p{Surrogate}/u);
    }
  });
});

describe("what a tool gives back or throws", () => {
  const garbage: readonly unknown[] = [
    undefined,
    null,
    "text",
    7,
    [],
    {},
    { content: "text" },
    { content: [null] },
    { content: [{ type: "text" }] },
    { content: [{ type: "video", data: "" }] },
  ];

  it.each(garbage.map((value, index) => ({ value, index })))(
    "that is no result ($index) is an internal error result",
    async ({ value }) => {
      const definition = defineProbe(async () => textResult(""));
      const broken = { ...definition, load: async () => ({ execute: async () => value }) };
      const registry = new ToolRegistry();
      Reflect.apply(registry.register, registry, [broken]);
      const result = await resolveTool({ registry, name: "probe" }).execute("call_1", {});
      expect(result).toMatchObject({
        isError: true,
        details: { status: "error", tool: "probe", code: "internal", reason: "result_invalid" },
      });
    },
  );

  it("that throws when it is read is an internal error result", async () => {
    const result = await run(async () =>
      Object.defineProperty(textResult(""), "content", { get: throwIt }),
    );
    expect(result).toMatchObject({ isError: true, details: { code: "internal" } });
  });

  const hostile: ReadonlyArray<readonly [string, () => unknown]> = [
    ["undefined", () => undefined],
    ["null", () => null],
    ["a symbol", () => Symbol("s")],
    ["a function", () => () => undefined],
    ["a bigint", () => 10n],
    ["an object without prototype", () => Object.create(null)],
    ["an error without message", () => new Error("")],
    ["an error of 10 MB", () => new Error("z".repeat(10_000_000))],
    ["a cyclic object", () => createCycle()],
    ["a message that throws", () => Object.defineProperty({}, "message", { get: throwIt })],
    ["a proxy that throws at every touch", () => createHostileProxy()],
    ["a revoked proxy", () => createRevokedProxy()],
  ];

  it.each(hostile)("being %s thrown is an error result", async (_what, create) => {
    const result = await run(async () => {
      throw create();
    });
    expect(result).toMatchObject({ isError: true, details: { code: "internal" } });
    expect(textOf(result).length).toBeLessThan(5_000);
    expect(JSON.parse(textOf(result))).toEqual({
      status: "error",
      tool: "probe",
      error: expect.stringMatching(/\S/),
    });
  });

  it("thrown before the first await is an error result too", async () => {
    const result = await run(() => {
      throw new ToolError("not_found", "No such note.", { reason: "note_missing" });
    });
    expect(result).toMatchObject({
      isError: true,
      content: [
        { type: "text", text: '{"status":"error","tool":"probe","error":"No such note."}' },
      ],
      details: { code: "not_found", reason: "note_missing" },
    });
  });

  it("as an error result of its own passes as it is", async () => {
    const own = errorResult("probe", "my own words");
    expect(await run(async () => own)).toEqual(own);
  });
});

function throwIt(): never {
  throw new Error("hostile");
}

function createCycle(): object {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  return cycle;
}

function createHostileProxy(): object {
  return new Proxy({}, { get: throwIt, has: throwIt, getPrototypeOf: throwIt, ownKeys: throwIt });
}

function createRevokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
