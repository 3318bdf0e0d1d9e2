// Calls that are stopped, again and again or on their way: what the model is told, what the journal
// and the audit keep, and how long anybody is waited for.

import { describe, expect, it, vi } from "vitest";
import { ToolError, ToolInputError } from "../../src/core/errors.js";
import type { Callable } from "../../src/core/invoke/callable.js";
import { createLoopGuard } from "../../src/core/invoke/loop.js";
import { errorResult } from "../../src/core/results.js";
import { createCallable, createHanging, createInvoker, says, textOf } from "./create-invoker.js";

const refusing = createCallable({
  readArguments: () =>
    Promise.reject(new ToolInputError("text: required.", { reason: "arguments_invalid" })),
});
const never = () => new Promise<never>(() => undefined);

describe("the same refused call over and over", () => {
  it("is told at the 10th, stopped at the 21st, and the audit has the reason", async () => {
    const { call, rows } = createInvoker(refusing);
    const answers: string[] = [];
    for (let index = 0; index < 22; index += 1) {
      answers.push(textOf(await call({ arguments: { txt: "hi" } })));
    }
    expect(answers[8]).not.toContain("Loop:");
    expect(answers[9]).toContain("Loop: say was called 10 times in a row without progress");
    expect(rows[19]).toMatchObject({ stage: "arguments", reason: "arguments_invalid" });
    expect(rows[20]).toMatchObject({ stage: "arguments", outcome: "stopped", reason: "tool_loop" });
    expect(answers[21]).toContain("It is not run again.");
  });

  it.each<[what: string, more: Parameters<typeof createInvoker>[1], reason: string]>([
    ["a hook blocks", { hooks: { beforeCall: [() => ({ block: "no" })] } }, "hook_blocked"],
    [
      "nobody approves",
      { hooks: { beforeCall: [() => ({ requireApproval: "it" })] } },
      "no_approver",
    ],
    [
      "policy denies",
      {
        authorize: () => {
          throw new ToolError("denied", "no", { reason: "tool_denied" });
        },
      },
      "tool_denied",
    ],
  ])("is stopped when %s", async (_what, more, reason) => {
    const { call, rows } = createInvoker(createCallable(), more);
    for (let index = 0; index < 21; index += 1) await call();
    expect(rows[19]?.reason).toBe(reason);
    expect(rows[20]?.reason).toBe("tool_loop");
  });

  it("is told and stopped when there is no such tool", async () => {
    const find = () => new ToolError("not_found", "There is no such tool.", { reason: "unknown" });
    const { call, rows } = createInvoker(createCallable(), { find });
    const answers: string[] = [];
    for (let index = 0; index < 11; index += 1) {
      answers.push(textOf(await call({ arguments: { index } })));
    }
    expect(answers[9]).toContain("10 calls in a row");
    expect(rows[10]).toMatchObject({ stage: "find", reason: "tool_loop" });
  });

  it("does not keep the mended call from running", async () => {
    const readArguments: Callable["readArguments"] = async (raw) => {
      if (raw === "bad") throw new ToolInputError("bad");
      return raw;
    };
    const { call, rows } = createInvoker(createCallable({ readArguments }));
    for (let index = 0; index < 25; index += 1) await call({ arguments: "bad" });
    expect(rows.at(-1)?.reason).toBe("tool_loop");
    expect((await call({ arguments: "good" })).isError).toBe(false);
  });

  it("counts a tool that runs into its deadline each time", async () => {
    const deadlineMs = 5;
    const loop = createLoopGuard({ warnAt: 2, stopAt: 3 });
    let hanging = createHanging();
    const run = () => hanging.run();
    const invoker = createInvoker(createCallable({ run, deadlineMs }), { loop });
    const texts: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      hanging = createHanging();
      const answer = invoker.call();
      await hanging.begun;
      invoker.clock.advance(deadlineMs);
      texts.push(textOf(await answer));
    }
    expect(texts[1]).toContain("2 times in a row");
    await invoker.call();
    expect(invoker.rows.map(({ reason }) => reason)).toEqual([
      "deadline_passed",
      "deadline_passed",
      "deadline_passed",
      "tool_loop",
    ]);
  });

  it("does not count calls that the caller gave up", async () => {
    const loop = createLoopGuard({ warnAt: 1, stopAt: 1 });
    const beforeCall = [never];
    const invoker = createInvoker(createCallable(), { loop, hooks: { beforeCall } });
    for (let index = 0; index < 5; index += 1) {
      const controller = new AbortController();
      const answer = invoker.call({ signal: controller.signal });
      controller.abort();
      await expect(answer).rejects.toMatchObject({ code: "aborted" });
    }
    expect(invoker.rows.map(({ outcome }) => outcome)).toEqual(Array(5).fill("aborted"));
  });
});

