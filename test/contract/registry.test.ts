// Edges of the registry that its users fall into without types, in resolution and in metadata.

import {
  createClawtools,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolMeta,
  ToolRegistry,
  t,
} from "clawtools";
import { describe, expect, it } from "vitest";

const plain = (name: string): Tool => ({
  name,
  description: "A tool.",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [] }),
});

const meta = (id: string): ToolMeta => ({
  id,
  label: id,
  description: "",
  sectionId: "custom",
  profiles: ["full"],
  source: "core",
});

describe("strict resolution of one tool", () => {
  it("throws not_found with the nearest name when nothing has the name", () => {
    const registry = new ToolRegistry();
    registry.register(plain("greet"));
    expect(() => registry.resolve("gret", {}, undefined, { strict: true })).toThrowError(
      expect.objectContaining({ code: "not_found", message: expect.stringContaining('"greet"') }),
    );
    expect(registry.resolve("gret")).toBeUndefined();
  });
});

describe("a factory", () => {
  it("that gives an unbuilt definition is explained as not built", () => {
    const registry = new ToolRegistry();
    const later = defineTool({
      name: "later",
      description: "Comes later.",
      parameters: t.object({}),
      awaits: "its driver",
    });
    registry.registerFactory(() => later, meta("later"));
    expect(registry.explain()).toMatchObject([
      { id: "later", status: "present", code: "not_built" },
    ]);
  });

  it("registered with nothing but an id gets the default metadata", () => {
    const registry = new ToolRegistry();
    Reflect.apply(registry.registerFactory, registry, [() => plain("a"), { id: "a" }]);
    expect(registry.listBySection()).toEqual([
      {
        id: "custom",
        label: "custom",
        tools: [{ ...meta("a") }],
      },
    ]);
  });

  it("registered without an id is refused", () => {
    const registry = new ToolRegistry();
    const register = () =>
      Reflect.apply(registry.registerFactory, registry, [() => null, undefined]);
    expect(register).toThrowError(/meta\.id is required/);
  });
});

describe("what is asked for and does not exist", () => {
  it("an unknown entry of include is a diagnostic, also without onLoadWarning", () => {
    const { tools } = createClawtools({ tools: { include: ["raed", "apply_patch"] } });
    expect(tools.diagnostics().map(({ message }) => message)).toEqual([
      expect.stringContaining('Did you mean "read"?'),
      expect.stringContaining('use catalog: "all"'),
    ]);
  });

  it("an unknown profile is a diagnostic", () => {
    const { tools } = createClawtools();
    expect(Reflect.apply(tools.resolveByProfile, tools, ["codng"])).toEqual([]);
    expect(tools.diagnostics()).toMatchObject([{ code: "profile_unknown" }]);
  });

  it("a name nobody has is looked for among factories, whose faults are not told of it", () => {
    const registry = new ToolRegistry();
    registry.registerFactory(() => {
      throw new Error("other trouble");
    }, meta("broken"));
    const faults: unknown[] = [];
    expect(registry.resolve("nope", {}, (_meta, error) => faults.push(error))).toBeUndefined();
    expect(faults).toEqual([]);
  });
});

describe("the context of a factory", () => {
  it("has the documented defaults", () => {
    const registry = new ToolRegistry();
    const seen: ToolContext[] = [];
    registry.registerFactory((ctx) => {
      seen.push(ctx);
      return null;
    }, meta("watch"));
    registry.resolveAll({ workspaceDir: "/my/project" });
    expect(seen).toEqual([
      { workspaceDir: "/my/project", root: "/my/project", agentDir: "/my/project" },
    ]);
  });
});

describe("a name that is taken", () => {
  it("keeps the later tool out of the list, and its id still reaches it", () => {
    const registry = new ToolRegistry();
    const first = plain("twin");
    const second = plain("twin");
    registry.register(first);
    registry.registerFactory(() => second, meta("second"));
    expect(registry.resolveAll()).toEqual([first]);
    expect(registry.resolve("twin")).toBe(first);
    expect(registry.resolve("second")).toBe(second);
    expect(registry.explain().at(-1)).toMatchObject({ code: "name_conflict", status: "absent" });
  });
});

describe("names that differ only in case", () => {
  const known = (name: string, alsoKnownAs: readonly string[]) =>
    defineTool({
      name,
      description: "A tool.",
      alsoKnownAs,
      parameters: t.object({}),
      execute: async () => ({ content: [] }),
    });

  it("are one name: the first keeps it, and the other is reached by its id", () => {
    const registry = new ToolRegistry();
    registry.register(plain("read"));
    registry.register(plain("Read"));
    expect(registry.resolveAll().map(({ name }) => name)).toEqual(["read"]);
    expect(registry.explain()[1]).toMatchObject({ id: "Read", code: "name_conflict" });
    expect(registry.diagnostics()).toMatchObject([{ code: "name_conflict", toolId: "Read" }]);
    expect(registry.resolve("Read")?.name).toBe("Read");
  });

  it("another name never takes over a known one, and that is told", () => {
    const registry = new ToolRegistry();
    registry.register(plain("read"));
    registry.register(known("mine", ["READ", "look"]));
    registry.register(known("yours", ["look"]));
    expect(registry.resolve("read")?.name).toBe("read");
    expect(registry.resolve("READ")).toBeUndefined();
    expect(registry.resolve("look")?.name).toBe("mine");
    expect(registry.diagnostics().map(({ code, toolId }) => [code, toolId])).toEqual([
      ["name_conflict", "mine"],
      ["name_conflict", "yours"],
    ]);
  });
});

describe("events", () => {
  it("other than diagnostic are refused by name", () => {
    const registry = new ToolRegistry();
    expect(() => Reflect.apply(registry.on, registry, ["error", () => undefined])).toThrowError(
      /no event "error"/,
    );
  });

  it("reach a listener until it is taken off, and one that throws harms nobody", () => {
    const registry = new ToolRegistry();
    const heard: string[] = [];
    registry.on("diagnostic", () => {
      throw new Error("bad listener");
    });
    const stop = registry.on("diagnostic", ({ code }) => heard.push(code));
    registry.register(plain("a"));
    registry.register(plain("a"));
    stop();
    registry.register(plain("a"));
    expect(heard).toEqual(["tool_replaced"]);
    expect(registry.diagnostics().map(({ code }) => code)).toContain("listener_threw");
  });
});
