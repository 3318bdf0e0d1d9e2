// The loader on the sample plugins of test/plugins and on folders made for one test.

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import type { Connector } from "../core/connector.js";
import { ToolRegistryBase } from "../core/index.js";
import { type LoadedPlugin, loadPluginsFrom, type PluginLoaderOptions } from "./index.js";

const SAMPLES = fileURLToPath(new URL("../../test/plugins/", import.meta.url));
const HOST = { homeDir: "/home/ada", baseDir: SAMPLES, canLoadTypeScript: false };
const SETTINGS = { plugins: { entries: { configured: { config: { greeting: "Good morning" } } } } };

function createTools(): ToolRegistryBase {
  return new ToolRegistryBase({
    ports: {
      clock: { now: () => 0, after: () => () => undefined },
      random: { hex: (byteCount) => "0".repeat(byteCount * 2) },
      guard: { run: (work) => work() },
    },
  });
}

/** The part of a connector registry that the loader uses; the real one is a stranger to this room. */
function createConnectors(...ids: string[]) {
  const held = new Map<string, Connector | undefined>(ids.map((id) => [id, undefined]));
  return {
    held,
    register: (connector: Connector) => void held.set(connector.id, connector),
    has: (id: string) => held.has(id),
    unregister: (id: string) => held.delete(id),
  };
}

function createLog() {
  const lines: string[] = [];
  const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return { lines, logger: { info: write("info"), warn: write("warn"), error: write("error") } };
}

function load(searchPaths: string[], options: Partial<PluginLoaderOptions> = {}) {
  return loadPluginsFrom({ searchPaths, ...options }, HOST);
}

/** The row of the only plugin. */
async function loadOne(
  path: string,
  options?: Partial<PluginLoaderOptions>,
): Promise<LoadedPlugin> {
  const [row, ...more] = await load([path], options);
  expect(more).toEqual([]);
  if (row === undefined) throw new Error(`no row for ${path}`);
  return row;
}

describe("a sound plugin", () => {
  it("puts its tools and connectors into the registries, under its own id", async () => {
    const tools = createTools();
    const connectors = createConnectors();
    const row = await loadOne("sound/echo", { toolRegistry: tools, connectorRegistry: connectors });
    expect(row).toMatchObject({
      id: "echo",
      name: "Echo",
      version: "1.2.3",
      status: "loaded",
      source: join(SAMPLES, "sound/echo/main.js"),
      path: join(SAMPLES, "sound/echo"),
      registered: { tools: ["echo", "echo_folder"], connectors: ["echo-connector"] },
    });
    expect(row.reason).toBeUndefined();
    expect(tools.list()).toMatchObject([
      { id: "echo", label: "Echo", source: "plugin", pluginId: "echo", profiles: ["full"] },
      { id: "echo_folder", source: "plugin", pluginId: "echo" },
    ]);
    const result = await tools.resolve("echo")?.execute("call_1", { text: "hi" });
    expect(result?.content).toEqual([{ type: "text", text: "Echo: hi" }]);
    expect(tools.resolveAll({ workspaceDir: "/w" }).map(({ name }) => name)).toEqual([
      "echo",
      "echo_folder",
    ]);
    expect(connectors.held.get("echo-connector")?.provider).toBe("echo");
  });

  it("is only collected when no registry is given", async () => {
    const row = await loadOne("sound/echo");
    expect(row.tools.map(({ name }) => name)).toEqual(["echo", "echo_loud"]);
    expect(row.toolFactories).toMatchObject([{ names: ["echo_folder"] }]);
    expect(row.connectors.map(({ id }) => id)).toEqual(["echo-connector"]);
    expect(row.registered).toEqual({ tools: [], connectors: [], searchProviders: [] });
    expect(row.optionalTools).toEqual(["echo_loud"]);
  });

  it.each(["echo_loud", "echo", "group:plugins"])(
    "has its optional tool registered when optionalTools names %s",
    async (name) => {
      const toolRegistry = createTools();
      await loadOne("sound/echo", { toolRegistry, optionalTools: [name] });
      expect(toolRegistry.has("echo_loud")).toBe(true);
    },
  );

  it("learns in the row and in the log what was ignored", async () => {
    const { lines, logger } = createLog();
    const row = await loadOne("sound/echo", { logger, toolRegistry: createTools() });
    expect(row.ignored.map(({ kind, name }) => [kind, name])).toEqual([
      ["manifest", "uiHints"],
      ["extension", "./second.js"],
      ["registerHook", "message_sent, session_end"],
      ["registerHttpHandler", undefined],
      ["registerHttpRoute", "/echo"],
      ["registerChannel", "echo-channel"],
      ["registerGatewayMethod", "echo.say"],
      ["registerCli", "echo"],
      ["registerService", "echo-service"],
      ["registerProvider", "echo-provider"],
      ["registerCommand", "echo-command"],
      ["on", "before_tool_call"],
      ["registerTool", "echo_loud"],
    ]);
    expect(lines.filter((line) => line.startsWith("warn"))).toHaveLength(row.ignored.length);
  });

  it("has its method called on its own object, and is awaited", async () => {
    const row = await loadOne("sound/bound");
    expect(row).toMatchObject({ id: "bound", name: "bound", status: "loaded" });
    expect(row.tools).toMatchObject([
      { name: "bound_tool", description: join(SAMPLES, "sound/bound/notes/today.md") },
    ]);
  });

  it("gets its settings frozen, after they were checked", async () => {
    const row = await loadOne("sound/configured", { config: SETTINGS });
    expect(row.tools).toMatchObject([{ name: "greet", description: "Good morning" }]);
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"free"}',
      "index.mjs": "export default (api) => { api.pluginConfig.list.push(1); };",
    });
    const config = { plugins: { entries: { free: { config: { list: [] } } } } };
    expect(await loadOne(folder, { config })).toMatchObject({ problem: "register_failed" });
    expect(config.plugins.entries.free.config.list).toEqual([]);
  });

  it.each([
    ["a default function", "index.mjs", "export default function (api) { TOOL }"],
    ["a named register", "index.mjs", "export function register(api) { TOOL }"],
    ["a named activate", "index.mjs", "export const activate = async (api) => { TOOL };"],
    ["a default object", "index.mjs", "export default { register(api) { TOOL } };"],
    ["a CommonJS function", "index.js", "module.exports = (api) => { TOOL };"],
    ["a compiled default", "index.js", "exports.default = { register(api) { TOOL } };"],
  ])("may export %s", async (_what, file, code) => {
    const tool = 'api.registerTool(() => null, { name: "made" });';
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"shape"}',
      [file]: code.replace("TOOL", tool),
    });
    expect((await loadOne(folder)).toolFactories).toMatchObject([{ names: ["made"] }]);
  });

  it("may be TypeScript where that can be loaded", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"typed"}',
      "index.mts": "export const register = (api: { id: string }): string => api.id;",
    });
    expect(await loadOne(folder, { canLoadTypeScript: true })).toMatchObject({ status: "loaded" });
    expect(await loadOne(folder)).toMatchObject({ problem: "entry_needs_newer_node" });
  });
});

