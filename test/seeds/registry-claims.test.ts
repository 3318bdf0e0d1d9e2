// Claims 1 to 12 and 25 to 33: entry points, registration, resolution and queries of the registry.
import * as main from "clawtools";
import {
  createClawtools,
  createClawtoolsAsync,
  createClawtoolsSync,
  type Tool,
  type ToolContext,
  ToolInputError,
  type ToolMeta,
  ToolRegistry,
} from "clawtools";
import * as toolsDoor from "clawtools/tools";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { createMeta, createPlainTool } from "../fakes/plain-tool.js";
import { resolveTool } from "../fakes/resolve-tool.js";

const greet: Tool = {
  name: "greet",
  description: "Say hello to someone",
  parameters: {
    type: "object",
    properties: { name: { type: "string", description: "Who to greet" } },
    required: ["name"],
  },
  execute: async (_toolCallId, params) => ({
    content: [{ type: "text", text: `Hello, ${params.name}!` }],
  }),
};

const workspaceInfo = (ctx: ToolContext): Tool => ({
  name: "workspace_info",
  description: "Returns the workspace directory",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [{ type: "text", text: ctx.workspaceDir ?? "(none)" }] }),
});

const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name);

describe("entry points", () => {
  it("1 · ToolRegistry, discoverCoreTools, discoverCoreToolsAsync, getCoreToolCatalog, getCoreSections from clawtools", () => {
    expect(new main.ToolRegistry().size).toBe(0);
    expect(main.discoverCoreTools).toBeTypeOf("function");
    expect(main.discoverCoreToolsAsync).toBeTypeOf("function");
    expect(main.getCoreToolCatalog()).toHaveLength(23);
    expect(main.getCoreSections()).toHaveLength(11);
  });

  it("2 · the same (first three) from clawtools/tools", () => {
    expect(toolsDoor.ToolRegistry).toBe(main.ToolRegistry);
    expect(toolsDoor.discoverCoreTools).toBe(main.discoverCoreTools);
    expect(toolsDoor.discoverCoreToolsAsync).toBe(main.discoverCoreToolsAsync);
  });

  it("3 · ct.tools is an already populated registry from both createClawtools and createClawtoolsAsync", async () => {
    const promised = createClawtoolsAsync();
    expect(promised).toBeInstanceOf(Promise);
    const instances = [createClawtools(), createClawtoolsSync(), await promised];
    for (const instance of instances) {
      expect(instance.tools).toBeInstanceOf(ToolRegistry);
      expect(instance.tools.size).toBe(23);
      expect(instance.tools.resolve("exec")?.name).toBe("exec");
      await expect(instance.ready).resolves.toBeUndefined();
    }
    expect((await createClawtools()).tools.has("read")).toBe(true);
    expect(createClawtools({ skipCoreTools: true }).tools.size).toBe(0);
    expect(new Set(instances.map(({ tools }) => tools)).size).toBe(3);
  });
});

describe("registration", () => {
  it("4 · register(tool, meta?): full Tool object", async () => {
    const registry = new ToolRegistry();
    registry.register(greet);
    const result = await resolveTool({ registry, name: "greet" }).execute("call_1", {
      name: "Ada",
    });
    expect(result.content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
  });

  it("5 · meta overrides derived metadata", () => {
    const registry = new ToolRegistry();
    registry.register(greet);
    registry.register(
      { ...greet, name: "wave", label: "Wave" },
      { label: "Waving", description: "For people", sectionId: "social", profiles: ["messaging"] },
    );
    registry.register(createPlainTool("third"), { id: "renamed", source: "plugin", pluginId: "p" });
    expect(registry.list()).toEqual([
      {
        id: "greet",
        label: "greet",
        description: "Say hello to someone",
        sectionId: "custom",
        profiles: ["full"],
        source: "core",
      },
      {
        id: "wave",
        label: "Waving",
        description: "For people",
        sectionId: "social",
        profiles: ["messaging"],
        source: "core",
      },
      {
        id: "renamed",
        label: "third",
        description: "Says third.",
        sectionId: "custom",
        profiles: ["full"],
        source: "plugin",
        pluginId: "p",
      },
    ]);
  });

  it("6 · registerFactory(factory, meta), called lazily with ToolContext at resolve", async () => {
    const registry = new ToolRegistry();
    const factory = vi.fn(workspaceInfo);
    registry.registerFactory(factory, createMeta("workspace_info"));
    expect(registry.has("workspace_info")).toBe(true);
    expect(factory).not.toHaveBeenCalled();
    const ctx: ToolContext = { workspaceDir: "/my/project" };
    const inside = resolveTool({ registry, name: "workspace_info", ctx });
    expect(factory).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(ctx));
    expect((await inside.execute("call_1", {})).content).toEqual([
      { type: "text", text: "/my/project" },
    ]);
    const outside = resolveTool({ registry, name: "workspace_info" });
    expect(factory).toHaveBeenLastCalledWith({});
    expect((await outside.execute("call_2", {})).content).toEqual([
      { type: "text", text: "(none)" },
    ]);
  });

  it("7 · meta.id required for factories", () => {
    const registry = new ToolRegistry();
    const { id: _id, ...withoutId } = createMeta("workspace_info");
    for (const meta of [undefined, null, withoutId, { ...withoutId, id: "" }, { id: 7 }]) {
      // Callers without types can pass anything; the types forbid each of these.
      expect(() =>
        Reflect.apply(registry.registerFactory, registry, [workspaceInfo, meta]),
      ).toThrow(ToolInputError);
    }
    expect(registry.size).toBe(0);
    expectTypeOf(registry.registerFactory).parameter(1).toEqualTypeOf<ToolMeta>();
  });

  it("8 · meta fields id, label, description, sectionId, profiles, source", () => {
    const meta: ToolMeta = {
      id: "workspace_info",
      label: "Workspace Info",
      description: "Returns the workspace directory",
      sectionId: "custom",
      profiles: ["full"],
      source: "core",
    };
    const registry = new ToolRegistry();
    registry.registerFactory(workspaceInfo, meta);
    expect(registry.list()).toEqual([meta]);
  });
});

