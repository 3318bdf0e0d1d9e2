// defineTool: which schemas it takes, what it infers from them, and what it refuses.
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import {
  defineTool,
  type FsBridge,
  jsonResult,
  type ToolContext,
  type ToolDefinition,
  ToolInputError,
  ToolRegistry,
  t,
  textResult,
} from "clawtools";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { createMeta } from "../fakes/plain-tool.js";
import { bindAlone, resolveTool } from "../fakes/resolve-tool.js";

const base = { name: "probe", description: "Shows what reached it." };

/** The arguments as they reach the implementation, or the error. */
async function callWith(definition: ToolDefinition, params: Record<string, unknown>) {
  const result = await bindAlone(definition).execute("call_1", params);
  return result.details;
}

/** The documented type of a factory knows plain tools only. */
function registerAnyFactory(registry: ToolRegistry, factory: () => unknown): void {
  Reflect.apply(registry.registerFactory, registry, [factory, createMeta("made")]);
}

describe("TypeBox schemas", () => {
  it("built with t give typed, checked arguments", async () => {
    const definition = defineTool({
      ...base,
      parameters: t.object({
        path: t.string({ description: "Where." }),
        depth: t.optional(t.integer({ description: "How deep.", minimum: 1 })),
        mode: t.choice(["fast", "whole"], { description: "How." }),
        tags: t.array(t.string(), { description: "Which." }),
        env: t.optional(t.record(t.string(), { description: "With what." })),
      }),
      async execute({ params }) {
        expectTypeOf(params).toEqualTypeOf<{
          path: string;
          depth?: number;
          mode: "fast" | "whole";
          tags: string[];
          env?: Record<string, string>;
        }>();
        return jsonResult(params);
      },
    });
    const params = { path: "a", depth: 2, mode: "fast", tags: ["x"], env: { KEY: "value" } };
    expect(await callWith(definition, params)).toEqual(params);
    expect(
      await callWith(definition, { path: "a", mode: "fast", tags: [], depth: 0 }),
    ).toMatchObject({ code: "invalid_input", error: expect.stringContaining("depth") });
  });

  it("built with the typebox package give typed, checked arguments", async () => {
    const definition = defineTool({
      ...base,
      parameters: Type.Object({
        count: Type.Integer({ description: "How many." }),
        name: Type.Optional(Type.String()),
      }),
      async execute({ params }) {
        expectTypeOf(params).toEqualTypeOf<{ count: number; name?: string }>();
        return jsonResult(params);
      },
    });
    expect(await callWith(definition, { count: 3 })).toEqual({ count: 3 });
    expect(await callWith(definition, { count: 1.5 })).toMatchObject({
      reason: "arguments_invalid",
      error: expect.stringContaining("count"),
    });
  });
});

it("t and the typebox package mix in one schema", async () => {
  const definition = defineTool({
    ...base,
    parameters: t.object({
      whole: Type.String({ description: "From the package." }),
      part: Type.Optional(Type.Integer({ description: "From the package." })),
      inner: t.optional(
        Type.Object({
          own: t.optional(t.boolean({ description: "From t." })),
          kept: t.number({ description: "From t." }),
        }),
      ),
    }),
    execute: async ({ params }) => {
      expectTypeOf(params.part).toEqualTypeOf<number | undefined>();
      return jsonResult(params);
    },
  });
  expect(definition.parameters).toMatchObject({
    required: ["whole"],
    properties: { inner: { required: ["kept"] } },
  });
  expect(await callWith(definition, { whole: "a", inner: { kept: 1 } })).toEqual({
    whole: "a",
    inner: { kept: 1 },
  });
  expect(await callWith(definition, { whole: "a", inner: {} })).toMatchObject({
    error: expect.stringContaining("inner.kept"),
  });
});

