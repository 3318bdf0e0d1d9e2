// The rules between plugins and their surroundings: ids, names, settings, search paths, stopping.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import type { Tool } from "../core/index.js";
import { loadPluginsFrom, type PluginLoaderOptions } from "./index.js";

const SAMPLES = fileURLToPath(new URL("../../test/plugins/", import.meta.url));

function load(searchPaths: string[], options: Partial<PluginLoaderOptions> = {}) {
  const host = { homeDir: undefined, baseDir: SAMPLES, canLoadTypeScript: false };
  return loadPluginsFrom({ searchPaths, ...options }, host);
}

/** A registry that shows what it was told; `read` is there from the start. */
function createNames(...names: string[]) {
  const held = new Map<string, string>(names.map((name) => [name, "core"]));
  return {
    held,
    register: (tool: Pick<Tool, "name">, meta?: { pluginId?: string }) =>
      void held.set(tool.name, meta?.pluginId ?? "core"),
    registerFactory: (_factory: unknown, meta: { id: string; pluginId?: string }) =>
      void held.set(meta.id, meta.pluginId ?? "core"),
    has: (id: string) => held.has(id),
    unregister: (id: string) => held.delete(id),
  };
}

describe("two plugins with one id", () => {
  it("load the first and skip the second, and both paths are named", async () => {
    const warnings: string[] = [];
    const logger = { warn: (line: string) => void warnings.push(line), error: () => undefined };
    const [first, second] = await load(["twins"], { logger });
    expect(first).toMatchObject({ id: "twin", status: "loaded" });
    expect(second).toMatchObject({ id: "Twin", status: "skipped", problem: "id_duplicate" });
    for (const name of ["a-first", "b-second"]) {
      expect(second?.reason).toContain(join(SAMPLES, "twins", name));
    }
    expect(warnings).toEqual([expect.stringContaining("is skipped")]);
  });

  it("count across search paths, and for one folder given twice", async () => {
    const rows = await load(["twins/b-second", "twins/a-first", "twins/b-second"]);
    expect(rows.map(({ status }) => status)).toEqual(["loaded", "skipped", "skipped"]);
  });
});

describe("a name that is taken", () => {
  it("stays with its owner; the rest of the plugin is loaded", async () => {
    const toolRegistry = createNames("read");
    const connectors = new Map([["taken", "core"]]);
    const connectorRegistry = {
      register: () => undefined,
      has: (id: string) => connectors.has(id),
      unregister: (id: string) => connectors.delete(id),
    };
    const [row] = await load(["clash"], { toolRegistry, connectorRegistry });
    expect(row).toMatchObject({
      status: "loaded",
      registered: { tools: ["fine"], connectors: [] },
      connectors: [],
    });
    expect(row?.ignored.map(({ kind, name }) => [kind, name])).toEqual([
      ["registerTool", "read"],
      ["registerTool", "fine_too, READ"],
      ["registerConnector", "taken"],
    ]);
    expect([...toolRegistry.held]).toEqual([
      ["read", "core"],
      ["fine", "name-clash"],
    ]);
  });

  it("is also taken by an earlier plugin, without any registry", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"late"}',
      "index.mjs": 'export default (api) => api.registerTool(() => null, { name: "TWIN_tool" });',
    });
    const [, late] = await load(["twins/a-first", folder]);
    expect(late).toMatchObject({ status: "loaded", toolFactories: [] });
    expect(late?.ignored[0]?.reason).toContain('in the plugin "twin"');
  });

  it.each([
    ["failed", "throw 1;"],
    ["was refused by a registry", 'api.registerConnector({ id: "full" });'],
  ])("is free again when the plugin that wanted it %s", async (_what, code) => {
    const folder = await createTempFolder({
      "a/openclaw.plugin.json": '{"id":"a"}',
      "a/index.mjs": `export default (api) => {
        api.registerTool(() => null, { name: "x" });
        ${code}
      };`,
      "b/openclaw.plugin.json": '{"id":"b"}',
      "b/index.mjs": 'export default (api) => api.registerTool(() => null, { name: "x" });',
    });
    const toolRegistry = createNames();
    const connectorRegistry = {
      register: () => {
        throw new Error("the registry is full");
      },
      has: () => false,
      unregister: () => false,
    };
    const [first] = await load([folder], { toolRegistry, connectorRegistry });
    expect(first).toMatchObject({ id: "a", problem: "register_failed" });
    expect([...toolRegistry.held]).toEqual([["x", "b"]]);
  });

  it("may not be a plugin's id, since rules for the tool would hold for the plugin", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"exec"}',
      "index.mjs": "export default () => undefined;",
    });
    const [row] = await load([folder], { toolRegistry: createNames("exec") });
    expect(row).toMatchObject({ status: "failed", problem: "id_is_tool_name" });
  });

  it("is made up for factories that give none", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"my.plugin"}',
      "index.mjs":
        "export default (api) => { api.registerTool(() => null); api.registerTool(() => null); };",
    });
    const [row] = await load([folder], { toolRegistry: createNames() });
    expect(row?.registered.tools).toEqual(["my-plugin-factory", "my-plugin-factory-2"]);
    expect(row?.toolFactories.map(({ names }) => names)).toEqual([undefined, undefined]);
  });
});