describe("31 calls that all answer ok", () => {
  it("shut no door, neither for their tool nor for another", async () => {
    const { call } = createInvoker(createCallable());
    for (let index = 0; index < 40; index += 1) {
      expect((await call({ arguments: { index } })).isError).toBe(false);
    }
  });
});

describe("waiting for an approval", () => {
  const hooks = { beforeCall: [() => ({ requireApproval: "say it" })] };

  it("takes nothing from the tool's deadline", async () => {
    const asking = createHanging();
    let answer: (decision: { decision: "allow-once" }) => void = () => undefined;
    const approver = () => {
      asking.run();
      return new Promise<{ decision: "allow-once" }>((resolve) => {
        answer = resolve;
      });
    };
    const run: Callable["run"] = async () => {
      invoker.clock.advance(1_900);
      return says("said");
    };
    const invoker = createInvoker(createCallable({ run, deadlineMs: 2_000 }), { approver, hooks });
    const called = invoker.call();
    await asking.begun;
    invoker.clock.advance(4 * 60_000);
    answer({ decision: "allow-once" });
    expect(textOf(await called)).toBe("said");
  });

  it.each([
    ["5 minutes unless set", undefined, 300_000],
    ["what was set", 7_000, 7_000],
  ])("ends after %s, and the tool does not run", async (_what, approvalLimitMs, limitMs) => {
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const asking = createHanging();
    const invoker = createInvoker(createCallable({ run }), {
      approver: asking.run,
      hooks,
      approvalLimitMs,
    });
    const called = invoker.call();
    await asking.begun;
    invoker.clock.advance(limitMs - 1);
    expect(invoker.rows).toEqual([]);
    invoker.clock.advance(1);
    expect((await called).details).toMatchObject({ code: "approval_required" });
    expect(invoker.rows[0]).toMatchObject({ stage: "before", reason: "approval_timeout" });
    expect(run).not.toHaveBeenCalled();
    expect(invoker.journal).toEqual([]);
  });
});

describe("a tool that ignores its abort", () => {
  it("has an end in the journal when the caller is told", async () => {
    const { begun, run } = createHanging();
    const controller = new AbortController();
    const invoker = createInvoker(createCallable({ run }));
    const called = invoker.call({ signal: controller.signal });
    await begun;
    invoker.clock.advance(3);
    controller.abort();
    await expect(called).rejects.toMatchObject({ code: "aborted" });
    expect(invoker.journal[0]?.end).toEqual({ outcome: "interrupted", atMs: 3 });
  });

  it("has one when its deadline passes", async () => {
    const { begun, run } = createHanging();
    const invoker = createInvoker(createCallable({ run, deadlineMs: 10 }));
    const called = invoker.call();
    await begun;
    invoker.clock.advance(10);
    expect((await called).details).toMatchObject({ reason: "deadline_passed" });
    expect(invoker.journal[0]?.end?.outcome).toBe("interrupted");
  });

  it("has one when the owner closes", async () => {
    const { begun, run } = createHanging();
    const closing = new AbortController();
    const invoker = createInvoker(createCallable({ run }), { closing: closing.signal });
    const called = invoker.call();
    await begun;
    closing.abort(new ToolError("unavailable", "shut", { reason: "toolkit_closed" }));
    expect((await called).details).toMatchObject({ reason: "toolkit_closed" });
    expect(invoker.journal[0]?.end?.outcome).toBe("interrupted");
  });
});

