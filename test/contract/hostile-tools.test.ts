// Tools, factories and callbacks that misbehave: each costs itself only, never the process, the
// registry or the caller.

import {
  defineTool,
  type Tool,
  type ToolMeta,
  ToolRegistry,
  type ToolResult,
  t,
  textResult,
} from "clawtools";
import { describe, expect, it } from "vitest";
import { eventually } from "../fakes/eventually.js";
import { createPlainTool } from "../fakes/plain-tool.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const THEN = "then";

const meta = (id: string): ToolMeta => ({
  id,
  label: id,
  description: "",
  sectionId: "custom",
  profiles: ["full"],
  source: "core",
});

const define = (execute: () => Promise<ToolResult>, limits = {}) =>
  defineTool({
    name: "probe",
    description: "A probe.",
    parameters: t.object({}),
    execute,
    ...limits,
  });

const answering = (result: unknown) =>
  bindAlone(
    defineTool({
      name: "probe",
      description: "A probe.",
      parameters: t.object({}),
      // What a tool without types may give back.
      execute: async () => result as ToolResult,
    }),
  ).execute("call_1", {});

describe("a factory that asks the registry while it is at work", () => {
  it("for an unknown tool, or for all, ends, and its neighbours are there", () => {
    const registry = new ToolRegistry();
    for (const id of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
      registry.registerFactory(() => {
        registry.resolve("helper");
        registry.resolveAll();
        registry.explain();
        return createPlainTool(id);
      }, meta(id));
    }
    registry.register(createPlainTool("sound"));
    expect(registry.resolveAll().map(({ name }) => name)).toHaveLength(9);
  });

  it("for one other tool gets it, for itself gets nothing", () => {
    const registry = new ToolRegistry();
    const inner = createPlainTool("inner");
    registry.registerFactory(() => inner, meta("inner"));
    const seen: unknown[] = [];
    registry.registerFactory(() => {
      seen.push(registry.resolve("inner"), registry.resolve("outer"));
      return createPlainTool("outer");
    }, meta("outer"));
    expect(registry.resolve("outer")?.name).toBe("outer");
    expect(seen).toEqual([inner, undefined]);
  });
});

describe("a factory that gives something unreadable", () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const lateName = () => {
    let reads = 0;
    return Object.defineProperty({ ...createPlainTool("late") }, "name", {
      get: () => {
        if (reads++ > 0) throw new Error("no more");
        return "late";
      },
    });
  };
  const thenable = (property: PropertyDescriptor) => () =>
    Object.defineProperties({}, { [THEN]: property });
  const thrower = () => {
    throw new Error("T");
  };
  const faults: Array<[title: string, make: () => unknown]> = [
    ["a then getter that throws", thenable({ get: thrower })],
    ["a then that throws", thenable({ value: thrower })],
    ["a revoked proxy", revoked],
    ["a name that can be read once", lateName],
  ];
  it.each(faults)("%s leaves the rest unaffected", (_title, make) => {
    const registry = new ToolRegistry();
    const sound = createPlainTool("sound");
    Reflect.apply(registry.registerFactory, registry, [make, meta("broken")]);
    registry.register(sound);
    expect(registry.resolveAll()).toContain(sound);
    expect(registry.explain()).toHaveLength(2);
    expect(registry.resolve("sound")).toBe(sound);
  });
});

it("a forged definition is refused", () => {
  const registry = new ToolRegistry();
  const forged = { kind: "clawtools.tool-definition", name: "q" };
  expect(() => Reflect.apply(registry.register, registry, [forged])).toThrowError(/execute/);
  expect(registry.size).toBe(0);
});

it("a load that never ends is started anew for the next call", async () => {
  let loads = 0;
  const definition = defineTool({
    name: "slow",
    description: "Loads at the second try.",
    parameters: t.object({}),
    load: async () => {
      loads++;
      if (loads === 1) await new Promise(() => undefined);
      return { execute: async () => textResult("loaded") };
    },
  });
  const tool = bindAlone(definition);
  const caller = new AbortController();
  const first = tool.execute("call_1", {}, caller.signal);
  await eventually(() => expect(loads).toBe(1));
  caller.abort();
  await expect(first).rejects.toThrowError();
  expect((await tool.execute("call_2", {})).content).toEqual([{ type: "text", text: "loaded" }]);
});