describe("settings", () => {
  it.each([
    ["a missing field", {}, ".greeting: "],
    ["a wrong field", { greeting: 5 }, ".greeting: expected a string, received number 5"],
    ["a wrong nested field", { greeting: "a", server: { port: "x" } }, ".server.port: "],
  ])("with %s keep the plugin out and name its path", async (_what, config, words) => {
    const [row] = await load(["sound/configured"], {
      config: { plugins: { entries: { configured: { config } } } },
    });
    expect(row).toMatchObject({ status: "failed", problem: "config_invalid", tools: [] });
    expect(row?.reason).toContain(`config.plugins.entries.configured.config${words}`);
  });

  it("do not appear in the reason with their values", async () => {
    const config = { greeting: "a", server: { port: "my-secret-key" } };
    const [row] = await load(["sound/configured"], {
      config: { plugins: { entries: { configured: { config } } } },
    });
    expect(row?.reason).toContain(".server.port: expected an integer");
    expect(row?.reason).not.toContain("my-secret-key");
  });

  it("cannot be checked by a schema that is none", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"odd","configSchema":{"type":"object","properties":7}}',
      "index.mjs": "export default () => undefined;",
    });
    const [row] = await load([folder]);
    expect(row).toMatchObject({ status: "failed", problem: "manifest_invalid" });
  });

  it("must be plain data", async () => {
    const config = { greeting: () => "hello" };
    const [row] = await load(["sound/configured"], {
      config: { plugins: { entries: { configured: { config } } } },
    });
    expect(row?.reason).toContain("must be plain data");
  });

  it("can switch a plugin off, which is a row and an info line", async () => {
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const [row] = await load(["sound/bound"], {
      config: { plugins: { entries: { bound: { enabled: false } } } },
      logger: { info: say, warn: () => undefined, error: () => undefined },
    });
    expect(row).toMatchObject({ id: "bound", status: "skipped", problem: "disabled" });
    expect(lines).toEqual([expect.stringContaining("entries.bound.enabled is false")]);
  });
});

describe("search paths", () => {
  it("that are missing or need an unknown home become rows", async () => {
    const rows = await load(["no/such/folder", "~/plugins"]);
    expect(rows.map(({ id, status, problem }) => [id, status, problem])).toEqual([
      ["folder", "failed", "search_path_missing"],
      ["plugins", "failed", "search_path_missing"],
    ]);
    expect(rows[1]?.reason).toContain("homeDir");
  });

  it("may start with ~ when the home is known", async () => {
    const [row] = await load(["~/sound/bound"], { homeDir: SAMPLES });
    expect(row).toMatchObject({ id: "bound", status: "loaded" });
  });

  it("inside a plugin may need a home too, which is then the plugin's failure", async () => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"homeless"}',
      "index.mjs": 'export default (api) => void api.resolvePath("~/notes");',
    });
    const [row] = await load([folder]);
    expect(row).toMatchObject({ problem: "register_failed" });
    expect(row?.reason).toContain("homeDir");
    expect(await load([folder], { homeDir: "/home/ada" })).toMatchObject([{ status: "loaded" }]);
  });

  it("without a plugin that was asked for give a row for it", async () => {
    const warnings: string[] = [];
    const rows = await load(["sound/bound"], {
      enabledPlugins: ["bound", "gone"],
      config: { plugins: { deny: ["misspelt"] } },
      logger: { warn: (line) => void warnings.push(line), error: () => undefined },
    });
    expect(rows.map(({ id, problem }) => [id, problem])).toEqual([
      ["bound", undefined],
      ["gone", "not_found"],
    ]);
    expect(warnings).toEqual([expect.stringContaining("config.plugins.deny")]);
  });
});

describe("stopping", () => {
  it("skips every plugin that has not begun", async () => {
    const rows = await load(["twins"], { signal: AbortSignal.abort() });
    expect(rows.map(({ status, problem }) => [status, problem])).toEqual([
      ["skipped", "stopped"],
      ["skipped", "stopped"],
    ]);
  });

  it.each([
    ["before its function returned", "api.logger.info('now');"],
    ["while it is awaited", "queueMicrotask(() => api.logger.info('now'));"],
  ])("ends the wait for a plugin that was stopped %s", async (_when, code) => {
    const controller = new AbortController();
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"waits"}',
      "index.mjs": `export default (api) => { ${code} return new Promise(() => undefined); };`,
    });
    const logger = {
      info: () => controller.abort(),
      warn: () => undefined,
      error: () => undefined,
    };
    const [row] = await load([folder], { signal: controller.signal, logger });
    expect(row).toMatchObject({ status: "skipped", problem: "stopped" });
  });
});

it("what a plugin registers after its time is ignored, and its row says so", async () => {
  const folder = await createTempFolder({
    "openclaw.plugin.json": '{"id":"late"}',
    "index.mjs": "export default (api) => { globalThis.lateApi = api; };",
  });
  const toolRegistry = createNames();
  const [row] = await load([folder], { toolRegistry });
  const api: { registerTool(tool: unknown): void } = Reflect.get(globalThis, "lateApi");
  Reflect.deleteProperty(globalThis, "lateApi");
  api.registerTool(() => null);
  expect(toolRegistry.held.size).toBe(0);
  expect(row?.ignored).toMatchObject([{ kind: "registerTool" }]);
});
