// A closed toolkit does nothing more, and nothing of it keeps the process alive.

import { join } from "node:path";
import { createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runNode } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { hangingTool, say } from "./sample-tools.js";
import { startToolkit } from "./start-toolkit.js";

const IMPORT = 'import { createToolkit, defineTool, t } from "clawtools";';

/** What a program prints that ends by itself; a process that hangs fails the test. */
async function runProgram(lines: readonly string[]): Promise<string> {
  const run = await runNode(["--input-type=module", "-e", [IMPORT, ...lines].join("\n")]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  return run.stdout.trim();
}

describe("after close", () => {
  it("calls answer that the toolkit is closed", async () => {
    const { toolkit, call } = startToolkit({ tools: [say] });
    await toolkit.close();
    const result = await call("say", { arguments: { text: "hi" } });
    expect(result).toMatchObject({
      isError: true,
      details: { code: "unavailable", reason: "toolkit_closed" },
    });
  });

  it("a call that was under way has ended, and its tool knows", async () => {
    const { tool, begun, seen } = hangingTool();
    const { toolkit, call, rows } = startToolkit({ tools: [tool] });
    const answer = call("hang");
    await begun;
    await toolkit.close();
    expect((await answer).details).toMatchObject({ reason: "toolkit_closed" });
    expect(seen.signal?.aborted).toBe(true);
    expect(rows).toEqual([
      expect.objectContaining({ stage: "execute", outcome: "stopped", reason: "toolkit_closed" }),
    ]);
  });

  it("many calls that were under way have ended, without a warning of Node", async () => {
    const { tool } = hangingTool();
    const warned = vi.fn();
    process.on("warning", warned);
    onTestFinished(() => {
      process.off("warning", warned);
    });
    const { toolkit, call, rows } = startToolkit({
      tools: [tool],
      config: { tools: { loopDetection: { enabled: false } } },
    });
    const answers = Array.from({ length: 50 }, () => call("hang"));
    await toolkit.close();
    const reasons = (await Promise.all(answers)).map(({ details }) => details);
    expect(reasons).toEqual(
      Array.from({ length: 50 }, () => expect.objectContaining({ reason: "toolkit_closed" })),
    );
    expect(rows).toHaveLength(50);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warned).not.toHaveBeenCalled();
  });

  it("nobody is told of anything", async () => {
    const { toolkit, call } = startToolkit();
    const listener = vi.fn();
    toolkit.on("call", listener);
    await toolkit.close();
    await call("read");
    expect(listener).not.toHaveBeenCalled();
  });

  it("a plugin that never ends its registration is not waited for", async () => {
    const paths = [join(import.meta.dirname, "../plugins/faulty/never-ends")];
    const toolkit = createToolkit({ root: "/project", config: { plugins: { load: { paths } } } });
    const begunMs = performance.now();
    await toolkit.close();
    await toolkit.ready;
    expect(performance.now() - begunMs).toBeLessThan(10_000);
  });

  it("no factory of a plugin is called any more", async () => {
    const folder = await createTempFolder({
      "a/openclaw.plugin.json": '{ "id": "a" }',
      "a/index.mjs": `export const register = (api) => {
        api.registerTool(() => { globalThis.lateFactoryRan = true; return null; });
        globalThis.firstPluginIsIn();
      };`,
      "b/openclaw.plugin.json": '{ "id": "b" }',
      "b/index.mjs": "export const register = () => new Promise(() => undefined);",
    });
    onTestFinished(() => {
      for (const name of ["firstPluginIsIn", "lateFactoryRan"]) {
        Reflect.deleteProperty(globalThis, name);
      }
    });
    const isIn = new Promise<void>((resolve) => {
      Reflect.set(globalThis, "firstPluginIsIn", resolve);
    });
    const config = { plugins: { load: { paths: [folder] } } };
    const toolkit = createToolkit({ root: "/project", config });
    await isIn;
    await toolkit.close();
    expect(Reflect.get(globalThis, "lateFactoryRan")).toBeUndefined();
  });

  it("closing again is no mistake", async () => {
    const toolkit = createToolkit({ root: "/project" });
    await toolkit.close();
    await expect(toolkit.close()).resolves.toBeUndefined();
    await expect(toolkit.ready).resolves.toBeUndefined();
  });
});

describe("a process", () => {
  it("ends by itself when a toolkit was made and never closed", async () => {
    const printed = await runProgram([
      'const toolkit = createToolkit({ root: "." });',
      'await toolkit.invoke({ id: "1", name: "read", arguments: { path: "package.json" } });',
      "console.log(toolkit.used().calls);",
    ]);
    expect(printed).toBe("1");
  });

  it("that has lost its working folder can make a toolkit of absolute paths", async () => {
    const folder = await createTempFolder();
    const printed = await runProgram([
      'import { rmdirSync } from "node:fs";',
      `process.chdir(${JSON.stringify(folder)});`,
      `rmdirSync(${JSON.stringify(folder)});`,
      'const toolkit = createToolkit({ root: "/", stateDir: "/state" });',
      "console.log(toolkit.explain('read').status);",
    ]);
    expect(printed).toBe("present");
  });

  it("ends by itself when a toolkit is closed while a call hangs", async () => {
    const printed = await runProgram([
      'const hang = defineTool({ name: "hang", description: "Hangs.", parameters: t.object({}),',
      "  execute: () => new Promise(() => undefined) });",
      'const toolkit = createToolkit({ root: ".", tools: [hang] });',
      'const answer = toolkit.invoke({ id: "1", name: "hang" });',
      "await Promise.resolve();",
      "await toolkit.close();",
      "console.log((await answer).details.reason);",
    ]);
    expect(printed).toBe("toolkit_closed");
  });
});