describe("the journal", () => {
  it("knows how a tool ended whose after hook failed", async () => {
    const afterCall = [() => Promise.reject(new Error("broken"))];
    const invoker = createInvoker(createCallable(), { hooks: { afterCall } });
    expect((await invoker.call()).details).toMatchObject({ reason: "hook_failed" });
    expect(invoker.journal[0]?.end?.outcome).toBe("ok");
    expect(invoker.rows[0]).toMatchObject({ stage: "bound", reason: "hook_failed" });
  });

  it("that takes no intent keeps the tool from running", async () => {
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const broken = createInvoker(createCallable({ run }), {
      journal: { intend: () => Promise.reject(new Error("disk is full")) },
    });
    expect(textOf(await broken.call())).toContain("disk is full");
    const writing = createHanging();
    const silent = createInvoker(createCallable({ run }), { journal: { intend: writing.run } });
    const called = silent.call();
    await writing.begun;
    silent.clock.advance(10_000);
    expect((await called).details).toMatchObject({ reason: "journal_timeout" });
    expect(run).not.toHaveBeenCalled();
    expect(silent.rows[0]).toMatchObject({ stage: "budget", code: "unavailable" });
  });

  it("that takes no end is reported, and the answer is given", async () => {
    const broken = createInvoker(createCallable(), {
      journal: { intend: async () => () => Promise.reject(new Error("disk is full")) },
    });
    expect(textOf(await broken.call())).toBe("said");
    expect(broken.reports).toEqual(["The journal could not record the end of a say call."]);
    const writing = createHanging();
    const silent = createInvoker(createCallable(), {
      journal: { intend: async () => writing.run },
    });
    const called = silent.call();
    await writing.begun;
    silent.clock.advance(10_000);
    expect(textOf(await called)).toBe("said");
    expect(silent.reports).toHaveLength(1);
  });
});

describe("the audit row", () => {
  it.each<[what: string, run: Callable["run"], code: string, reason: string | undefined]>([
    [
      "of a ToolError has its code and reason",
      () => Promise.reject(new ToolError("not_found", "gone", { reason: "file_missing" })),
      "not_found",
      "file_missing",
    ],
    [
      "of any other error says internal",
      () => Promise.reject(new Error("x")),
      "internal",
      undefined,
    ],
    [
      "of an error that was given back has its code",
      async () => errorResult("say", new ToolError("conflict", "changed")),
      "conflict",
      undefined,
    ],
    [
      "of a failure without details says failed",
      async () => ({ ...says("no"), isError: true }),
      "failed",
      undefined,
    ],
    [
      "of a failure without a code of ours says failed",
      async () => ({ ...says("no"), details: { code: "ENOENT", reason: 5 }, isError: true }),
      "failed",
      undefined,
    ],
  ])("%s", async (_what, run, code, reason) => {
    const { call, rows } = createInvoker(createCallable({ run }));
    expect((await call()).isError).toBe(true);
    expect(rows[0]).toMatchObject({ stage: "answer", outcome: "error", code, reason });
  });

  it("that cannot be written is reported, and the answer is given", async () => {
    const append = () => {
      throw new Error("disk is full");
    };
    const invoker = createInvoker(createCallable(), { audit: { append } });
    expect(textOf(await invoker.call())).toBe("said");
    await expect(invoker.call({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(invoker.reports).toEqual([
      "No audit row of a say call could be written.",
      "No audit row of a say call could be written.",
    ]);
  });

  it("has no negative duration when the clock is set back", async () => {
    const run: Callable["run"] = async () => {
      invoker.clock.advance(-5_000);
      return says("said");
    };
    const invoker = createInvoker(createCallable({ run }));
    expect((await invoker.call()).isError).toBe(false);
    expect(invoker.rows[0]).toMatchObject({ durationMs: 0, outcome: "ok" });
  });
});
