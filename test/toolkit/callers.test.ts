// Callers of one toolkit: each has its own policy, counters and memory over the shared ports.

import { type ApprovalRequest, type CallerToolkit, defineTool, t } from "clawtools";
import { describe, expect, it } from "vitest";
import { startExec } from "./exec-setting.js";
import { startToolkit, textOf } from "./start-toolkit.js";

const NOTES = { name: "read", arguments: { path: "notes.txt" } };

let calls = 0;
function call(view: CallerToolkit, name: string, args: Record<string, unknown> = {}) {
  calls++;
  return view.invoke({ id: `call_${calls}`, name, arguments: args });
}

function namesOf(view: CallerToolkit): string[] {
  return view.tools.map(({ name }) => name);
}

async function reasonOf(view: CallerToolkit, name: string, args: Record<string, unknown>) {
  const { details } = await call(view, name, args);
  return (details as { reason?: string } | undefined)?.reason;
}

const outside = defineTool({
  name: "outside",
  description: "Brings text from outside.",
  parameters: t.object({}),
  readOnly: true,
  execute: async () => ({
    content: [{ type: "text", text: "from outside" }],
    untrusted: { source: "a page" },
  }),
});

const whoami = defineTool({
  name: "whoami",
  description: "Says who calls.",
  parameters: t.object({}),
  readOnly: true,
  execute: async ({ ctx }) => {
    const { sessionKey, runId, messageChannel, ownerOnly } = ctx;
    const text = JSON.stringify({ sessionKey, runId, messageChannel, ownerOnly });
    return { content: [{ type: "text", text }] };
  },
});

describe("the policy of a caller", () => {
  const config = {
    tools: {
      toolsBySender: { "id:u1": { deny: ["write"] } },
      byProvider: { google: { deny: ["edit"] } },
    },
    channels: { slack: { groups: { c1: { tools: { deny: ["apply_patch"] } } } } },
  };

  it.each([
    ["write", { channel: "slack", sender: { id: "u1" } }],
    ["edit", { provider: "google" }],
    ["apply_patch", { channel: "slack", groupId: "c1" }],
  ] as const)(
    "removes %s for that caller only, from the list and from calls",
    async (gone, who) => {
      const { toolkit } = startToolkit({ config });
      const view = toolkit.forCaller({ sessionKey: "s1", ...who });
      expect(namesOf(view)).not.toContain(gone);
      expect(view.explain(gone)).toMatchObject({ status: "absent", code: "denied" });
      expect(await reasonOf(view, gone, {})).toBe("tool_denied");
      expect(namesOf(toolkit)).toContain(gone);
      expect(namesOf(toolkit.forCaller({ sessionKey: "s2", sender: { id: "u2" } }))).toContain(
        "edit",
      );
    },
  );

  it("takes a sender for a stranger unless the caller says that it is the owner", async () => {
    const secret = defineTool({
      ...{ name: "secret", description: "For the owner." },
      parameters: t.object({}),
      ownerOnly: true,
      execute: async () => ({ content: [] }),
    });
    const { toolkit } = startToolkit({ tools: [secret] });
    const sender = { id: "u1" };
    expect(namesOf(toolkit.forCaller({ sessionKey: "s1" }))).toContain("secret");
    expect(namesOf(toolkit.forCaller({ sessionKey: "s1", sender }))).not.toContain("secret");
    expect(namesOf(toolkit.forCaller({ sessionKey: "s1", channel: "slack" }))).not.toContain(
      "secret",
    );
    expect(namesOf(toolkit.forCaller({ sessionKey: "s1", sender, owner: true }))).toContain(
      "secret",
    );
  });

  it("follows setPolicy in a view that was made before", async () => {
    const { toolkit } = startToolkit();
    const view = toolkit.forCaller({ sessionKey: "s1" });
    expect((await call(view, NOTES.name, NOTES.arguments)).isError).toBe(false);
    toolkit.setPolicy({ tools: { deny: ["read"] } });
    expect(await reasonOf(view, NOTES.name, NOTES.arguments)).toBe("tool_denied");
  });

  it("is not taken from the toolkit's own sender or channel", async () => {
    const { toolkit } = startToolkit({
      tools: [whoami],
      messageChannel: "slack",
      sender: { id: "boss" },
      sessionKey: "own",
    });
    const view = toolkit.forCaller({ sender: { id: "u1" }, runId: "r1" });
    expect(JSON.parse(textOf(await call(view, "whoami")))).toEqual({
      sessionKey: "own",
      runId: "r1",
      ownerOnly: false,
    });
  });
});

