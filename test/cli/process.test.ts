// The process of the command line: what it loads, how it ends, and what it leaves behind.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DIST_DIR, runNode } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { BIN, createSandbox, type Sandbox } from "./run-cli.js";

const MANIFEST = JSON.stringify({ id: "sample", name: "Sample", version: "1.0.0" });
const TOOL = (execute: string) => `
  api.registerTool({
    name: "sample_tool",
    description: "A sample",
    parameters: { type: "object", properties: {} },
    execute: ${execute},
  });`;

async function withPlugin(body: string): Promise<Sandbox> {
  const plugins = await createTempFolder({
    "sample/openclaw.plugin.json": MANIFEST,
    "sample/index.mjs": `export function register(api) {${body}\n}\n`,
  });
  return await createSandbox({ config: { plugins: { load: { paths: [plugins] } } } });
}

/** The files that a run loads, relative to dist, source by source. */
async function listLoadedSources(args: readonly string[]): Promise<string[]> {
  const folder = await createTempFolder();
  const run = await runNode([BIN, ...args], { NODE_V8_COVERAGE: folder });
  expect(run.exitCode).toBe(0);
  const urls = readdirSync(folder).flatMap((name) => {
    const report: { result: { url: string }[] } = JSON.parse(
      readFileSync(join(folder, name), "utf8"),
    );
    return report.result.map(({ url }) => url);
  });
  const files = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  expect(files.every((file) => file.startsWith(DIST_DIR))).toBe(true);
  return files
    .filter((file) => file !== BIN)
    .flatMap((file) => {
      const map: { sources: string[] } = JSON.parse(readFileSync(`${file}.map`, "utf8"));
      return map.sources.map((source) => source.replace(/^(?:\.\.\/)+/, ""));
    });
}

describe("what is loaded", () => {
  it.each([[["--version"]], [["--help"]], [["tools", "--help"]]])(
    "%j loads the list of commands and no command, toolkit, config or tool",
    async (args) => {
      const sources = await listLoadedSources(args);
      expect(sources).toContain("src/cli/command-list.ts");
      const allowed = /^src\/(?:cli\/(?:terminal\/)?[^/]+|lib\/(?:system\/)?[^/]+)\.ts$/;
      expect(sources.filter((source) => !allowed.test(source))).toEqual([]);
      expect(sources).not.toContain("src/cli/with-toolkit.ts");
    },
  );

  it("the help of a command loads its own file, and neither toolkit, config nor tool", async () => {
    const sources = await listLoadedSources(["tools", "list", "--help"]);
    const commands = sources.filter((source) => source.startsWith("src/cli/commands/"));
    expect(commands).toEqual(["src/cli/commands/tools/list.ts"]);
    const heavy = /^src\/(?:toolkit|tools|plugins|drivers|config)\//;
    expect(sources.filter((source) => heavy.test(source))).toEqual([]);
  });

  it("config get loads neither toolkit nor tool nor what writes", async () => {
    const folder = await createTempFolder({ "clawtools.json": "{}" });
    const file = join(folder, "clawtools.json");
    const sources = await listLoadedSources(["config", "get", "--config", file]);
    const strange = /^src\/(?:toolkit|tools|plugins|drivers|config\/edit)\//;
    expect(sources.filter((source) => strange.test(source))).toEqual([]);
  });

  it("config path loads no toolkit and no tool", async () => {
    const sources = await listLoadedSources(["config", "path"]);
    expect(sources).toContain("src/cli/commands/config/get.ts");
    expect(
      sources.filter((source) => /^src\/(?:toolkit|tools|plugins|drivers)\//.test(source)),
    ).toEqual([]);
  });
});

describe("how it ends", () => {
  it("an error that nobody caught is one sentence and exit code 70", async () => {
    const { run } = await withPlugin(
      TOOL('() => new Promise(() => setTimeout(() => { throw new Error("boom"); }, 1))'),
    );
    expect(await run("tools", "call", "sample_tool")).toEqual({
      exitCode: 70,
      stdout: "",
      stderr: "clawtools failed: boom. Set CLAWTOOLS_DEBUG=1 to see the stack.\n",
    });
  });

  it("CLAWTOOLS_DEBUG=1 adds the stack", async () => {
    const { env, root } = await withPlugin(
      TOOL('() => new Promise(() => setTimeout(() => { throw new Error("boom"); }, 1))'),
    );
    const args = [BIN, "--root", root, "tools", "call", "sample_tool"];
    const { exitCode, stderr } = await runNode(args, { ...env, CLAWTOOLS_DEBUG: "1" });
    expect(exitCode).toBe(70);
    expect(stderr).toMatch(/^clawtools failed: boom\..*\nError: boom\n {4}at /);
  });

  it("a plugin that throws while it is loaded is a row of explain", async () => {
    const { run } = await withPlugin('throw new Error("no luck");');
    const { exitCode, stdout } = await run("tools", "explain", "sample");
    expect(exitCode).toBe(1);
    expect(stdout.replace(/\s+/g, " ")).toContain("no luck");
  });

  it("ends though a plugin left a timer running", async () => {
    const { run } = await withPlugin(
      `setInterval(() => {}, 1000);${TOOL("async () => ({ content: [{ type: 'text', text: 'done' }] })")}`,
    );
    expect(await run("tools", "call", "sample_tool")).toEqual({
      exitCode: 0,
      stdout: "done\n",
      stderr: "",
    });
  });

  it("a tool that reports a failure without a code ends with 10", async () => {
    const { run } = await withPlugin(
      TOOL("async () => ({ content: [{ type: 'text', text: 'no' }], isError: true })"),
    );
    expect(await run("tools", "call", "sample_tool")).toEqual({
      exitCode: 10,
      stdout: `${JSON.stringify({ status: "error", tool: "sample_tool", error: "no" })}\n`,
      stderr: "",
    });
  });

  it("an image is named, not printed", async () => {
    const { run } = await withPlugin(
      TOOL(
        "async () => ({ content: [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }] })",
      ),
    );
    const { stdout } = await run("tools", "call", "sample_tool");
    expect(stdout).toBe("[image image/png, 8 base64 characters]\n");
  });

  it("SIGINT ends a call with 130", async () => {
    const { env, root } = await withPlugin(
      TOOL(
        "(id, params, signal) => new Promise((resolve, reject) => { process.stderr.write('begun'); const wait = setInterval(() => {}, 1000); signal.addEventListener('abort', () => { clearInterval(wait); reject(signal.reason); }); })",
      ),
    );
    const child = spawn(process.execPath, [BIN, "--root", root, "tools", "call", "sample_tool"], {
      env: { ...process.env, ...env },
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      if (text === "begun") child.kill("SIGINT");
    });
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "begunthe call was aborted\n" });
  });

  it("a reader that goes away is no failure", async () => {
    const { env } = await createSandbox();
    const child = spawn(process.execPath, [BIN, "config", "schema"], {
      env: { ...process.env, ...env },
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });
});