describe("resolution", () => {
  it("9 · a factory that throws is skipped, the rest unaffected", () => {
    const registry = new ToolRegistry();
    registry.register(createPlainTool("before"));
    const thrown = [new Error("no key"), "text", undefined, null, { message: 1 }];
    for (const [index, value] of thrown.entries()) {
      registry.registerFactory(
        () => {
          throw value;
        },
        createMeta(`broken_${index}`),
      );
    }
    registry.registerFactory(() => createPlainTool("after"), createMeta("after"));
    expect(namesOf(registry.resolveAll())).toEqual(["before", "after"]);
    expect(registry.resolve("broken_0")).toBeUndefined();
    expect(registry.size).toBe(thrown.length + 2);
  });

  it("10 · a factory that returns null is skipped silently, no error raised", () => {
    const registry = new ToolRegistry();
    registry.registerFactory(() => null, createMeta("nothing"));
    registry.registerFactory(() => undefined, createMeta("nothing_either"));
    registry.registerFactory(() => createPlainTool("something"), createMeta("something"));
    const onError = vi.fn();
    expect(namesOf(registry.resolveAll({}, onError))).toEqual(["something"]);
    expect(registry.resolve("nothing", {}, onError)).toBeUndefined();
    expect(onError).not.toHaveBeenCalled();
    expect(registry.diagnostics()).toEqual([]);
    expect(registry.explain()[0]).toMatchObject({ status: "absent", code: "declined" });
  });

  it("11 · resolveAll(ctx?, onError?) -> Tool[]; direct tools as is", () => {
    const registry = new ToolRegistry();
    const made = createPlainTool("made");
    registry.register(greet);
    registry.registerFactory(() => made, createMeta("made"));
    const [first, second, ...rest] = registry.resolveAll();
    expect(first).toBe(greet);
    expect(second).toBe(made);
    expect(rest).toEqual([]);
    expect(registry.resolveAll({ workspaceDir: "/p" })[0]).toBe(greet);
    expectTypeOf(registry.resolveAll()).toEqualTypeOf<Tool[]>();
  });

  it("12 · onError(meta, err) observes factory errors", () => {
    const registry = new ToolRegistry();
    const error = new Error("no key");
    registry.registerFactory(() => {
      throw error;
    }, createMeta("broken"));
    const [meta] = registry.list();
    const onError = vi.fn();
    registry.resolveAll({}, onError);
    registry.resolveByProfile("full", {}, onError);
    registry.resolve("broken", {}, onError);
    expect(onError.mock.calls).toEqual([
      [meta, error],
      [meta, error],
      [meta, error],
    ]);
    expect(onError.mock.calls[0]?.[1]).toBe(error);
  });

  it("25 · resolveByProfile(profile, ctx?, onError?)", () => {
    const registry = new ToolRegistry();
    registry.register(greet, { profiles: ["messaging"] });
    registry.registerFactory(workspaceInfo, createMeta("info", { profiles: ["coding"] }));
    const error = new Error("no");
    registry.registerFactory(
      () => {
        throw error;
      },
      createMeta("broken", { profiles: ["coding", "messaging"] }),
    );
    const onError = vi.fn();
    const coding = registry.resolveByProfile("coding", { workspaceDir: "/proj" }, onError);
    expect(namesOf(coding)).toEqual(["workspace_info"]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ id: "broken" }),
      error,
    );
    expect(namesOf(registry.resolveByProfile("messaging"))).toEqual(["greet"]);
    expect(registry.resolveByProfile("minimal")).toEqual([]);
  });

  it("26 · the full profile returns everything", () => {
    const registry = new ToolRegistry();
    registry.register(greet, { profiles: ["messaging"] });
    registry.register(createPlainTool("unlisted"), { profiles: [] });
    registry.register(createPlainTool("plain"));
    expect(namesOf(registry.resolveByProfile("full"))).toEqual(["greet", "unlisted", "plain"]);
    expect(registry.resolveByProfile("full")).toEqual(registry.resolveAll());
  });

  it("27 · resolve(name, ctx?, onError?) by canonical name -> Tool or undefined", () => {
    const registry = new ToolRegistry();
    registry.register(greet);
    expect(registry.resolve("greet")).toBe(greet);
    expect(registry.resolve("greet", { workspaceDir: "/proj" })).toBe(greet);
    expect(registry.resolve("Greet")).toBeUndefined();
    expect(registry.resolve("missing")).toBeUndefined();
    for (const name of ["__proto__", "constructor", "toString", ""]) {
      expect(registry.resolve(name), name).toBeUndefined();
    }
    expectTypeOf(registry.resolve("greet")).toEqualTypeOf<Tool | undefined>();
  });
});

