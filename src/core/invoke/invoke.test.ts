// The line of stages with ports made of memory and time that stands still: what only shows there.
// Through the front door the stages are tested in test/toolkit.

import { describe, expect, it, vi } from "vitest";
import {
  createCallable as callable,
  createHanging,
  createInvoker,
  says,
} from "../../../test/contract/create-invoker.js";
import { eventually } from "../../../test/fakes/eventually.js";
import { ToolError } from "../errors.js";
import type { ApprovalRequest } from "../ports/approver.js";
import { createBudget } from "./budget.js";
import type { Callable, CallableRun } from "./callable.js";
import { createTaint } from "./hooks.js";

const GUARDED = ["exec", "message", "gateway", "cron", "nodes"];

function hanging() {
  const { begun, run } = createHanging();
  return { begun, run: vi.fn<Callable["run"]>(run) };
}

const anyRun: CallableRun = {
  toolCallId: "",
  params: {},
  signal: new AbortController().signal,
  update: () => undefined,
};

describe("authorisation", () => {
  it("is asked again at every call, also when the tool was found", async () => {
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    let allowed = true;
    const authorize = () => {
      if (allowed) return;
      const details = { rule: 'tools.deny[0] "say"' };
      throw new ToolError("denied", "say is not allowed.", { reason: "tool_denied", details });
    };
    const { call, rows } = createInvoker(callable({ run }), { authorize });
    expect((await call()).isError).toBe(false);
    allowed = false;
    expect((await call()).isError).toBe(true);
    expect(run).toHaveBeenCalledOnce();
    expect(rows[1]).toMatchObject({
      stage: "authorize",
      outcome: "stopped",
      reason: "tool_denied",
      rule: 'tools.deny[0] "say"',
    });
  });
});

describe("taint", () => {
  it.each(GUARDED)("deny: %s does not run, and runs again when it is cleared", async (name) => {
    const taint = createTaint();
    const { call, rows } = createInvoker(callable({ name }), { taint, taintMode: "deny" });
    expect((await call()).isError).toBe(false);
    taint.add("mail");
    expect((await call()).isError).toBe(true);
    expect(rows[1]).toMatchObject({ stage: "before", reason: "tainted", taintedBy: ["mail"] });
    taint.clear();
    expect((await call()).isError).toBe(false);
  });

  it.each(GUARDED)("ask: %s runs only when somebody says yes", async (name) => {
    const taint = createTaint();
    taint.add("mail");
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const decisions = ["deny", "allow-once"] as const;
    let asked = 0;
    const approver = async () => ({ decision: decisions[asked++] ?? "deny" });
    const { call, rows } = createInvoker(callable({ name, run }), {
      taint,
      taintMode: "ask",
      approver,
    });
    expect((await call()).isError).toBe(true);
    expect(run).not.toHaveBeenCalled();
    expect(rows[0]).toMatchObject({ stage: "before", reason: "not_approved" });
    expect((await call()).isError).toBe(false);
    expect(run).toHaveBeenCalledOnce();
  });

  it("mark: the call runs and its row says what had come in", async () => {
    const taint = createTaint();
    taint.add("mail");
    const { call, rows } = createInvoker(callable({ name: "exec" }), { taint });
    expect((await call()).isError).toBe(false);
    expect(rows[0]).toMatchObject({ outcome: "ok", taintedBy: ["mail"] });
  });

  it("does not hold exec back in the sandbox", async () => {
    const taint = createTaint();
    taint.add("mail");
    const caller = { agentId: undefined, sessionKey: undefined, owner: true, sandboxed: true };
    const { call } = createInvoker(callable({ name: "exec" }), {
      taint,
      taintMode: "deny",
      caller,
    });
    expect((await call()).isError).toBe(false);
  });
});

describe("an approval", () => {
  it("shows the arguments that will run, also when a later hook changed them", async () => {
    const requests: ApprovalRequest[] = [];
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const { call } = createInvoker(callable({ run }), {
      approver: async (request) => {
        requests.push(request);
        return { decision: "allow-once" };
      },
      hooks: {
        beforeCall: [
          () => ({ requireApproval: "say it" }),
          () => ({ params: { text: "changed" } }),
        ],
      },
    });
    await call({ arguments: { text: "sent" } });
    expect(requests).toMatchObject([
      { toolCallId: "call_1", toolName: "say", title: "say it", params: { text: "changed" } },
    ]);
    expect(run).toHaveBeenCalledWith(expect.objectContaining({ params: { text: "changed" } }));
  });

  it("that throws stops the call", async () => {
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const { call, rows } = createInvoker(callable({ run }), {
      approver: () => Promise.reject(new Error("line is dead")),
      hooks: { beforeCall: [() => ({ requireApproval: "say it" })] },
    });
    expect((await call()).isError).toBe(true);
    expect(rows[0]).toMatchObject({
      stage: "before",
      outcome: "stopped",
      reason: "approval_failed",
    });
    expect(run).not.toHaveBeenCalled();
  });
});

