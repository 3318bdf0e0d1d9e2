// Claims 34 to 36, 39 to 42 and 47 to 53: discovery, its options and its groups.
import {
  createClawtools,
  type DiscoveryOptions,
  discoverCoreTools,
  discoverCoreToolsAsync,
  getCoreToolCatalog,
  ToolRegistry,
} from "clawtools";
import * as toolsDoor from "clawtools/tools";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { createPlainTool } from "../fakes/plain-tool.js";
import { resolveTool } from "../fakes/resolve-tool.js";

const IDS = getCoreToolCatalog().map(({ id }) => id);
const SESSIONS = [
  "sessions_list",
  "sessions_history",
  "sessions_send",
  "sessions_spawn",
  "subagents",
  "session_status",
];
const CTX = {
  root: "/project",
  bridge: createMemoryBridge({ "/project/README.md": "# The project\n" }),
};

function discoveredIds(options: DiscoveryOptions): string[] {
  const registry = new ToolRegistry();
  discoverCoreTools(registry, options);
  return registry.list().map(({ id }) => id);
}

function warningsOf(options: DiscoveryOptions): string[] {
  const warnings: string[] = [];
  discoveredIds({ ...options, onLoadWarning: (message) => warnings.push(message) });
  return warnings;
}

/** A group is the same in both lists: exactly these in, exactly these out. */
function expectGroup(group: string, ids: readonly string[]): void {
  expect(discoveredIds({ include: [group] }), `include ${group}`).toEqual(ids);
  expect(discoveredIds({ exclude: [group] }), `exclude ${group}`).toEqual(
    IDS.filter((id) => !ids.includes(id)),
  );
}

async function readThrough(registry: ToolRegistry): Promise<unknown> {
  const read = resolveTool({ registry, name: "read", ctx: CTX });
  return await read.execute("call_1", { path: "README.md" });
}

const README = { content: [{ type: "text", text: expect.stringContaining("# The project") }] };

describe("discovery", () => {
  it("34 · discoverCoreTools sync: catalog only, tools resolve to null: here they are executable too", async () => {
    const registry = new ToolRegistry();
    expect(discoverCoreTools(registry)).toBeUndefined();
    expect(registry.list()).toEqual(getCoreToolCatalog());
    expect(registry.resolveAll(CTX).map(({ name }) => name)).toEqual(IDS);
    expect(await readThrough(registry)).toMatchObject(README);
  });

  it("35 · discoverCoreToolsAsync -> Promise, executable factories", async () => {
    const registry = new ToolRegistry();
    const discovered = discoverCoreToolsAsync(registry);
    expect(discovered).toBeInstanceOf(Promise);
    await expect(discovered).resolves.toBeUndefined();
    expect(registry.list()).toEqual(getCoreToolCatalog());
    expect(await readThrough(registry)).toMatchObject(README);
    expect(toolsDoor.discoverCoreToolsAsync).toBe(discoverCoreToolsAsync);
  });

  it("36 · async form loads pre-built bundles or source fallback: here our own tools, and a warning for a foreign source", async () => {
    const registry = new ToolRegistry();
    const onLoadWarning = vi.fn();
    await discoverCoreToolsAsync(registry, { openclawRoot: "/nowhere", onLoadWarning });
    expect(onLoadWarning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("openclawRoot"));
    expect(registry.list()).toEqual(getCoreToolCatalog());
    expect(await readThrough(registry)).toMatchObject(README);
  });

  it("adds to what a registry already holds", () => {
    const registry = new ToolRegistry();
    registry.register(createPlainTool("mine"));
    discoverCoreTools(registry, { include: ["exec"] });
    expect(registry.list().map(({ id }) => id)).toEqual(["mine", "exec"]);
  });
});

