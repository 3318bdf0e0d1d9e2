// What the registry guards beyond the documented behaviour: promises, twin names, bad names, frozen
// metadata, several names for one tool, strict resolution, diagnostics.
import {
  createClawtools,
  type Diagnostic,
  defineTool,
  getCoreSections,
  getCoreToolCatalog,
  getToolCatalog,
  type Tool,
  ToolInputError,
  ToolRegistry,
  ToolResolutionError,
  t,
  textResult,
} from "clawtools";
import { describe, expect, it, vi } from "vitest";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { createMeta, createPlainTool } from "../fakes/plain-tool.js";

const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name);

/** Callers without types can pass anything; these are the calls that the types forbid. */
function registerAnything(registry: ToolRegistry, value: unknown): void {
  Reflect.apply(registry.register, registry, [value]);
}

function registerAnyFactory(registry: ToolRegistry, factory: () => unknown): void {
  Reflect.apply(registry.registerFactory, registry, [factory, createMeta("made")]);
}

describe("an async factory", () => {
  it("never brings its Promise out as a tool, and is told to onError", () => {
    const registry = new ToolRegistry();
    registry.register(createPlainTool("plain"));
    registerAnyFactory(registry, async () => createPlainTool("late"));
    const onError = vi.fn();
    expect(namesOf(registry.resolveAll({}, onError))).toEqual(["plain"]);
    expect(registry.resolve("made")).toBeUndefined();
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ id: "made" }),
      expect.objectContaining({ reason: "factory_async" }),
    );
    expect(registry.explain()[1]).toMatchObject({ status: "absent", code: "factory_async" });
  });

  it("that rejects leaves no unhandled rejection behind", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    try {
      const registry = new ToolRegistry();
      registerAnyFactory(registry, async () => {
        throw new Error("too late");
      });
      expect(registry.resolveAll()).toEqual([]);
      // Unhandled rejections are reported before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off("unhandledRejection", unhandled);
    }
  });

  it("is refused as a tool when its Promise is registered directly", () => {
    const registry = new ToolRegistry();
    expect(() => registerAnything(registry, Promise.resolve(createPlainTool("x")))).toThrow(
      expect.objectContaining({ reason: "tool_is_promise" }),
    );
  });
});

describe("one name, two tools", () => {
  it("the tool registered first keeps the name, and the other is a diagnostic", () => {
    const registry = new ToolRegistry();
    const first = createPlainTool("twin");
    registry.register(first);
    registry.registerFactory(() => createPlainTool("twin"), createMeta("second"));
    const tools = registry.resolveAll();
    expect(tools).toHaveLength(1);
    expect(tools[0]).toBe(first);
    expect(registry.diagnostics()).toEqual([
      expect.objectContaining({ code: "name_conflict", severity: "warning", toolId: "second" }),
    ]);
    expect(registry.explain()[1]).toMatchObject({
      id: "second",
      status: "absent",
      code: "name_conflict",
      reason: expect.stringContaining('"twin"'),
    });
  });

  it("a factory registered first keeps the name from a later tool", () => {
    const registry = new ToolRegistry();
    const first = createPlainTool("twin");
    registry.registerFactory(() => first, createMeta("made"));
    registry.register(createPlainTool("twin"));
    expect(registry.resolveAll()).toEqual([first]);
    expect(registry.resolveAll()[0]).toBe(first);
  });

  it("a factory that gives two tools of one name brings only the first out", () => {
    const registry = new ToolRegistry();
    const first = createPlainTool("twin");
    registry.registerFactory(() => [first, createPlainTool("twin")], createMeta("made"));
    const tools = registry.resolveAll();
    expect(tools).toHaveLength(1);
    expect(tools[0]).toBe(first);
  });

  it("the same id again replaces the tool, keeps its place and is a diagnostic", () => {
    const registry = new ToolRegistry();
    const newer = createPlainTool("one");
    registry.register(createPlainTool("one"));
    registry.register(createPlainTool("two"));
    registry.register(newer);
    const tools = registry.resolveAll();
    expect(namesOf(tools)).toEqual(["one", "two"]);
    expect(tools[0]).toBe(newer);
    expect(registry.diagnostics()).toEqual([
      expect.objectContaining({ code: "tool_replaced", toolId: "one" }),
    ]);
  });
});

