// Claims about `exec`: where it runs, and who hears of its end.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClawtools, createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { resolveTool } from "../fakes/resolve-tool.js";

const config = { tools: { exec: { host: "gateway", security: "full", ask: "off" } } } as const;
const approvals = { version: 1, defaults: { security: "full", ask: "off" }, agents: {} } as const;

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "clawtools-claims-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("exec", () => {
  it("16 · exec: workspaceDir is default cwd", async () => {
    const workspaceDir = makeFolder();
    const { tools } = createClawtools();
    const tool = resolveTool({ registry: tools, name: "exec", ctx: { workspaceDir, config } });
    const { content, details } = await tool.execute("call_1", { command: "pwd" });
    expect(content).toEqual([{ type: "text", text: workspaceDir }]);
    expect(details).toMatchObject({ cwd: workspaceDir });
  });

  it("17 · exec: sessionKey/agentId enable session notifications", async () => {
    const toolkit = createToolkit({
      root: makeFolder(),
      stateDir: makeFolder(),
      agentId: "main",
      sessionKey: "agent:main:main",
      config,
      approvals,
    });
    onTestFinished(() => toolkit.close());
    const told = new Promise<string>((resolve) => {
      toolkit.on("notice", ({ message }) => resolve(message));
    });
    const arguments_ = { command: "sleep 0.1; echo finished", background: true };
    const { details } = await toolkit.invoke({ id: "c", name: "exec", arguments: arguments_ });
    const { sessionId } = details as { sessionId: string };
    expect(await told).toBe(
      `Exec completed (${sessionId}, code 0): ${arguments_.command} :: finished`,
    );
  });
});
