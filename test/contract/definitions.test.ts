// The contract table: what holds for the definition of every built-in tool, whatever it does.
import {
  createClawtools,
  defineTool,
  getToolCatalog,
  type Tool,
  type ToolContext,
  type ToolDefinition,
} from "clawtools";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../src/tools/catalog.js";
import { withEcho } from "../fakes/echo-definition.js";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { bindAlone, resolveTool } from "../fakes/resolve-tool.js";
import { readSchemas, sampleArguments } from "../fakes/sample-arguments.js";

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that some provider drops or refuses, or that invite a hostile pattern. */
const FORBIDDEN_KEYWORDS = [
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "$ref",
  "$defs",
  "const",
  "pattern",
  "patternProperties",
  "format",
];
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Characters of the compact JSON of all definitions: what a model pays on every turn, and 10 %. */
const MAX_DEFINITION_CHARS = 38_500;

const DEFINITIONS = CATALOG.map((row) => row.tool);
const NOT_BUILT = DEFINITIONS.filter((definition) => definition.awaits !== undefined);
const ROWS = DEFINITIONS.map((definition) => ({ id: definition.name, definition }));

/** What an agent or a gateway attaches; these tests reach none of it. */
const ATTACHED: Pick<ToolContext, "models" | "gateway" | "sessions"> = {
  models: { list: () => [], complete: () => Promise.reject(new Error("no model")) },
  gateway: { call: () => Promise.reject(new Error("no gateway")), close: () => Promise.resolve() },
  sessions: {
    as() {
      throw new Error("no sessions");
    },
  },
};
const isAttached = (field: string) => Object.hasOwn(ATTACHED, field);

/** A context in which every tool is there and may be called. */
const FULL_CTX: ToolContext = {
  ...ATTACHED,
  root: "/project",
  agentDir: "/agent",
  sessionKey: "agent:main:main",
  bridge: createMemoryBridge({}),
};

const { tools: registry } = createClawtools({ catalog: "all" });
const resolveFull = (name: string): Tool => resolveTool({ registry, name, ctx: FULL_CTX });
const call = (tool: Tool, argument: unknown) =>
  // Models send what they like; the types do not bind them.
  Reflect.apply(tool.execute, tool, ["call_1", argument]);

/** The definition as somebody else would have to write it. */
function defineAgain(given: ToolDefinition): unknown {
  const { awaits, load, ...facts } = given;
  const implementation = awaits === undefined ? { load } : { awaits };
  return Reflect.apply(defineTool, undefined, [{ ...facts, ...implementation }]);
}

/** Every schema node with the path to it, from the root down. */
function listNodes(schema: Schema, path = ""): { path: string; node: Schema }[] {
  const below = Object.entries(readSchemas(schema.properties)).map(([name, node]) => ({
    path: `${path}.${name}`,
    node,
  }));
  const inner = ["items", "additionalProperties"].flatMap((keyword) =>
    Object.values(readSchemas({ [keyword]: schema[keyword] })).map((node) => ({
      path: `${path}[${keyword}]`,
      node,
    })),
  );
  const children = [...below, ...inner].flatMap(({ path: at, node }) => listNodes(node, at));
  return [{ path, node: schema }, ...children];
}

function listFields(schema: Schema): { path: string; field: Schema }[] {
  return listNodes(schema).flatMap(({ path, node }) =>
    Object.entries(readSchemas(node.properties)).map(([name, field]) => ({
      path: `${path}.${name}`,
      field,
    })),
  );
}

/** `fooBar` and `foo_bar` are two spellings of one name; undefined when there is only one. */
function otherSpelling(name: string): string | undefined {
  const other = name.includes("_")
    ? name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return other === name ? undefined : other;
}

it("every tool of the catalog resolves in a full context", () => {
  expect(ROWS.map(({ id }) => id)).toEqual(getToolCatalog().map(({ id }) => id));
  expect(registry.resolveAll(FULL_CTX).map(({ name }) => name)).toEqual(ROWS.map(({ id }) => id));
});