it("an async onUpdate that rejects does not kill the process and is noticed", async () => {
  const registry = new ToolRegistry();
  registry.register(
    defineTool({
      name: "chatty",
      description: "Sends updates.",
      parameters: t.object({}),
      execute: async ({ update }) => {
        update({ content: [] });
        return textResult("done");
      },
    }),
  );
  const onUpdate = async () => {
    throw new Error("late");
  };
  const tool = registry.resolve("chatty");
  const result = await tool?.execute("call_1", {}, undefined, onUpdate);
  expect(result?.content).toEqual([{ type: "text", text: "done" }]);
  await eventually(() =>
    expect(registry.diagnostics()).toMatchObject([{ code: "update_callback_threw" }]),
  );
});

describe("a result", () => {
  it("is a copy: what the tool's object does later does not matter", async () => {
    let reads = 0;
    const lying = Object.defineProperty({}, "content", {
      get: () => {
        if (reads++ > 0) throw new Error("changed its mind");
        return [{ type: "text", text: "once" }];
      },
    });
    const result = await answering(lying);
    expect(result.content).toEqual([{ type: "text", text: "once" }]);
    expect(result.content).toEqual([{ type: "text", text: "once" }]);
  });

  it("shares one bound among its images", async () => {
    const image = { type: "image", data: "A".repeat(4 * 1024 * 1024), mimeType: "image/png" };
    const { content } = await answering({ content: Array.from({ length: 50 }, () => image) });
    expect(content.filter(({ type }) => type === "image")).toHaveLength(2);
    expect(JSON.stringify(content).length).toBeLessThan(9 * 1024 * 1024);
  });

  it("without a media type is no result", async () => {
    const result = await answering({ content: [{ type: "image", data: "AAAA" }] });
    expect(result).toMatchObject({ isError: true, details: { reason: "result_invalid" } });
  });

  it("cannot widen its own bound", async () => {
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        name: "greedy",
        description: "Tries to raise its limit.",
        parameters: t.object({}),
        execute: async ({ ctx }) => {
          Reflect.set(ctx.limits, "resultChars", 1e9);
          return textResult("x".repeat(500_000));
        },
      }),
    );
    const tool: Tool | undefined = registry.resolve("greedy", {
      config: { limits: { resultChars: 1000 } },
    });
    for (const id of ["call_1", "call_2"]) {
      const result = await tool?.execute(id, {});
      expect(JSON.stringify(result?.content).length).toBeLessThan(2000);
    }
  });
});

it("a Standard Schema that answers nothing does not run the tool", async () => {
  let ran = false;
  const silent = {
    "~standard": {
      version: 1 as const,
      vendor: "silent",
      validate: () => ({}) as { value: unknown },
      jsonSchema: { input: () => ({ type: "object", properties: {} }) },
    },
  };
  const tool = bindAlone(
    defineTool({
      name: "mute",
      description: "Has a schema without an answer.",
      parameters: silent,
      execute: async () => {
        ran = true;
        return textResult("ran");
      },
    }),
  );
  expect(await tool.execute("call_1", {})).toMatchObject({ details: { reason: "schema_silent" } });
  expect(ran).toBe(false);
});

it("definitions with lists and numbers of the wrong kind are refused", () => {
  const sound = define(async () => textResult(""));
  for (const fault of [
    { needs: "root" },
    { alsoKnownAs: "bash" },
    { maxArgumentChars: "x" },
    { deadlineMs: "5" },
  ]) {
    const spec = {
      name: sound.name,
      description: "A probe.",
      parameters: t.object({}),
      execute: async () => textResult(""),
    };
    expect(() => Reflect.apply(defineTool, undefined, [{ ...spec, ...fault }])).toThrowError(
      /probe: /,
    );
  }
});
