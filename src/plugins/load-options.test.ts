// What a caller may get wrong in the options of the loader: refused before anything is loaded, or a
// row of the answer; never a rejection that loses the rows of other plugins.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import { ToolInputError } from "../core/index.js";
import { type LoadedPlugin, loadPluginsFrom } from "./index.js";

const SAMPLES = fileURLToPath(new URL("../../test/plugins/", import.meta.url));
const HOST = { homeDir: undefined, baseDir: SAMPLES, canLoadTypeScript: false };

const HALF =
  '{ kind: "clawtools.tool-definition", name: "q", parameters: { type: "object" }, load() {} }';

/** Options as plain JavaScript would give them. */
function load(options: unknown): Promise<LoadedPlugin[]> {
  return Reflect.apply(loadPluginsFrom, undefined, [options, HOST]);
}

const boom = () => {
  throw new Error("the log is closed");
};

describe("a logger that fails", () => {
  it.each([
    ["throws", { info: boom, warn: boom, error: boom }],
    ["has no functions", { info: 5, warn: "warn", error: null }],
    ["is empty", {}],
    ["is no object", 5],
    ["is null", null],
    [
      "rejects later",
      {
        info: () => Promise.reject(new Error("late")),
        warn: () => Promise.reject(new Error("late")),
        error: () => Promise.reject(new Error("late")),
      },
    ],
    [
      "throws when it is looked at",
      Object.defineProperty({}, "warn", { get: boom, enumerable: true }),
    ],
  ])("loses no row when it %s", async (_what, logger) => {
    const rows = await load({
      searchPaths: ["faulty/no-entry", "sound/echo", "absent"],
      enabledPlugins: ["no-entry", "echo", "nowhere"],
      logger,
    });
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ["no-entry", "failed"],
      ["echo", "loaded"],
      ["absent", "failed"],
      ["nowhere", "failed"],
    ]);
  });

  it("keeps its own this", async () => {
    const lines: string[] = [];
    class Log {
      readonly lines = lines;
      info(message: string) {
        this.lines.push(message);
      }
      warn(message: string) {
        this.lines.push(message);
      }
      error(message: string) {
        this.lines.push(message);
      }
    }
    await load({ searchPaths: ["faulty/no-entry"], logger: new Log() });
    expect(lines).toEqual([expect.stringContaining("no-entry")]);
  });
});

describe("search paths", () => {
  it("that are no text, or blank, have rows of their own beside the sound ones", async () => {
    const rows = await load({ searchPaths: [5, null, "", " ", "sound/echo"] });
    expect(rows.map(({ id, status, problem }) => [id, status, problem])).toEqual([
      ["searchPaths[0]", "failed", "search_path_invalid"],
      ["searchPaths[1]", "failed", "search_path_invalid"],
      ["searchPaths[2]", "failed", "search_path_invalid"],
      ["searchPaths[3]", "failed", "search_path_invalid"],
      ["echo", "loaded", undefined],
    ]);
    expect(rows[0]?.reason).toContain("searchPaths[0] must be the path of a folder");
  });

  it("may be one text instead of a list", async () => {
    const rows = await load({ searchPaths: join(SAMPLES, "sound/echo") });
    expect(rows.map(({ id, status }) => [id, status])).toEqual([["echo", "loaded"]]);
  });
});

describe("options that cannot be meant", () => {
  it.each<[what: string, options: unknown]>([
    ["none", undefined],
    ["text", "plugins"],
    ["no search paths", {}],
    ["a number of search paths", { searchPaths: 5 }],
    ["an object of search paths", { searchPaths: { 0: "x" } }],
    ...[0, -1, 1e12, 2 ** 31, Number.POSITIVE_INFINITY, Number.NaN, "20", null].map(
      (registerTimeoutMs): [string, unknown] => [
        `registerTimeoutMs ${typeof registerTimeoutMs} ${registerTimeoutMs}`,
        { searchPaths: [], registerTimeoutMs },
      ],
    ),
    ["enabledPlugins as text", { searchPaths: [], enabledPlugins: "echo" }],
    ["disabledPlugins with a number", { searchPaths: [], disabledPlugins: [5] }],
    ["optionalTools with null", { searchPaths: [], optionalTools: [null] }],
  ])("are refused before anything is loaded: %s", async (_what, options) => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"watcher"}',
      "index.mjs": "globalThis.watcherRan = true; export const register = () => undefined;",
    });
    const given =
      typeof options === "object" &&
      options !== null &&
      Array.isArray(Reflect.get(options, "searchPaths"))
        ? { ...options, searchPaths: [folder] }
        : options;
    await expect(load(given)).rejects.toBeInstanceOf(ToolInputError);
    expect(Reflect.has(globalThis, "watcherRan")).toBe(false);
  });

  it("are named in the message, with what is allowed", async () => {
    await expect(load({ searchPaths: [], registerTimeoutMs: 1e12 })).rejects.toThrow(
      "registerTimeoutMs must be a whole number from 1 to 2147483647",
    );
  });

  it.each([1, 2 ** 31 - 1])("do not include a limit of %i ms", async (registerTimeoutMs) => {
    expect(await load({ searchPaths: [], registerTimeoutMs })).toEqual([]);
  });
});

describe("a tool that is no tool", () => {
  it.each([
    ["a forged definition", '{ kind: "clawtools.tool-definition", name: "q" }'],
    ["a definition with half its fields", HALF],
  ])("is refused with a row: %s", async (_what, tool) => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"forger"}',
      "index.mjs": `export const register = (api) => api.registerTool(${tool});`,
    });
    const [row] = await load({ searchPaths: [folder] });
    expect(row).toMatchObject({ status: "failed", problem: "register_failed" });
    expect(row?.reason).toContain('"q"');
  });

  it.each(["q", ["a b"], [5], {}])("is refused when names is %j", async (names) => {
    const folder = await createTempFolder({
      "openclaw.plugin.json": '{"id":"forger"}',
      "index.mjs": `export const register = (api) =>
        api.registerTool(() => null, { names: ${JSON.stringify(names)} });`,
    });
    const [row] = await load({ searchPaths: [folder] });
    expect(row).toMatchObject({ status: "failed", problem: "register_failed" });
  });
});