describe("catalog queries", () => {
  it("28 · list() -> ToolMeta[] without invoking factories", () => {
    const registry = new ToolRegistry();
    const factory = vi.fn(workspaceInfo);
    registry.registerFactory(factory, createMeta("workspace_info"));
    registry.register(greet);
    expect(registry.list().map(({ id }) => id)).toEqual(["workspace_info", "greet"]);
    registry.listBySection();
    expect(registry.size + Number(registry.has("greet"))).toBe(3);
    expect(factory).not.toHaveBeenCalled();
    expectTypeOf(registry.list()).toEqualTypeOf<ToolMeta[]>();
  });

  it("29 · listBySection() -> sections with label and tools", () => {
    const registry = new ToolRegistry();
    registry.registerSection({ id: "empty", label: "Empty" });
    registry.registerSection({ id: "social", label: "Social" });
    registry.register(createPlainTool("other"), { sectionId: "unlabelled" });
    registry.register(greet, { sectionId: "social" });
    registry.register(createPlainTool("wave"), { sectionId: "social" });
    const sections = registry.listBySection();
    expect(
      sections.map(({ id, label, tools }) => [id, label, tools.map((tool) => tool.id)]),
    ).toEqual([
      ["social", "Social", ["greet", "wave"]],
      ["unlabelled", "unlabelled", ["other"]],
    ]);
  });

  it("30 · has(name)", () => {
    const registry = new ToolRegistry();
    registry.register(greet, { id: "hello" });
    expect(registry.has("hello")).toBe(true);
    expect(registry.has("greet")).toBe(true);
    expect(registry.has("missing")).toBe(false);
    expect(registry.has("__proto__")).toBe(false);
  });

  it("31 · unregister(name) -> boolean", () => {
    const registry = new ToolRegistry();
    registry.register(greet);
    expect(registry.unregister("greet")).toBe(true);
    expect(registry.unregister("greet")).toBe(false);
    expect(registry.resolve("greet")).toBeUndefined();
    expect(registry.resolveAll()).toEqual([]);
  });

  it("32 · clear()", () => {
    const { tools } = createClawtools();
    tools.clear();
    expect(tools.size).toBe(0);
    expect(tools.list()).toEqual([]);
    expect(tools.listBySection()).toEqual([]);
    expect(tools.resolve("exec")).toBeUndefined();
    tools.register(createPlainTool("again"), { sectionId: "fs" });
    expect(tools.listBySection()[0]?.label).toBe("Files");
  });

  it("33 · size", () => {
    const registry = new ToolRegistry();
    expect(registry.size).toBe(0);
    registry.register(greet);
    registry.register(createPlainTool("second"));
    expect(registry.size).toBe(2);
    registry.register({ ...greet, description: "Newer" });
    expect(registry.size).toBe(2);
    registry.unregister("greet");
    expect(registry.size).toBe(1);
  });
});