describe("what is no tool", () => {
  const BAD_NAMES = ["", "two words", "naïve", "dot.ted", "slash/ed", "x".repeat(65), "new\nline"];

  it("names that a provider would refuse are refused at registration", () => {
    const registry = new ToolRegistry();
    for (const name of BAD_NAMES) {
      expect(() => registry.register(createPlainTool(name)), name).toThrow(ToolInputError);
    }
    expect(registry.size).toBe(0);
    for (const name of ["a", "A_b-9", "x".repeat(64)]) registry.register(createPlainTool(name));
    expect(registry.size).toBe(3);
  });

  it("a factory's tool of a bad name is left out with its reason", () => {
    for (const name of BAD_NAMES) {
      const registry = new ToolRegistry();
      registry.registerFactory(() => createPlainTool(name), createMeta("made"));
      expect(registry.resolveAll(), name).toEqual([]);
      expect(registry.explain()[0]).toMatchObject({ status: "absent", code: "tool_invalid" });
    }
  });

  it("objects without execute or without a schema are refused at registration", () => {
    const { execute: _execute, ...withoutExecute } = createPlainTool("x");
    const { parameters: _parameters, ...withoutParameters } = createPlainTool("x");
    const values = [
      withoutExecute,
      withoutParameters,
      { ...createPlainTool("x"), parameters: [] },
      { ...createPlainTool("x"), execute: "run" },
      null,
      undefined,
      "read",
      7,
    ];
    const registry = new ToolRegistry();
    for (const value of values) {
      expect(() => registerAnything(registry, value)).toThrow(ToolInputError);
    }
    expect(registry.size).toBe(0);
  });
});

describe("metadata is frozen", () => {
  it("a listing cannot change the registry", () => {
    const { tools } = createClawtools();
    for (const meta of tools.list()) {
      expect(Object.isFrozen(meta), meta.id).toBe(true);
      expect(Object.isFrozen(meta.profiles), meta.id).toBe(true);
    }
    tools.list().pop();
    tools.listBySection()[0]?.tools.pop();
    expect(tools.size).toBe(23);
    expect(tools.listBySection()[0]?.tools).toHaveLength(3);
  });

  it("metadata given to a registration can be changed afterwards without effect", () => {
    const registry = new ToolRegistry();
    const meta = createMeta("made", { profiles: ["coding"] });
    registry.registerFactory(() => createPlainTool("made"), meta);
    meta.label = "changed";
    meta.profiles.push("messaging");
    expect(registry.list()[0]).toMatchObject({ label: "made", profiles: ["coding"] });
  });

  it("the catalog cannot be changed through what its functions return", () => {
    const count = getToolCatalog().length;
    for (const catalog of [getCoreToolCatalog(), getToolCatalog()]) {
      for (const meta of catalog) {
        expect(Object.isFrozen(meta), meta.id).toBe(true);
        expect(Object.isFrozen(meta.profiles), meta.id).toBe(true);
      }
      catalog.length = 0;
    }
    expect(getCoreSections().every((section) => Object.isFrozen(section))).toBe(true);
    expect(getCoreToolCatalog()).toHaveLength(23);
    expect(getToolCatalog()).toHaveLength(count);
  });
});

describe("several names for one tool", () => {
  it("a tool is found by its id, its name and its other names", () => {
    const { tools } = createClawtools({ catalog: "all" });
    tools.register(createPlainTool("inner"), { id: "outer" });
    expect(tools.resolve("outer")).toBe(tools.resolve("inner"));
    expect(tools.resolve("bash")?.name).toBe("exec");
    const ctx = { root: "/p", bridge: createMemoryBridge({}) };
    expect(tools.resolve("apply-patch", ctx)?.name).toBe("apply_patch");
  });

  it("a tool of its own name comes before another tool's other name", () => {
    const { tools } = createClawtools();
    const bash = createPlainTool("bash");
    tools.register(bash);
    expect(tools.resolve("bash")).toBe(bash);
    expect(tools.resolve("exec")?.name).toBe("exec");
  });

  it("another name neither counts as registered nor removes the tool", () => {
    const { tools } = createClawtools();
    expect(tools.has("bash")).toBe(false);
    expect(tools.unregister("bash")).toBe(false);
    expect(tools.has("exec")).toBe(true);
  });

  it("a factory of several tools is found by each of their names", () => {
    const registry = new ToolRegistry();
    const [one, two] = [createPlainTool("one"), createPlainTool("two")];
    registry.registerFactory(() => [one, two], createMeta("pair"));
    expect(registry.resolve("pair")).toBe(one);
    expect(registry.resolve("one")).toBe(one);
    expect(registry.resolve("two")).toBe(two);
    expect(registry.resolve("three")).toBeUndefined();
    expect(namesOf(registry.resolveAll())).toEqual(["one", "two"]);
  });
});

