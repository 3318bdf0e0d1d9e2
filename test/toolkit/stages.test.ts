// Each stage that can stop a call stops it, says why to the model, and leaves its name in the audit.

import { defineTool, t, textResult } from "clawtools";
import { describe, expect, it, vi } from "vitest";
import { hangingTool, plainEcho, say } from "./sample-tools.js";
import { startToolkit, textOf } from "./start-toolkit.js";

describe("a call that nothing stops", () => {
  it("answers with content, details and its own id, and leaves a row", async () => {
    const { call, rows } = startToolkit({
      tools: [say],
      agentId: "main",
      sessionKey: "agent:main:main",
    });
    const result = await call("say", { id: "toolu_01", arguments: { text: "hello" } });
    expect(result).toEqual({
      toolCallId: "toolu_01",
      toolName: "say",
      content: [{ type: "text", text: "hello" }],
      details: { length: 5 },
      isError: false,
    });
    expect(rows).toEqual([
      {
        atMs: expect.any(Number),
        durationMs: expect.any(Number),
        toolCallId: "toolu_01",
        toolName: "say",
        agentId: "main",
        sessionKey: "agent:main:main",
        owner: true,
        sender: undefined,
        entryPoint: "library",
        stage: "answer",
        outcome: "ok",
        code: undefined,
        reason: undefined,
        rule: undefined,
        approvedBy: undefined,
        taintedBy: [],
      },
    ]);
  });

  it("takes its arguments as an object or as JSON text", async () => {
    const { call } = startToolkit({ tools: [say] });
    expect(textOf(await call("say", { arguments: '{"text":"as text"}' }))).toBe("as text");
  });

  it.each([
    ["decodes what xAI writes as HTML", { provider: "xai", model: "grok-4" }, "a & b"],
    ["leaves the text of all others as it is", { provider: "openai" }, "a &amp; b"],
  ])("%s", async (_what, model, said) => {
    const { call } = startToolkit({ tools: [say], ...model });
    expect(textOf(await call("say", { arguments: { text: "a &amp; b" } }))).toBe(said);
  });

  it("passes progress on", async () => {
    const counting = defineTool({
      name: "count",
      description: "Counts.",
      parameters: t.object({}),
      async execute({ update }) {
        update({ content: [{ type: "text", text: "one" }] });
        return textResult("two");
      },
    });
    const { call } = startToolkit({ tools: [counting] });
    const onUpdate = vi.fn();
    await call("count", { onUpdate });
    expect(onUpdate).toHaveBeenCalledExactlyOnceWith({ content: [{ type: "text", text: "one" }] });
  });

  it("whose tool fails is an answer too, and no stop", async () => {
    const failing = plainEcho({ execute: () => Promise.reject(new Error("out of paper")) });
    const { call, rows } = startToolkit({ tools: [failing] });
    const result = await call("plain_echo", { arguments: { text: "x" } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('{"status":"error","tool":"plain_echo","error":"out of paper"}');
    expect(rows[0]).toMatchObject({ stage: "answer", outcome: "error", code: "internal" });
  });
});

describe("find", () => {
  it("does not know the name, and names the nearest", async () => {
    const { call, rows } = startToolkit();
    const result = await call("raed");
    expect(textOf(result)).toContain('Unknown tool \\"raed\\". Did you mean \\"read\\"?');
    expect(rows).toEqual([
      expect.objectContaining({
        toolName: "raed",
        stage: "find",
        outcome: "stopped",
        code: "not_found",
        reason: "tool_unknown",
      }),
    ]);
  });

  it.each(["__proto__", "constructor", "", "x".repeat(10_000)])(
    "does not fall for a name such as %.12j",
    async (name) => {
      const { call, rows } = startToolkit();
      const result = await call(name);
      expect(result.details).toMatchObject({ code: "not_found" });
      expect(textOf(result).length).toBeLessThan(11_000);
      expect(rows[0]).toMatchObject({ stage: "find", reason: "tool_unknown" });
    },
  );

  it("names the rule that denied the tool, as it is written", async () => {
    const { call, rows } = startToolkit({ config: { tools: { deny: ["exec", "group:fs"] } } });
    const result = await call("read", { arguments: { path: "notes.txt" } });
    expect(result.details).toMatchObject({ code: "denied", rule: 'tools.deny[1] "group:fs"' });
    expect(rows[0]).toMatchObject({
      stage: "find",
      code: "denied",
      reason: "tool_denied",
      rule: 'tools.deny[1] "group:fs"',
    });
  });

  it("finds a denied tool by no other name", async () => {
    const known = defineTool({
      name: "shout",
      alsoKnownAs: ["yell"],
      description: "Shouts.",
      parameters: t.object({}),
      execute: async () => textResult("!"),
    });
    const open = startToolkit({ tools: [known] });
    const answer = await open.call("yell");
    expect([answer.toolName, textOf(answer)]).toEqual(["shout", "!"]);
    const shut = startToolkit({ tools: [known], config: { tools: { deny: ["shout"] } } });
    expect((await shut.call("yell")).details).toMatchObject({ rule: 'tools.deny[0] "shout"' });
  });

  it("says that a tool is not built", async () => {
    const { call, rows } = startToolkit();
    expect((await call("tts", { arguments: { text: "hello" } })).isError).toBe(true);
    expect(rows[0]).toMatchObject({ stage: "find", code: "unavailable", reason: "not_built" });
  });
});

describe("authorise", () => {
  const secret = defineTool({
    name: "secret",
    description: "For the owner.",
    ownerOnly: true,
    parameters: t.object({}),
    execute: async () => textResult("42"),
  });

  it.each([
    ["a defined tool", secret],
    ["a plain tool", plainEcho({ name: "secret", ownerOnly: true })],
    ["a tool of a factory", () => secret],
  ])("keeps %s that is for the owner from everybody else", async (_kind, tool) => {
    const request = { arguments: tool === secret ? {} : { text: "42" } };
    const guest = startToolkit({ tools: [tool], owner: false });
    expect((await guest.call("secret", request)).details).toMatchObject({ code: "denied" });
    expect(guest.rows[0]).toMatchObject({ outcome: "stopped", owner: false });
    expect(guest.toolkit.tools.map(({ name }) => name)).not.toContain("secret");
    expect(guest.toolkit.explain("secret")).toMatchObject({ status: "absent", code: "denied" });
    const owner = startToolkit({ tools: [tool] });
    expect(owner.toolkit.explain("secret").status).toBe("present");
    expect(owner.toolkit.tools.map(({ name }) => name)).toContain("secret");
  });

  it("lets the owner in", async () => {
    const { call, rows } = startToolkit({ tools: [secret] });
    expect(textOf(await call("secret"))).toBe("42");
    expect(rows[0]).toMatchObject({ owner: true, outcome: "ok" });
  });
});

describe("prepare and validate", () => {
  it.each([
    ["an unknown key", { txt: "hi" }, "unknown_parameter", 'did you mean \\"text\\"'],
    ["a missing field", {}, "arguments_invalid", "text"],
    ["a wrong type", { text: ["a", "b"] }, "arguments_invalid", "text"],
    ["a value over its limit", { text: "x".repeat(101) }, "arguments_invalid", "100"],
    ["text that is no JSON", "{text:", "arguments_not_json", "not valid JSON"],
    ["a list", [1], "arguments_not_object", "a list"],
  ])("refuse %s", async (_what, given, reason, words) => {
    const { call, rows } = startToolkit({ tools: [say] });
    const result = await call("say", { arguments: given });
    expect(textOf(result)).toContain(words);
    expect(rows[0]).toMatchObject({ stage: "arguments", code: "invalid_input", reason });
  });

  it("hold for a plain tool too, which is not called", async () => {
    const execute = vi.fn(async () => textResult("never"));
    const { call, rows } = startToolkit({ tools: [plainEcho({ execute })] });
    const result = await call("plain_echo", { arguments: { text: "x".repeat(101) } });
    expect(result.isError).toBe(true);
    expect(rows[0]).toMatchObject({ stage: "arguments", reason: "arguments_invalid" });
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("before hooks", () => {
  it("block with their own words", async () => {
    const beforeCall = [() => ({ block: "the shop is shut" })];
    const { call, rows } = startToolkit({ tools: [say], hooks: { beforeCall } });
    expect(textOf(await call("say", { arguments: { text: "hi" } }))).toContain("the shop is shut");
    expect(rows[0]).toMatchObject({ stage: "before", code: "denied", reason: "hook_blocked" });
  });

  it("change arguments, which are read like the model's own", async () => {
    const beforeCall = [() => ({ params: '{"text":"changed"}' })];
    const { call } = startToolkit({ tools: [say], hooks: { beforeCall } });
    expect(textOf(await call("say", { arguments: { text: "hi" } }))).toBe("changed");
  });

  it("cannot bring in arguments that the schema refuses", async () => {
    const beforeCall = [() => ({ params: { text: "x".repeat(101) } })];
    const { call, rows } = startToolkit({ tools: [say], hooks: { beforeCall } });
    expect((await call("say", { arguments: { text: "hi" } })).isError).toBe(true);
    expect(rows[0]).toMatchObject({ stage: "before", reason: "arguments_invalid" });
  });

  it("see the arguments as they were prepared", async () => {
    const seen = vi.fn(() => undefined);
    const { call } = startToolkit({ hooks: { beforeCall: [seen] } });
    await call("read", { id: "r1", arguments: { file_path: "notes.txt" } });
    expect(seen).toHaveBeenCalledExactlyOnceWith({
      toolCallId: "r1",
      toolName: "read",
      params: { path: "notes.txt" },
    });
  });

  it("that throw keep the tool from running", async () => {
    const execute = vi.fn(async () => textResult("never"));
    const beforeCall = [() => Promise.reject(new Error("guard is ill"))];
    const { call, rows } = startToolkit({ tools: [plainEcho({ execute })], hooks: { beforeCall } });
    expect((await call("plain_echo", { arguments: { text: "hi" } })).isError).toBe(true);
    expect(rows[0]).toMatchObject({ stage: "before", code: "denied", reason: "hook_failed" });
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("approvals", () => {
  const hooks = { beforeCall: [() => ({ requireApproval: "Saying this aloud" })] };
  const request = { arguments: { text: "hi" } };

  it("are asked for with the call, and let it through", async () => {
    const approve = vi.fn(async () => ({ decision: "allow-once" as const }));
    const { call } = startToolkit({ tools: [say], hooks, approve });
    expect(textOf(await call("say", { ...request, id: "c1" }))).toBe("hi");
    expect(approve).toHaveBeenCalledExactlyOnceWith(
      { toolCallId: "c1", toolName: "say", title: "Saying this aloud", params: { text: "hi" } },
      { signal: expect.any(AbortSignal) },
    );
  });

  it("that are denied stop the call with the reason", async () => {
    const approve = async () => ({ decision: "deny" as const, reason: "people sleep" });
    const { call, rows } = startToolkit({ tools: [say], hooks, approve });
    expect(textOf(await call("say", request))).toContain("people sleep");
    expect(rows[0]).toMatchObject({ stage: "before", code: "denied", reason: "not_approved" });
  });

  it("that nobody can give are refused at once", async () => {
    const { call, rows } = startToolkit({ tools: [say], hooks });
    const result = await call("say", request);
    expect(result.details).toMatchObject({ code: "approval_required", reason: "no_approver" });
    expect(rows[0]).toMatchObject({ stage: "before", code: "approval_required" });
    expect(rows[0]?.durationMs).toBeLessThan(10_000);
  });
});

describe("deadline and abort", () => {
  it("end a tool that does not end", async () => {
    const { tool, seen } = hangingTool(20);
    const { call, rows } = startToolkit({ tools: [tool] });
    expect((await call("hang")).details).toMatchObject({ code: "timeout" });
    expect(rows[0]).toMatchObject({
      stage: "execute",
      outcome: "stopped",
      reason: "deadline_passed",
    });
    expect(seen.signal?.aborted).toBe(true);
  });

  it("are 10 minutes away when the tool says nothing", () => {
    expect(say.deadlineMs).toBe(10 * 60_000);
  });

  it("throw the caller's own abort, reach the tool and leave a row", async () => {
    const { tool, begun, seen } = hangingTool();
    const { call, rows } = startToolkit({ tools: [tool] });
    const controller = new AbortController();
    const answer = call("hang", { signal: controller.signal });
    await begun;
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(seen.signal?.aborted).toBe(true);
    expect(rows).toEqual([
      expect.objectContaining({ stage: "execute", outcome: "aborted", code: "aborted" }),
    ]);
  });
});

describe("after hooks", () => {
  it("change what the model gets", async () => {
    const afterCall = [() => textResult("[redacted]")];
    const { call } = startToolkit({ tools: [say], hooks: { afterCall } });
    expect(textOf(await call("say", { arguments: { text: "1234" } }))).toBe("[redacted]");
  });

  it("that throw keep the result back", async () => {
    const afterCall = [() => Promise.reject(new Error("filter is ill"))];
    const { call, rows } = startToolkit({ tools: [say], hooks: { afterCall } });
    const result = await call("say", { arguments: { text: "1234" } });
    expect(textOf(result)).not.toContain("1234");
    expect(rows[0]).toMatchObject({ stage: "bound", code: "denied", reason: "hook_failed" });
  });
});