describe("plain JSON Schema", () => {
  it("written in place gives typed, checked arguments", async () => {
    const definition = defineTool({
      ...base,
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", description: "Where." },
          days: { type: "integer", minimum: 1, maximum: 7 },
          unit: { type: "string", enum: ["celsius", "fahrenheit"] },
        },
        required: ["city"],
      },
      async execute({ params }) {
        expectTypeOf(params.city).toEqualTypeOf<string>();
        expectTypeOf(params.days).toEqualTypeOf<number | undefined>();
        expectTypeOf(params.unit).toEqualTypeOf<"celsius" | "fahrenheit" | undefined>();
        return jsonResult(params);
      },
    });
    const params = { city: "Ulm", days: 3, unit: "celsius" };
    expect(await callWith(definition, params)).toEqual(params);
    const wrong = await callWith(definition, { days: 9, unit: "kelvin" });
    expect(wrong).toMatchObject({ code: "invalid_input", reason: "arguments_invalid" });
    for (const field of ["city", "days", "unit"]) {
      expect(wrong).toMatchObject({ error: expect.stringContaining(field) });
    }
  });

  it("that is no object schema is refused", () => {
    const shapes: object[] = [{ type: "string" }, {}, [], { properties: {} }, () => undefined];
    for (const parameters of shapes) {
      const define = () => defineTool({ ...base, parameters, execute: async () => textResult("") });
      expect(define).toThrow(ToolInputError);
      expect(define).toThrow(expect.objectContaining({ reason: "schema_invalid" }));
    }
  });

  it("that is a bomb is refused where it is defined", () => {
    let deep: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 10_000; level += 1) deep = { type: "array", items: deep };
    const parameters = { type: "object", properties: { deep } };
    expect(() => defineTool({ ...base, parameters, execute: async () => textResult("") })).toThrow(
      expect.objectContaining({ code: "limit" }),
    );
  });
});

describe("Standard Schemas", () => {
  it("of zod bring their defaults and transforms into the call", async () => {
    const definition = defineTool({
      ...base,
      parameters: z.object({
        name: z
          .string()
          .describe("Who.")
          .transform((name) => name.toUpperCase()),
        times: z.number().int().default(3),
      }),
      async execute({ params }) {
        expectTypeOf(params).toEqualTypeOf<{ name: string; times: number }>();
        return jsonResult(params);
      },
    });
    expect(definition.parameters).toMatchObject({
      type: "object",
      properties: { name: { type: "string", description: "Who." }, times: { default: 3 } },
      required: ["name"],
    });
    expect(await callWith(definition, { name: "ada" })).toEqual({ name: "ADA", times: 3 });
    expect(await callWith(definition, { name: "ada", times: "7" })).toEqual({
      name: "ADA",
      times: 7,
    });
    expect(await callWith(definition, { name: {}, times: 1.5 })).toMatchObject({
      code: "invalid_input",
      reason: "arguments_invalid",
      error: expect.stringMatching(/name: .*times: /s),
    });
  });

  it("of zod may check asynchronously and with rules of their own", async () => {
    const definition = defineTool({
      ...base,
      parameters: z.object({
        word: z.string().refine(async (word) => word !== "taken", "is taken"),
      }),
      execute: async ({ params }) => jsonResult(params),
    });
    expect(await callWith(definition, { word: "free" })).toEqual({ word: "free" });
    expect(await callWith(definition, { word: "taken" })).toMatchObject({
      error: expect.stringContaining("word: is taken"),
    });
  });

  it("of valibot come in through toStandardJsonSchema", async () => {
    const definition = defineTool({
      ...base,
      parameters: toStandardJsonSchema(
        v.object({
          amount: v.pipe(v.number(), v.minValue(1)),
          note: v.optional(v.string(), "none"),
        }),
      ),
      async execute({ params }) {
        expectTypeOf(params).toEqualTypeOf<{ amount: number; note: string }>();
        return jsonResult(params);
      },
    });
    expect(definition.parameters).toMatchObject({ type: "object", required: ["amount"] });
    expect(await callWith(definition, { amount: 2 })).toEqual({ amount: 2, note: "none" });
    expect(await callWith(definition, { amount: 0 })).toMatchObject({
      error: expect.stringContaining("amount: "),
    });
  });

  it("of valibot without the converter are refused with what to do", () => {
    const parameters = v.object({ amount: v.number() });
    const define = () => defineTool({ ...base, parameters, execute: async () => textResult("") });
    expect(define).toThrow(ToolInputError);
    expect(define).toThrow(/valibot.*toStandardJsonSchema\(\) of @valibot\/to-json-schema/s);
  });

  it("that JSON Schema cannot say are refused with the reason", () => {
    const parameters = z.object({ when: z.date() });
    const define = () => defineTool({ ...base, parameters, execute: async () => textResult("") });
    expect(define).toThrow(expect.objectContaining({ reason: "schema_not_convertible" }));
  });

  it("keep the model's slips mended before they check", async () => {
    const definition = defineTool({
      ...base,
      parameters: z.object({ maxCount: z.number(), list: z.array(z.string()).optional() }),
      aliases: { limit: "maxCount" },
      execute: async ({ params }) => jsonResult(params),
    });
    expect(await callWith(definition, { max_count: "4", list: '["a"]' })).toEqual({
      maxCount: 4,
      list: ["a"],
    });
    expect(await callWith(definition, { limit: 4, list: null })).toEqual({ maxCount: 4 });
    expect(await callWith(definition, { maxCont: 4 })).toMatchObject({
      reason: "unknown_parameter",
      nearest: "maxCount",
    });
  });
});

