// How long a finished session can be asked about, by a clock that the test moves; and that nothing
// of it keeps a process alive.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Processes, type Tool, ToolRegistry } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { exec } from "../../src/tools/exec/index.js";
import { process as processTool } from "../../src/tools/process/index.js";
import { createManualClock } from "../fakes/manual-clock.js";
import { resolveTool } from "../fakes/resolve-tool.js";
import { runNode } from "../fakes/run-node.js";
import { createProcessSetting } from "../faults/process-setting.js";

const KEEP_MS = 60_000;

function bind(processes: Processes): { readonly run: Tool; readonly follow: Tool } {
  const registry = new ToolRegistry();
  registry.register(exec);
  registry.register(processTool);
  const ctx = { processes };
  return {
    run: resolveTool({ registry, name: "exec", ctx }),
    follow: resolveTool({ registry, name: "process", ctx }),
  };
}

describe("a finished session", () => {
  it("is forgotten after its time, and its log with it", async () => {
    const clock = createManualClock();
    const setting = createProcessSetting({
      clock,
      containment: "group",
      options: { keepMs: KEEP_MS },
    });
    onTestFinished(() => setting.remove());
    const { run, follow } = bind(setting.processes);
    const { details } = await run.execute("call", { command: "seq 1 200000", background: true });
    // Written by the tool itself.
    const { sessionId } = details as { sessionId: string };
    await setting.processes.find(sessionId, { agentId: undefined })?.ended;
    const logs = () => readdirSync(join(setting.root, ".runs"));
    expect(logs()).toEqual([expect.stringContaining(sessionId)]);
    const log = () => follow.execute("call", { action: "log", sessionId, limit: 1 });

    clock.advance(KEEP_MS - 1);
    expect((await log()).isError).toBeUndefined();
    clock.advance(2);
    await expect.poll(logs).toEqual([]);
    expect(await log()).toMatchObject({ isError: true, details: { status: "failed" } });
  });
});

describe("a process", () => {
  const CONFIG = { tools: { exec: { host: "gateway", security: "full", ask: "off" } } };

  async function runProgram(lines: readonly string[]) {
    const root = mkdtempSync(join(tmpdir(), "clawtools-end-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const program = [
      'import { createClawtools, createToolkit } from "clawtools";',
      `const [root, config] = ${JSON.stringify([root, CONFIG])};`,
      ...lines,
    ].join("\n");
    const { exitCode, stdout } = await runNode(["--input-type=module", "--eval", program], {
      CLAWTOOLS_STATE_DIR: join(root, ".state"),
    });
    return { exitCode, stdout, has: (name: string) => existsSync(join(root, name)) };
  }

  it("that ran a command and closed nothing ends by itself", async () => {
    const { exitCode, stdout, has } = await runProgram([
      'const { tools } = createClawtools({ catalog: "all" });',
      'const tool = tools.resolve("exec", { workspaceDir: root, config });',
      'const { content } = await tool.execute("call", { command: "touch made; echo ran" });',
      "console.log(content[0].text);",
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "ran\n" });
    expect(has("made")).toBe(true);
  });

  it("stays until its commands in the background have ended", async () => {
    const { exitCode, has } = await runProgram([
      "const toolkit = createToolkit({ root, config });",
      'const command = "sleep 0.5; touch late";',
      'const call = { id: "call", name: "exec", arguments: { command, background: true } };',
      "await toolkit.invoke(call);",
    ]);
    expect({ exitCode, isDone: has("late") }).toEqual({ exitCode: 0, isDone: true });
  });

  it("that closes its toolkit does not wait for them: they are ended", async () => {
    const { exitCode, stdout, has } = await runProgram([
      "const toolkit = createToolkit({ root, config });",
      'const command = "touch begun; sleep 60; touch late";',
      'const call = { id: "call", name: "exec", arguments: { command, background: true } };',
      "const { details } = await toolkit.invoke(call);",
      "const poll = { action: 'poll', sessionId: details.sessionId, timeout: 300 };",
      'await toolkit.invoke({ id: "poll", name: "process", arguments: poll });',
      "await toolkit.close();",
      "console.log(details.status);",
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "running\n" });
    expect([has("begun"), has("late")]).toEqual([true, false]);
  });
});