describe("DiscoveryOptions", () => {
  it("39 · DiscoveryOptions.openclawRoot: accepted, answered with a warning", () => {
    expectTypeOf<DiscoveryOptions["openclawRoot"]>().toEqualTypeOf<string | undefined>();
    expect(warningsOf({ openclawRoot: "/nowhere" })).toEqual([
      expect.stringContaining("openclawRoot"),
    ]);
    expect(discoveredIds({ openclawRoot: "/nowhere" })).toEqual(IDS);
    expect(warningsOf({})).toEqual([]);
    const onLoadWarning = vi.fn();
    createClawtools({ openclawRoot: "/nowhere", tools: { onLoadWarning } });
    expect(onLoadWarning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("openclawRoot"));
  });

  it("40 · DiscoveryOptions.include: ids or groups; omitted = all", () => {
    expect(discoveredIds({})).toEqual(IDS);
    expect(discoveredIds({ include: ["tts", "read"] })).toEqual(["read", "tts"]);
    expect(discoveredIds({ include: ["group:web", "read", "web_search"] })).toEqual([
      "read",
      "web_search",
      "web_fetch",
    ]);
    expect(discoveredIds({ include: [] })).toEqual([]);
    const { tools } = createClawtools({ tools: { include: ["group:ui"] } });
    expect(tools.list().map(({ id }) => id)).toEqual(["browser", "canvas"]);
  });

  it("41 · DiscoveryOptions.exclude (ids, groups)", () => {
    expect(discoveredIds({ exclude: ["exec"] })).toEqual(IDS.filter((id) => id !== "exec"));
    expect(discoveredIds({ include: ["group:fs"], exclude: ["write"] })).toEqual(["read", "edit"]);
    expect(discoveredIds({ include: ["write"], exclude: ["group:fs"] })).toEqual([]);
    expect(discoveredIds({ exclude: [] })).toEqual(IDS);
  });

  it("42 · DiscoveryOptions.onLoadWarning when a module cannot load: told of each entry that names nothing, with the nearest name", () => {
    expect(warningsOf({ include: ["raed", "exec"] })).toEqual([
      expect.stringMatching(/include.*"raed".*"read"/),
    ]);
    expect(warningsOf({ include: ["group:fss"] })).toEqual([
      expect.stringMatching(/include.*"group:fss".*"group:fs"/),
    ]);
    expect(warningsOf({ exclude: ["websearch"] })).toEqual([
      expect.stringMatching(/exclude.*"websearch".*"web_search"/),
    ]);
    expect(warningsOf({ include: ["zzzzzzzz"], exclude: ["__proto__"] })).toEqual([
      expect.stringMatching(/^include names "zzzzzzzz"[^?]*$/),
      expect.stringMatching(/^exclude names "__proto__"[^?]*$/),
    ]);
    expect(warningsOf({ include: ["process"] })).toHaveLength(1);
    expect(discoveredIds({ include: ["raed", "exec"] })).toEqual(["exec"]);
  });
});

describe("groups", () => {
  it("47 · groups usable in include/exclude", () => {
    expect(
      discoveredIds({ include: ["group:fs", "group:runtime"], exclude: ["group:runtime"] }),
    ).toEqual(["read", "write", "edit"]);
    expect(discoveredIds({ include: ["group:constructor"] })).toEqual([]);
  });

  it("48 · group:fs = read write edit (discovery)", () => {
    expectGroup("group:fs", ["read", "write", "edit"]);
  });

  it("49 · group:runtime = exec (discovery)", () => {
    expectGroup("group:runtime", ["exec"]);
  });

  it("50 · group:web, group:memory", () => {
    expectGroup("group:web", ["web_search", "web_fetch"]);
    expectGroup("group:memory", ["memory_search", "memory_get"]);
  });

  it("51 · group:sessions = 6 ids incl. subagents", () => {
    expectGroup("group:sessions", SESSIONS);
  });

  it("52 · group:ui, group:messaging, group:automation, group:nodes", () => {
    expectGroup("group:ui", ["browser", "canvas"]);
    expectGroup("group:messaging", ["message"]);
    expectGroup("group:automation", ["cron", "gateway"]);
    expectGroup("group:nodes", ["nodes"]);
  });

  it("53 · group:agents = agents_list; group:media = image, tts", () => {
    expectGroup("group:agents", ["agents_list"]);
    expectGroup("group:media", ["image", "tts"]);
  });
});