describe("definitions in a registry", () => {
  const greet = defineTool({
    ...base,
    parameters: t.object({ name: t.string({ description: "Who." }) }),
    execute: async ({ params }) => textResult(`Hello, ${params.name}!`),
  });

  it("come out bound as documented tools", () => {
    const tool = bindAlone(greet);
    expect(Object.keys(tool).sort()).toEqual([
      "description",
      "execute",
      "label",
      "name",
      "parameters",
    ]);
    expect(tool).toMatchObject({ name: "probe", label: "probe", description: base.description });
    const owned = defineTool({
      ...base,
      label: "Probe",
      ownerOnly: true,
      parameters: t.object({}),
      execute: async () => textResult(""),
    });
    expect(bindAlone(owned)).toMatchObject({ label: "Probe", ownerOnly: true });
  });

  it("may be what a factory returns, alone or in a list", async () => {
    const registry = new ToolRegistry();
    registerAnyFactory(registry, () => greet);
    const tool = resolveTool({ registry, name: "made" });
    expect((await tool.execute("call_1", { name: "Ada" })).content).toEqual([
      { type: "text", text: "Hello, Ada!" },
    ]);
    const several = new ToolRegistry();
    registerAnyFactory(several, () => [greet]);
    expect(several.resolve("probe")?.name).toBe("probe");
  });

  it("are frozen data: the definition, its lists and its schema", () => {
    expect(Object.isFrozen(greet)).toBe(true);
    for (const part of [greet.needs, greet.aliases, greet.guidance, greet.alsoKnownAs]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(Object.isFrozen(greet.parameters)).toBe(true);
    expect(Object.isFrozen(greet.parameters.properties)).toBe(true);
  });

  it("with needs see those fields of the context as given, in type and in fact", async () => {
    const bridge = createMemoryBridge({ "/project/a.txt": "text of a" });
    const needy = defineTool({
      ...base,
      parameters: t.object({}),
      needs: ["bridge", "root"],
      async execute({ ctx }) {
        expectTypeOf(ctx.bridge).toEqualTypeOf<FsBridge>();
        expectTypeOf(ctx.root).toEqualTypeOf<string>();
        expectTypeOf(ctx.agentDir).toEqualTypeOf<string | undefined>();
        const bytes = await ctx.bridge.readFile({ filePath: "a.txt", cwd: ctx.root });
        return textResult(bytes.toString());
      },
    });
    expectTypeOf<ToolContext["bridge"]>().toEqualTypeOf<FsBridge | undefined>();
    const tool = bindAlone(needy, { workspaceDir: "/project", bridge });
    expect((await tool.execute("call_1", {})).content).toEqual([
      { type: "text", text: "text of a" },
    ]);
    const registry = new ToolRegistry();
    registry.register(needy);
    expect(registry.resolve("probe", { root: "/project" })).toBeUndefined();
    expect(registry.explain({ bridge })[0]).toMatchObject({ missing: ["root"] });
    expect(registry.explain({})[0]).toMatchObject({ missing: ["bridge", "root"] });
  });

  it("with a bad name, a bad other name or a lost alias are refused", () => {
    const parameters = t.object({ path: t.string({ description: "Where." }) });
    const execute = async () => textResult("");
    expect(() => defineTool({ ...base, name: "two words", parameters, execute })).toThrow(
      expect.objectContaining({ reason: "name_invalid" }),
    );
    expect(() => defineTool({ ...base, parameters, execute, alsoKnownAs: ["a b"] })).toThrow(
      expect.objectContaining({ reason: "name_invalid" }),
    );
    expect(() => defineTool({ ...base, parameters, execute, aliases: { file: "pth" } })).toThrow(
      /alias "file".*"pth"/,
    );
  });
});