describe("strict resolution", () => {
  it("throws one error with the reason of every absent tool", () => {
    const registry = new ToolRegistry();
    registry.register(createPlainTool("here"));
    registry.registerFactory(() => {
      throw new Error("no key");
    }, createMeta("broken"));
    registry.registerFactory(() => null, createMeta("declined"));
    registry.register(
      defineTool({
        name: "needy",
        description: "Needs an agent folder.",
        parameters: t.object({}),
        needs: ["agentDir"],
        execute: async () => textResult("here"),
      }),
    );
    const strict = () => registry.resolveAll({}, undefined, { strict: true });
    expect(strict).toThrow(ToolResolutionError);
    expect(strict).toThrow(
      expect.objectContaining({
        code: "unavailable",
        message: expect.stringMatching(/broken:.*no key.*declined:.*needy:.*missing: agentDir/s),
        rows: [
          expect.objectContaining({ id: "broken", code: "factory_threw" }),
          expect.objectContaining({ id: "declined", code: "declined" }),
          expect.objectContaining({ id: "needy", code: "missing_context" }),
        ],
      }),
    );
    expect(() => registry.resolveByProfile("full", {}, undefined, { strict: true })).toThrow(
      ToolResolutionError,
    );
    expect(() => registry.resolve("needy", {}, undefined, { strict: true })).toThrow(
      ToolResolutionError,
    );
  });

  it("gives the tools when nothing is absent", () => {
    const registry = new ToolRegistry();
    registry.register(createPlainTool("here"));
    expect(namesOf(registry.resolveAll({}, undefined, { strict: true }))).toEqual(["here"]);
    expect(registry.resolve("here", {}, undefined, { strict: true })?.name).toBe("here");
  });
});

describe("diagnostics", () => {
  it('on("diagnostic") hears of each one until its listener is taken back', () => {
    const registry = new ToolRegistry();
    const heard: Diagnostic[] = [];
    const stop = registry.on("diagnostic", (diagnostic) => heard.push(diagnostic));
    registry.register(createPlainTool("one"));
    registry.register(createPlainTool("one"));
    registry.register(createPlainTool("two"), { profiles: ["coding"] });
    expect(heard.map(({ code, toolId }) => [code, toolId])).toEqual([["tool_replaced", "one"]]);
    stop();
    registry.register(createPlainTool("two"));
    expect(heard).toHaveLength(1);
    expect(registry.diagnostics()).toHaveLength(2);
  });

  it("a listener that throws breaks neither the resolution nor the other listeners", () => {
    const registry = new ToolRegistry();
    const heard = vi.fn();
    registry.on("diagnostic", () => {
      throw new Error("bad listener");
    });
    registry.on("diagnostic", heard);
    registry.registerFactory(() => {
      throw new Error("no key");
    }, createMeta("broken"));
    registry.register(createPlainTool("fine"));
    expect(namesOf(registry.resolveAll())).toEqual(["fine"]);
    expect(heard).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: "factory_threw", severity: "error", toolId: "broken" }),
    );
    expect(registry.diagnostics().map(({ code }) => code)).toContain("listener_threw");
  });

  it("a profile that does not exist is a diagnostic", () => {
    const registry = new ToolRegistry();
    const meta = JSON.parse(JSON.stringify(createMeta("made", { profiles: [] })));
    meta.profiles.push("codding");
    registry.registerFactory(() => createPlainTool("made"), meta);
    expect(registry.diagnostics()).toEqual([
      expect.objectContaining({ code: "profile_unknown", toolId: "made" }),
    ]);
  });

  it("another event name is refused", () => {
    const registry = new ToolRegistry();
    expect(() => Reflect.apply(registry.on, registry, ["diagnostics", vi.fn()])).toThrow(
      /"diagnostic"/,
    );
  });
});
