// What hooks may do to a call, and that a hook which fails never lets one through.

import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "../../../test/fakes/manual-clock.js";
import type { ToolResult } from "../tool.js";
import {
  type AfterCallHook,
  askApproval,
  type BeforeCallHook,
  runAfterHooks,
  runBeforeHooks,
} from "./hooks.js";

const event = { toolCallId: "call_1", toolName: "say", params: { text: "first" } };
const request = { ...event, title: "say something" };
const never = () => new Promise<never>(() => undefined);
const says = (text: string): ToolResult => ({ content: [{ type: "text", text }] });

function runBefore(...hooks: BeforeCallHook[]) {
  const { signal } = new AbortController();
  return runBeforeHooks(event, {
    hooks: { beforeCall: hooks },
    clock: createManualClock(),
    signal,
  });
}

function runAfter(result: ToolResult, ...hooks: AfterCallHook[]) {
  const { signal } = new AbortController();
  const run = { hooks: { afterCall: hooks }, clock: createManualClock(), signal };
  return runAfterHooks({ ...event, result }, run);
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
    const clock = createManualClock();
    const { signal } = new AbortController();
    const run = runBeforeHooks(event, { hooks: { beforeCall: [never] }, clock, signal });
    const outcome = expect(run).rejects.toMatchObject({ code: "denied", reason: "hook_failed" });
    clock.advance(14_999);
    expect(clock.pending()).toBe(1);
    clock.advance(1);
    await outcome;
    expect(clock.pending()).toBe(0);
  });

  it("that hang end at once when the caller gives up", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const clock = createManualClock();
    const run = runBeforeHooks(event, { hooks: { beforeCall: [never] }, clock, signal });
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

describe("an approval", () => {
  const { signal } = new AbortController();

  it.each(["allow-once", "allow-always"] as const)("is given by %s", async (decision) => {
    const approver = vi.fn(async () => ({ decision }));
    await askApproval(request, { approver, signal });
    expect(approver).toHaveBeenCalledExactlyOnceWith(request, { signal });
  });

  it("is refused with the words of whoever refused", async () => {
    const approver = async () => ({ decision: "deny" as const, reason: "too loud" });
    await expect(askApproval(request, { approver, signal })).rejects.toMatchObject({
      code: "denied",
      reason: "not_approved",
      message: "say something was not approved: too loud",
    });
  });

  it("is refused when there is nobody to ask", async () => {
    const asked = askApproval(request, { approver: undefined, signal });
    await expect(asked).rejects.toMatchObject({ code: "approval_required", reason: "no_approver" });
  });

  it.each<[how: string, answer: unknown]>([
    ["nothing", undefined],
    ["an unknown word", { decision: "yes" }],
    ["a plain true", true],
  ])("is not given by %s", async (_how, answer) => {
    // A caller without types may answer anything.
    const approver = async () => answer as never;
    await expect(askApproval(request, { approver, signal })).rejects.toThrow();
  });
});
