// Claims 15, 18, 19, 21, 22, 24, 65 to 68 and 70: what each section needs of the context, and how
// the context reaches a tool.
import {
  createClawtools,
  defineTool,
  jsonResult,
  type Tool,
  type ToolContext,
  ToolRegistry,
  t,
  textResult,
} from "clawtools";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createMeta } from "../fakes/plain-tool.js";
import { bindAlone, resolveTool } from "../fakes/resolve-tool.js";

const SESSIONS = [
  "sessions_list",
  "sessions_history",
  "sessions_send",
  "sessions_spawn",
  "subagents",
  "session_status",
];
const MEMORY = ["memory_search", "memory_get"];

function expectPresent(ids: readonly string[], ctx: ToolContext = {}): void {
  const { tools } = createClawtools({ catalog: "all" });
  const rows = new Map(tools.explain(ctx).map((row) => [row.id, row.status]));
  for (const id of ids) {
    expect(tools.resolve(id, ctx)?.name, id).toBe(id);
    expect(rows.get(id), id).toBe("present");
  }
}

/** The context as a factory and as a defined tool see it. */
async function seenContexts(ctx: ToolContext) {
  const registry = new ToolRegistry();
  let seenByFactory: ToolContext | undefined;
  registry.registerFactory((given) => {
    seenByFactory = given;
    return null;
  }, createMeta("factory"));
  registry.register(
    defineTool({
      name: "defined",
      description: "Shows its context.",
      parameters: t.object({}),
      async execute({ ctx: { clock: _clock, random: _random, limits: _limits, ...seen } }) {
        return jsonResult(seen);
      },
    }),
  );
  registry.resolveAll(ctx);
  const result = await resolveTool({ registry, name: "defined", ctx }).execute("call_1", {});
  return { factory: seenByFactory, tool: result.details };
}

describe("context requirements per section", () => {
  it("15 · exec: no field required", () => {
    expectPresent(["exec"]);
  });

  it("18 · web_search/web_fetch need no context", () => {
    expectPresent(["web_search", "web_fetch"]);
  });

  it("19 · memory tools require agentDir, which defaults to root or workspaceDir", () => {
    const { tools } = createClawtools();
    for (const id of MEMORY) {
      expect(tools.resolve(id, {}), id).toBeUndefined();
      expect(tools.explain({}).find((row) => row.id === id)).toMatchObject({
        status: "absent",
        code: "missing_context",
        reason: expect.stringContaining("missing: agentDir"),
        missing: ["agentDir"],
      });
    }
    for (const ctx of [{ agentDir: "/a" }, { root: "/r" }, { workspaceDir: "/w" }]) {
      expectPresent(MEMORY, ctx);
    }
  });

  it("21 · sessions_* need sessionKey, agentId, messageChannel: they resolve without, and name what is missing when called", async () => {
    expectPresent(SESSIONS);
    const { tools } = createClawtools();
    const sessions = {
      as: () => {
        throw new Error("A call without sessionKey reached the sessions.");
      },
    };
    for (const name of SESSIONS) {
      const bare = await resolveTool({ registry: tools, name }).execute("call_1", {});
      expect(bare, name).toMatchObject({
        isError: true,
        content: [{ type: "text", text: expect.stringContaining("needs an agent or a gateway") }],
        details: { code: "unavailable", reason: "not_attached", missing: ["sessions"] },
      });
      const tool = resolveTool({ registry: tools, name, ctx: { sessions } });
      expect(await tool.execute("call_2", {}), name).toMatchObject({
        isError: true,
        content: [{ type: "text", text: expect.stringContaining("sessionKey") }],
        details: { code: "unavailable", reason: "missing_context", missing: ["sessionKey"] },
      });
    }
  });

  it("22 · ui: none required locally", () => {
    expectPresent(["browser", "canvas"]);
  });

  it("24 · all others: no required fields, made with defaults", () => {
    expectPresent(["message", "cron", "gateway", "nodes", "agents_list", "image", "tts"]);
    expectPresent(["process", "lobster", "llm-task"]);
  });
});

describe("ToolContext", () => {
  it("65 · ToolContext.config", async () => {
    const config = { tools: { profile: "coding" }, custom: { deep: [1, { two: 2 }] } };
    const seen = await seenContexts({ config });
    expect(seen.factory?.config).toBe(config);
    expect(seen.tool).toEqual({ config });
    expectTypeOf<ToolContext["config"]>().toEqualTypeOf<Record<string, unknown> | undefined>();
  });

  it("66 · ToolContext.workspaceDir, agentDir, agentId, sessionKey", async () => {
    const ctx = {
      workspaceDir: "/my/project",
      agentDir: "/my/agent",
      agentId: "main",
      sessionKey: "agent:main:main",
    };
    const seen = await seenContexts(ctx);
    expect(seen.factory).toMatchObject(ctx);
    expect(seen.tool).toMatchObject(ctx);
  });

  it("67 · ToolContext.messageChannel, agentAccountId", async () => {
    const ctx = { messageChannel: "slack", agentAccountId: "work" };
    const seen = await seenContexts(ctx);
    expect(seen.factory).toEqual(ctx);
    expect(seen.tool).toEqual(ctx);
  });

  it("68 · ToolContext.sandboxed", async () => {
    for (const sandboxed of [true, false]) {
      const seen = await seenContexts({ sandboxed });
      expect(seen.factory).toEqual({ sandboxed });
      expect(seen.tool).toEqual({ sandboxed });
    }
  });

  it("70 · all context fields optional", () => {
    expectTypeOf<Record<never, never>>().toExtend<ToolContext>();
    const { tools } = createClawtools();
    const absent = ["read", "write", "edit", ...MEMORY];
    const expected = tools
      .list()
      .map(({ id }) => id)
      .filter((id) => !absent.includes(id));
    expect(expected).toHaveLength(18);
    const namesOf = (resolved: readonly Tool[]) => resolved.map(({ name }) => name);
    expect(namesOf(tools.resolveAll())).toEqual(expected);
    expect(namesOf(tools.resolveAll({}))).toEqual(expected);
    const lone: ToolContext[] = [
      { config: {} },
      { agentId: "main" },
      { sessionKey: "k" },
      { messageChannel: "slack" },
      { agentAccountId: "work" },
      { sandboxed: true },
    ];
    for (const ctx of lone) expect(namesOf(tools.resolveAll(ctx))).toEqual(expected);
    expect(namesOf(tools.resolveAll({ workspaceDir: "/w" }))).toHaveLength(20);
  });

  it("a context field that a caller changes later does not reach a tool already resolved", async () => {
    const ctx: ToolContext = { workspaceDir: "/before" };
    const tool = bindAlone(
      defineTool({
        name: "where",
        description: "Says where it works.",
        parameters: t.object({}),
        execute: async (call) => textResult(String(call.ctx.workspaceDir)),
      }),
      ctx,
    );
    ctx.workspaceDir = "/after";
    expect((await tool.execute("call_1", {})).content).toEqual([{ type: "text", text: "/before" }]);
  });
});
