// What hooks may do to a call, and that a hook which fails never lets one through.

import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "../../../test/fakes/manual-clock.js";
import type { ToolResult } from "../tool.js";
import { type AfterCallHook, type BeforeCallHook, runAfterHooks, runBeforeHooks } from "./hooks.js";
import { createCallScope } from "./scope.js";

const event = { toolCallId: "call_1", toolName: "say", params: { text: "first" } };
const never = () => new Promise<never>(() => undefined);
const says = (text: string): ToolResult => ({ content: [{ type: "text", text }] });

function startScope(signal?: AbortSignal) {
  const clock = createManualClock();
  return { clock, scope: createCallScope({ clock, signal }) };
}

function runBefore(...hooks: BeforeCallHook[]) {
  return runBeforeHooks(event, { hooks: { beforeCall: hooks }, ...startScope() });
}

function runAfter(result: ToolResult, ...hooks: AfterCallHook[]) {
  return runAfterHooks({ ...event, result }, { hooks: { afterCall: hooks }, ...startScope() });
}

describe("before hooks", () => {
  it("that say nothing change nothing", async () => {
    const outcome = await runBefore(
      () => undefined,
      async () => undefined,
      () => ({}),
    );
    expect(outcome).toEqual({ changed: false, params: { text: "first" }, approvals: [] });
  });

  it("see the arguments as the one before left them", async () => {
    const second = vi.fn<BeforeCallHook>(() => undefined);
    const outcome = await runBefore(() => ({ params: { text: "second" } }), second);
    expect(second).toHaveBeenCalledExactlyOnceWith({ ...event, params: { text: "second" } });
    expect(outcome).toEqual({ changed: true, params: { text: "second" }, approvals: [] });
  });

  it("that block end the call, and later ones are not asked", async () => {
    const later = vi.fn<BeforeCallHook>(() => undefined);
    await expect(runBefore(() => ({ block: "not on Sundays" }), later)).rejects.toMatchObject({
      code: "denied",
      reason: "hook_blocked",
      message: "say was blocked: not on Sundays",
    });
    expect(later).not.toHaveBeenCalled();
  });

  it("that change the arguments in place have changed them", async () => {
    const params = { text: "first", to: { names: ["a"] } };
    const second = vi.fn<BeforeCallHook>(() => undefined);
    const hooks: BeforeCallHook[] = [
      (seen) => {
        // As a caller without types could.
        (seen.params as typeof params).to.names.push("b");
        return undefined;
      },
      second,
    ];
    const run = { hooks: { beforeCall: hooks }, ...startScope() };
    const outcome = await runBeforeHooks({ ...event, params }, run);
    const changed = { text: "first", to: { names: ["a", "b"] } };
    expect(outcome).toEqual({ changed: true, params: changed, approvals: [] });
    expect(second).toHaveBeenCalledExactlyOnceWith({ ...event, params: changed });
    expect(params).toEqual({ text: "first", to: { names: ["a"] } });
  });

  it("that give arguments back mean those, and not what they left in place", async () => {
    const outcome = await runBefore((seen) => {
      (seen.params as { text: string }).text = "in place";
      return { params: null };
    });
    expect(outcome).toEqual({ changed: true, params: null, approvals: [] });
  });

  it.each<[what: string, answer: unknown, words: string]>([
    ["a false", false, "a boolean"],
    ["a word", "block", "a string"],
    ["block that is not a string", { block: true }, "block"],
    [
      "requireApproval that is not a string",
      { requireApproval: { title: "x" } },
      "requireApproval",
    ],
    ["a key that nobody knows", { blocked: "no" }, 'the key "blocked"'],
    [
      "what cannot be read",
      {
        get block(): never {
          throw new Error("broken guard");
        },
      },
      "broken guard",
    ],
  ])("that answer %s stop the call", async (_what, answer, words) => {
    // A caller without types may answer anything.
    await expect(runBefore(() => answer as never)).rejects.toMatchObject({
      code: "denied",
      reason: "hook_failed",
      message: expect.stringContaining(words),
    });
  });

  it("may answer null for nothing", async () => {
    const outcome = await runBefore(() => null as never);
    expect(outcome.changed).toBe(false);
  });

  it("collect what must be approved, in their order", async () => {
    const outcome = await runBefore(
      () => ({ requireApproval: "one" }),
      () => ({ requireApproval: "two", params: {} }),
    );
    expect(outcome).toEqual({ changed: true, params: {}, approvals: ["one", "two"] });
  });

  it.each<[how: string, hook: BeforeCallHook]>([
    [
      "throws",
      () => {
        throw new Error("broken guard");
      },
    ],
    ["reject", () => Promise.reject(new Error("broken guard"))],
  ])("that %s stop the call", async (_how, hook) => {
    await expect(runBefore(hook)).rejects.toMatchObject({
      code: "denied",
      reason: "hook_failed",
      message: expect.stringContaining("broken guard"),
    });
  });

  it("that hang stop the call after 15 seconds, and leave no timer", async () => {
    const { clock, scope } = startScope();
    const run = runBeforeHooks(event, { hooks: { beforeCall: [never] }, scope });
    const outcome = expect(run).rejects.toMatchObject({ code: "denied", reason: "hook_failed" });
    clock.advance(14_999);
    expect(clock.pending()).toBe(1);
    clock.advance(1);
    await outcome;
    expect(clock.pending()).toBe(0);
  });

  it("that hang end at once when the caller gives up", async () => {
    const controller = new AbortController();
    const { scope } = startScope(controller.signal);
    const run = runBeforeHooks(event, { hooks: { beforeCall: [never] }, scope });
    controller.abort();
    await expect(run).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("after hooks", () => {
  it("may replace the result, each seeing that of the one before", async () => {
    const second = vi.fn<AfterCallHook>(() => undefined);
    const result = await runAfter(says("raw"), () => says("redacted"), second);
    expect(result).toEqual(says("redacted"));
    expect(second).toHaveBeenCalledExactlyOnceWith({ ...event, result: says("redacted") });
  });

  it("cannot take the mark of untrusted content off by leaving it out", async () => {
    const result = await runAfter({ ...says("raw"), untrusted: { source: "mail" } }, () =>
      says("x"),
    );
    expect(result).toEqual({ ...says("x"), untrusted: { source: "mail" } });
  });

  it("cannot take the mark off in place either, nor leave a block that is none", async () => {
    const marked: ToolResult = { ...says("raw"), untrusted: { source: "mail" } };
    const result = await runAfter(marked, (seen) => {
      delete seen.result.untrusted;
      seen.result.content.push({ type: "text", text: "added" });
      return undefined;
    });
    expect(result.untrusted).toEqual({ source: "mail" });
    expect(result.content).toHaveLength(2);
    const broken = runAfter(marked, (seen) => {
      seen.result.content[0] = { type: "text" } as never;
      return undefined;
    });
    await expect(broken).rejects.toMatchObject({ reason: "hook_failed" });
    expect(marked).toEqual({ ...says("raw"), untrusted: { source: "mail" } });
  });

  it("may mark a result as untrusted", async () => {
    const marked = { ...says("raw"), untrusted: { source: "proxy" } };
    expect(await runAfter(says("raw"), () => marked)).toEqual(marked);
  });

  it.each<[how: string, hook: AfterCallHook]>([
    [
      "throw",
      () => {
        throw new Error("broken");
      },
    ],
    // A caller without types may give back anything.
    ["give back what is no result", () => ({ content: "text" }) as never],
  ])("that %s stop the call", async (_how, hook) => {
    await expect(runAfter(says("raw"), hook)).rejects.toMatchObject({
      code: "denied",
      reason: "hook_failed",
    });
  });
});