describe("what is counted", () => {
  it("for one caller does not stop another", async () => {
    const config = { tools: { loopDetection: { warnAt: 2, stopAt: 3 } }, budgets: { calls: 8 } };
    const { toolkit } = startToolkit({ config });
    const [one, other] = [{ sessionKey: "s1" }, { sessionKey: "s2" }].map(toolkit.forCaller);
    if (!one || !other) throw new Error("no views");
    for (let index = 0; index < 3; index++) await call(one, NOTES.name, NOTES.arguments);
    expect(await reasonOf(one, NOTES.name, NOTES.arguments)).toBe("tool_loop");
    expect((await call(other, NOTES.name, NOTES.arguments)).isError).toBe(false);
    other.reportUsage({ tokens: 7 });
    expect([one.used().tokens, other.used().tokens, toolkit.used().calls]).toEqual([0, 7, 0]);
    // The control: another view of the same session goes on where the first one stopped.
    const again = toolkit.forCaller({ sessionKey: "s1" });
    expect(await reasonOf(again, NOTES.name, NOTES.arguments)).toBe("tool_loop");
  });

  it("begins again with a new run, taint included", async () => {
    const config = { tools: { taint: "deny" } } as const;
    const { toolkit, rows } = startToolkit({ config, tools: [outside] });
    const first = toolkit.forCaller({ sessionKey: "s1", runId: "r1" });
    const same = toolkit.forCaller({ sessionKey: "s1", runId: "r1" });
    const second = toolkit.forCaller({ sessionKey: "s1", runId: "r2" });
    await call(first, "outside");
    await call(same, NOTES.name, NOTES.arguments);
    await call(second, NOTES.name, NOTES.arguments);
    expect(rows.map(({ taintedBy }) => taintedBy)).toEqual([[], ["a page"], []]);
    same.clearTaint();
    await call(first, NOTES.name, NOTES.arguments);
    expect(rows.at(-1)?.taintedBy).toEqual([]);
  });
});

describe("what belongs to a session", () => {
  it("is in the audit row, and keeps artifacts from others", async () => {
    const long = defineTool({
      name: "long",
      description: "Long.",
      parameters: t.object({}),
      execute: async () => ({ content: [{ type: "text", text: "x".repeat(60_000) }] }),
    });
    const { toolkit, rows } = startToolkit({ tools: [long] });
    const one = toolkit.forCaller({ sessionKey: "s1" });
    const path = /artifact:\/\/[\w-]+/.exec(textOf(await call(one, "long")))?.[0];
    const readBy = (view: CallerToolkit) => call(view, "read", { path, limit: 1 });
    expect((await readBy(toolkit.forCaller({ sessionKey: "s2" }))).isError).toBe(true);
    expect((await readBy(toolkit.forCaller({ sessionKey: "s1", runId: "r2" }))).isError).toBe(
      false,
    );
    expect(rows.map(({ sessionKey }) => sessionKey)).toEqual(["s1", "s2", "s1"]);
  });

  it("is asked about by its key, and an answer for good holds for that session only", async () => {
    const asked: ApprovalRequest[] = [];
    const { toolkit } = startToolkit({
      approve: async (request) => {
        asked.push(request);
        return { decision: "allow-always" };
      },
      hooks: { beforeCall: [() => ({ requireApproval: "May it?" })] },
    });
    const ask = (sessionKey: string) =>
      call(toolkit.forCaller({ sessionKey }), NOTES.name, NOTES.arguments);
    for (const key of ["s1", "s1", "s2"]) expect((await ask(key)).isError).toBe(false);
    expect(asked.map(({ sessionKey }) => sessionKey)).toEqual(["s1", "s2"]);
  });

  it("sees its own background commands, and the toolkit sees all", async () => {
    const { toolkit } = startExec();
    const [one, other] = [{ sessionKey: "s1" }, { sessionKey: "s2" }].map(toolkit.forCaller);
    if (!one || !other) throw new Error("no views");
    const { details } = await call(one, "exec", { command: "sleep 600", background: true });
    const { sessionId } = details as { sessionId: string };
    const listed = async (view: CallerToolkit) =>
      textOf(await call(view, "process", { action: "list" }));
    expect(await listed(one)).toContain(sessionId);
    expect(await listed(other)).not.toContain(sessionId);
    expect((await call(other, "process", { action: "kill", sessionId })).isError).toBe(true);
    expect(await listed(toolkit)).toContain(sessionId);
  });

  it("is sandboxed by the mode of its own key", async () => {
    const config = {
      agents: { defaults: { sandbox: { mode: "non-main" as const } } },
      tools: { sandbox: { tools: { allow: ["where"] } } },
    };
    const { toolkit } = startToolkit({
      config,
      tools: [
        defineTool({
          name: "where",
          description: "Where.",
          parameters: t.object({}),
          execute: async ({ ctx }) => ({
            content: [{ type: "text", text: String(ctx.sandboxed) }],
          }),
        }),
      ],
    });
    const where = async (sessionKey: string) =>
      textOf(await call(toolkit.forCaller({ sessionKey }), "where"));
    expect([await where("agent:main:main"), await where("agent:main:slack:c1")]).toEqual([
      "false",
      "true",
    ]);
  });
});

it("refuses another agent and options that cannot be meant", () => {
  const config = { agents: { list: [{ id: "a", default: true }, { id: "b" }] } };
  const { toolkit } = startToolkit({ config });
  expect(() => toolkit.forCaller({ agentId: "b" })).toThrow(
    /this toolkit is for agent "a", not for "b"/,
  );
  expect(() => toolkit.forCaller({ owner: "yes" } as never)).toThrow(/owner must be true or false/);
  expect(() => toolkit.forCaller({ sesionKey: "s" } as never)).toThrow(/did you mean sessionKey/);
});