describe("a plugin that fails", () => {
  it.each([
    ["throws-at-import", "import_failed", "no licence file"],
    ["throws-in-register", "register_failed", "the second half is missing"],
    ["never-ends", "register_timeout", "did not end within 20 ms"],
    ["no-register", "no_register", "exports no register function"],
    ["no-entry", "entry_missing", "has no entry"],
  ])("%s becomes a row and a line, and leaves nothing behind", async (name, problem, words) => {
    const { lines, logger } = createLog();
    const toolRegistry = createTools();
    const path = join(SAMPLES, "faulty", name);
    // A busy machine needs longer than that for an import.
    const registerTimeoutMs = problem === "register_timeout" ? 20 : undefined;
    const row = await loadOne(path, { logger, toolRegistry, registerTimeoutMs });
    expect(row).toMatchObject({ id: name, path, status: "failed", problem, tools: [] });
    expect(row.reason).toContain(words);
    expect(lines).toEqual([expect.stringContaining(`error plugin "${name}"`)]);
    expect(toolRegistry.size).toBe(0);
  });

  it("does not keep the others from loading", async () => {
    const rows = await load(["faulty", "sound"], { config: SETTINGS, registerTimeoutMs: 1_500 });
    expect(rows.filter(({ status }) => status === "loaded").map(({ id }) => id)).toEqual([
      "bound",
      "configured",
      "echo",
    ]);
    expect(rows.filter(({ status }) => status === "failed")).toHaveLength(5);
  });

  it("is named by its folder when the manifest cannot be read", async () => {
    const folder = await createTempFolder({
      "bad-json/openclaw.plugin.json": "{ id: 1 }",
      "bad-id/openclaw.plugin.json": '{ "id": "no spaces please" }',
      "huge/openclaw.plugin.json": `{"id":"huge","name":"${"x".repeat(300_000)}"}`,
    });
    const rows = await load([folder]);
    expect(rows.map(({ id, status, problem }) => [id, status, problem])).toEqual([
      ["bad-id", "failed", "manifest_invalid"],
      ["bad-json", "failed", "manifest_not_json"],
      ["huge", "failed", "manifest_too_large"],
    ]);
  });

  it("is not run when its entry leads out of its folder", async () => {
    const folder = await createTempFolder({
      "outside.mjs": "globalThis.outsideRan = true; export const register = () => undefined;",
      "plugin/openclaw.plugin.json": '{"id":"leaves"}',
    });
    await symlink(join(folder, "outside.mjs"), join(folder, "plugin/index.mjs"));
    expect(await loadOne(folder)).toMatchObject({ problem: "entry_outside_folder" });
    expect(Reflect.has(globalThis, "outsideRan")).toBe(false);
  });

  it("waits no longer than the limit for an import that never ends", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"slow"}',
      "index.mjs": "await new Promise(() => undefined); export const register = () => undefined;",
    });
    expect(await loadOne(folder, { registerTimeoutMs: 20 })).toMatchObject({
      problem: "register_timeout",
    });
  });

  it.each([
    ["a tool without execute", 'api.registerTool({ name: "x", parameters: {} })'],
    ["a tool with a bad name", 'api.registerTool({ name: "a b", execute() {}, parameters: {} })'],
    ["no tool at all", "api.registerTool(undefined)"],
    ["a connector without an id", "api.registerConnector({})"],
  ])("is rolled back when it registers %s", async (_what, call) => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"wrong"}',
      "index.mjs": `export const register = (api) => {
        api.registerTool(() => null, { name: "before" });
        ${call};
      };`,
    });
    const toolRegistry = createTools();
    expect(await loadOne(folder, { toolRegistry })).toMatchObject({ problem: "register_failed" });
    expect(toolRegistry.has("before")).toBe(false);
  });

  it("is rolled back when a registry refuses", async () => {
    const toolRegistry = createTools();
    const connectorRegistry = {
      ...createConnectors(),
      register: () => {
        throw new Error("the registry is full");
      },
    };
    const row = await loadOne("sound/echo", { toolRegistry, connectorRegistry });
    expect(row).toMatchObject({ status: "failed", registered: { tools: [], connectors: [] } });
    expect(row.reason).toContain("the registry is full");
    expect(toolRegistry.size).toBe(0);
  });
});
