// `exec` and `process` resolved from a bare registry: the same supervisor, and no second door.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClawtools, type Tool, type ToolContext, ToolRegistry } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { exec } from "../../src/tools/exec/index.js";
import { bindAlone, resolveTool } from "../fakes/resolve-tool.js";

const OPEN = { tools: { exec: { host: "gateway", security: "full", ask: "off" } } } as const;

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bare-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

async function call(tool: Tool, params: Record<string, unknown>) {
  const { content, details, isError } = await tool.execute("call", params);
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { text, details: { ...(details as object) } as Record<string, unknown>, isError };
}

describe("exec in a bare registry", () => {
  it.each([
    [{ workspaceDir: "/tmp" }, { status: "present", code: "ready" }, /^ready; .*catalog: "all"/],
  ])("is explained in the context %j as a call will find it", (ctx, row, reason) => {
    const { tools } = createClawtools();
    const found = tools.explain(ctx).find(({ id }) => id === "exec");
    expect(found).toMatchObject({ ...row, reason: expect.stringMatching(reason) });
  });

  it("is simply ready where process is registered too", () => {
    const rows = createClawtools({ catalog: "all" }).tools.explain({ root: "/tmp" });
    for (const name of ["exec", "process"]) {
      expect(rows.find(({ id }) => id === name)).toMatchObject({ code: "ready", reason: "ready" });
    }
  });

  it("171 · refuses what the list does not have, because there is nobody to ask", async () => {
    const root = makeRoot();
    const config = { tools: { exec: { host: "gateway" } } };
    const ctx: ToolContext = { workspaceDir: root, config };
    const { details, isError } = await call(bindAlone(exec, ctx), { command: "touch made" });
    expect(isError).toBe(true);
    expect(details.code).toMatch(/^(denied|approval_required)$/);
    const other = bindAlone(exec, { workspaceDir: root, config: OPEN });
    const list = await call(other, { command: "ls" });
    expect(list.text).not.toContain("made");
  });

  it("165 · is synchronous when process is not registered", async () => {
    const registry = createClawtools().tools;
    expect(registry.has("process")).toBe(false);
    const ctx = { workspaceDir: makeRoot(), config: OPEN };
    const tool = resolveTool({ registry, name: "exec", ctx });
    const { text, details } = await call(tool, {
      command: "sleep 0.1; echo done",
      background: true,
    });
    expect(details.status).toBe("completed");
    expect(text).toContain("yieldMs and background were ignored");
    expect(text).toContain("done");
  });

  it("shares its sessions with process of the same registry", async () => {
    const registry = createClawtools({ catalog: "all" }).tools;
    const ctx = { workspaceDir: makeRoot(), config: OPEN };
    const [run, follow] = ["exec", "process"].map((name) => resolveTool({ registry, name, ctx }));
    if (run === undefined || follow === undefined) throw new Error("Both were resolved.");
    const { details } = await call(run, {
      command: "sleep 0.3; echo shared",
      background: true,
    });
    const { text } = await call(follow, {
      action: "poll",
      sessionId: details.sessionId,
      timeout: 10_000,
    });
    expect(text).toContain("shared");
    await call(follow, { action: "remove", sessionId: details.sessionId });
  });

  it("uses processes that the context brings", async () => {
    const started: unknown[] = [];
    const processes = {
      start: async (request: unknown) => {
        started.push(request);
        throw new Error("seen");
      },
      list: () => [],
      find: () => undefined,
      forget: async () => false,
      facts: async () => {
        throw new Error("not asked");
      },
      close: async () => undefined,
    };
    const registry = new ToolRegistry();
    registry.register(exec);
    const tool = resolveTool({ registry, name: "bash", ctx: { processes, agentId: "ada" } });
    expect((await call(tool, { command: "ls", timeout: 0 })).isError).toBe(true);
    expect(started).toMatchObject([
      { command: "ls", agentId: "ada", toolCallId: "call", timeoutMs: 86_400_000 },
    ]);
  });
});