describe("time", () => {
  it("that a hook takes is limited to 15 seconds, and the tool does not run", async () => {
    const { begun, run: hang } = hanging();
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const beforeCall = [async () => (await hang(anyRun)) && undefined];
    const { call, clock, rows } = createInvoker(callable({ run }), { hooks: { beforeCall } });
    const answer = call();
    await begun;
    clock.advance(15_000);
    expect((await answer).isError).toBe(true);
    expect(rows[0]).toMatchObject({ stage: "before", reason: "hook_failed", durationMs: 15_000 });
    expect(run).not.toHaveBeenCalled();
    expect(clock.pending()).toBe(0);
  });

  it("of the tool is limited by its deadline; it learns of that through its signal", async () => {
    const { begun, run } = hanging();
    const { call, clock, rows } = createInvoker(callable({ run, deadlineMs: 2_000 }));
    const answer = call();
    await begun;
    clock.advance(2_000);
    expect((await answer).details).toMatchObject({ code: "timeout", reason: "deadline_passed" });
    expect(rows[0]).toMatchObject({ stage: "execute", outcome: "stopped", code: "timeout" });
    expect(run.mock.calls[0]?.[0].signal.aborted).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it("counts against the wall budget, and only the tool's own time", async () => {
    const budget = createBudget({ wallMs: 100 });
    const invoker: ReturnType<typeof createInvoker> = createInvoker(
      callable({
        run: async () => {
          invoker.clock.advance(60);
          return says("said");
        },
      }),
      { budget },
    );
    expect((await invoker.call()).isError).toBe(false);
    expect(budget.used().wallMs).toBe(60);
    const near = await invoker.call();
    expect(near.content.at(-1)).toEqual({
      type: "text",
      text: expect.stringContaining("120 of 100 milliseconds are used"),
    });
    expect((await invoker.call()).details).toMatchObject({ budget: "wallMs" });
    expect(invoker.rows[2]).toMatchObject({ stage: "budget", reason: "budget_used_up" });
  });
});

describe("an abort by the caller", () => {
  it("is thrown, and its row says where the call was", async () => {
    const { begun, run } = hanging();
    const controller = new AbortController();
    const { call, clock, rows } = createInvoker(callable({ run }));
    const answer = call({ signal: controller.signal });
    await begun;
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError", code: "aborted" });
    expect(rows).toEqual([expect.objectContaining({ stage: "execute", outcome: "aborted" })]);
    expect(clock.pending()).toBe(0);
  });

  it("before the call is thrown, and nothing is begun", async () => {
    const find = vi.fn(() => callable());
    const { call, rows } = createInvoker(callable(), { find });
    await expect(call({ signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(find).not.toHaveBeenCalled();
    expect(rows).toEqual([expect.objectContaining({ stage: "find", outcome: "aborted" })]);
  });

  it("while a hook is at work keeps the tool from running", async () => {
    const controller = new AbortController();
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const beforeCall = [
      () => {
        controller.abort();
        return undefined;
      },
    ];
    const { call, rows } = createInvoker(callable({ run }), { hooks: { beforeCall } });
    await expect(call({ signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(run).not.toHaveBeenCalled();
    expect(rows).toEqual([expect.objectContaining({ outcome: "aborted" })]);
  });
});

describe("the journal", () => {
  it("has the intent before the tool runs and the end behind it", async () => {
    const invoker: ReturnType<typeof createInvoker> = createInvoker(
      callable({
        run: async () => {
          expect(invoker.journal).toHaveLength(1);
          expect(invoker.journal[0]?.end).toBeUndefined();
          return says("said");
        },
      }),
    );
    const answer = await invoker.call({ arguments: { text: "hi" } });
    expect(answer.isError).toBe(false);
    expect(invoker.journal).toEqual([
      {
        toolCallId: "call_1",
        toolName: "say",
        sessionKey: "agent:main:main",
        argumentsText: '{"text":"hi"}',
        atMs: 0,
        end: { outcome: "ok", atMs: 0 },
      },
    ]);
  });

  it("says error for a tool that failed", async () => {
    const run = () => Promise.reject(new Error("no"));
    const { call, journal, rows } = createInvoker(callable({ run }));
    await call();
    expect(journal[0]?.end?.outcome).toBe("error");
    expect(rows[0]).toMatchObject({ stage: "answer", outcome: "error" });
  });

  it("says interrupted for a tool that heeded the abort", async () => {
    const controller = new AbortController();
    const run: Callable["run"] = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped half way")));
        controller.abort();
      });
    const { call, journal } = createInvoker(callable({ run }));
    await expect(call({ signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    await eventually(() => expect(journal[0]?.end?.outcome).toBe("interrupted"));
  });

  it("has no row for a tool that changes nothing, nor for a call that was stopped", async () => {
    const reading = createInvoker(callable({ readOnly: true }));
    await reading.call();
    expect(reading.journal).toEqual([]);
    const stopped = createInvoker(callable(), { hooks: { beforeCall: [() => ({ block: "no" })] } });
    await stopped.call();
    expect(stopped.journal).toEqual([]);
  });

  it("has no value that is named like a secret, at any depth, and of variables only names", async () => {
    const { call, journal } = createInvoker(callable());
    const env = { API_KEY: "hunter2", PATH: "/bin", tokens: 1 };
    await call({ arguments: { text: "hi", env, deep: { password: ["hunter2"], tokens: 1 } } });
    expect(JSON.parse(journal[0]?.argumentsText ?? "")).toEqual({
      text: "hi",
      env: ["API_KEY", "PATH", "tokens"],
      deep: { password: "[redacted]", tokens: 1 },
    });
  });

  it("keeps the beginning of long arguments, and a word for what JSON cannot write", async () => {
    const { call, journal } = createInvoker(callable());
    await call({ arguments: { text: "x".repeat(5_000) } });
    expect(journal[0]?.argumentsText).toHaveLength(2_000);
    expect((await call({ arguments: { count: 5n } })).isError).toBe(false);
    expect(journal[1]?.argumentsText).toContain("not writable as JSON");
  });
});