it("all definitions together stay within their budget of characters", () => {
  const shown = registry
    .resolveAll(FULL_CTX)
    .map(({ name, description, parameters }) => ({ name, description, parameters }));
  const chars = JSON.stringify(shown).length;
  expect(chars).toBeLessThan(MAX_DEFINITION_CHARS);
  // A budget far above the need holds nothing: take it down with the definitions.
  expect(chars).toBeGreaterThan(MAX_DEFINITION_CHARS * 0.8);
});

describe.each(ROWS)("$id", ({ id, definition }) => {
  const { parameters } = resolveFull(id);

  it("has a schema that is a plain JSON object of type object", () => {
    expect(parameters.type).toBe("object");
    expect(parameters.properties).toBeTypeOf("object");
    expect(JSON.parse(JSON.stringify(parameters))).toStrictEqual(structuredClone(parameters));
    for (const { path, node } of listNodes(parameters)) {
      expect(Object.getPrototypeOf(node), path).toBe(Object.prototype);
    }
  });

  it("passes every check of defineTool, which our own definitions are spared at each start", () => {
    expect(defineAgain(definition)).toEqual({ ...definition, load: expect.any(Function) });
    expect(() => defineAgain({ ...definition, aliases: { other: "no_such_field" } })).toThrow(
      "which is not a parameter",
    );
  });

  it("describes every field for the model", () => {
    const isDescribed = (text: unknown) => typeof text === "string" && /^\S[\s\S]{2,}$/.test(text);
    const bare = listFields(parameters).filter(({ field }) => !isDescribed(field.description));
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  it("uses no unions, no references, no patterns and no formats", () => {
    for (const { path, node } of listNodes(parameters)) {
      const used = FORBIDDEN_KEYWORDS.filter((keyword) => Object.hasOwn(node, keyword));
      expect(used, path).toEqual([]);
      expect(Array.isArray(node.type), path).toBe(false);
    }
  });

  it("requires only parameters it has", () => {
    for (const { path, node } of listNodes(parameters)) {
      const names = Object.keys(readSchemas(node.properties));
      expect(names, path).toEqual(expect.arrayContaining([node.required ?? []].flat()));
    }
  });

  it("has a name that every provider takes, and other names of the same kind", () => {
    for (const name of [definition.name, ...definition.alsoKnownAs]) {
      expect(name).toMatch(TOOL_NAME);
    }
    expect(registry.list().find((meta) => meta.id === id)?.label).toBe(id);
  });

  it("is described in 20 to 700 characters, and guides in lines of 10 to 300", () => {
    expect(definition.description.length).toBeGreaterThanOrEqual(20);
    expect(definition.description.length).toBeLessThanOrEqual(700);
    expect(definition.guidance.length).toBeGreaterThanOrEqual(1);
    expect(definition.guidance.length).toBeLessThanOrEqual(4);
    for (const line of definition.guidance) {
      expect(line.length, line).toBeGreaterThanOrEqual(10);
      expect(line.length, line).toBeLessThanOrEqual(300);
      expect(line).not.toMatch(/\n/);
    }
  });

  it("has aliases that point to parameters and hide none", () => {
    const known = listFields(parameters).map(({ path }) => path.split(".").at(-1));
    const own = Object.keys(readSchemas(parameters.properties));
    const wrong = Object.entries(definition.aliases).filter(
      ([alias, target]) => !known.includes(target) || own.includes(alias),
    );
    expect(wrong).toEqual([]);
  });

  it("refuses an unknown parameter and names the nearest", async () => {
    const tool = bindAlone(withEcho(definition), FULL_CTX);
    const [first] = Object.keys(readSchemas(parameters.properties));
    const result = await call(tool, { ...sampleArguments(parameters), [`${first}x`]: "slip" });
    expect(result).toMatchObject({
      isError: true,
      details: { code: "invalid_input", reason: "unknown_parameter", parameter: `${first}x` },
    });
    if (first) expect(result.details.nearest).toBe(first);
  });

  it("refuses arguments that are no object", async () => {
    const tool = bindAlone(withEcho(definition), FULL_CTX);
    for (const argument of [["a"], 7, true, '["a"]', "7"]) {
      expect(await call(tool, argument), JSON.stringify(argument)).toMatchObject({
        isError: true,
        details: { code: "invalid_input", reason: "arguments_not_object" },
      });
    }
  });

  it("takes every parameter in its own and in its other spelling", async () => {
    const tool = bindAlone(withEcho(definition), FULL_CTX);
    const sample = sampleArguments(parameters);
    expect(await call(tool, sample)).toMatchObject({ details: sample });
    const spelled = Object.entries(sample).map(([name, value]) => [
      otherSpelling(name) ?? name,
      value,
    ]);
    const result = await call(tool, Object.fromEntries(spelled));
    expect(result.isError).toBeUndefined();
    expect(result.details).toEqual(sample);
  });

  const sample = sampleArguments(parameters);
  const aliases = Object.entries(definition.aliases).filter(([, target]) =>
    Object.hasOwn(sample, target),
  );
  it.runIf(aliases.length > 0)("takes every alias in the place of its parameter", async () => {
    const tool = bindAlone(withEcho(definition), FULL_CTX);
    for (const [alias, target] of aliases) {
      const { [target]: value, ...others } = sample;
      const result = await call(tool, { ...others, [alias]: value });
      expect(result.details, alias).toEqual(sample);
    }
  });

  it("throws an AbortError when the signal has fired before the call", async () => {
    const signal = AbortSignal.abort(new Error("changed my mind"));
    const called = resolveFull(id).execute("call_1", sampleArguments(parameters), signal);
    await expect(called).rejects.toMatchObject({ name: "AbortError", code: "aborted" });
  });
});

describe("tools that need something of the context", () => {
  const needy = ROWS.filter(({ definition }) => definition.needs.some((one) => !isAttached(one)));
  const waiting = ROWS.filter(({ definition }) => definition.needs.some(isAttached));
  const needyToCall = ROWS.filter(({ definition }) => definition.needsToCall.length > 0);

  it.each(needy)("$id is absent without it, and explain names it", ({ id, definition }) => {
    expect(registry.resolve(id, {})).toBeUndefined();
    expect(registry.explain({}).find((row) => row.id === id)).toMatchObject({
      status: "absent",
      code: "missing_context",
      missing: definition.needs,
      reason: expect.stringContaining(`missing: ${definition.needs.join(", ")}`),
    });
  });

  it.each(waiting)("$id is there without its port, and its call says so", async ({ id }) => {
    const answer = await resolveTool({ registry, name: id, ctx: {} }).execute("call_1", {});
    const error = expect.stringMatching(/needs (?:an agent or a gateway|a model):/);
    expect(answer).toMatchObject({ isError: true, details: { code: "unavailable", error } });
  });

  it.each(needyToCall)(
    "$id is there without it, and its call names it",
    async ({ id, definition }) => {
      const error = expect.stringContaining(definition.needsToCall.join(", "));
      const today = resolveTool({ registry, name: id, ctx: ATTACHED });
      const answer = await today.execute("call_1", {});
      expect(answer).toMatchObject({ isError: true, details: { code: "unavailable", error } });
      const built = await bindAlone(withEcho(definition), ATTACHED).execute("call_2", {});
      expect(built.details).toMatchObject({
        code: "unavailable",
        reason: "missing_context",
        missing: definition.needsToCall,
        error,
      });
    },
  );
});

describe("tools that are not built in this version", () => {
  it.each(NOT_BUILT)("$name answers unavailable and says what it waits for", async (definition) => {
    const { name, awaits } = definition;
    const tool = resolveFull(name);
    const result = await tool.execute("call_1", sampleArguments(tool.parameters));
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining(`waits for ${awaits}`) }],
      details: { status: "error", tool: name, code: "unavailable", reason: "not_built" },
    });
    expect(registry.explain(FULL_CTX).find((row) => row.id === name)).toMatchObject({
      status: "present",
      code: "not_built",
      reason: expect.stringContaining(`waits for ${awaits}`),
    });
  });
});
