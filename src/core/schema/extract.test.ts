// The tool list as model APIs take it.
import { describe, expect, it, vi } from "vitest";
import { type DescribedTool, extractToolSchema, extractToolSchemas } from "./extract.js";

const tool = (name: string, parameters: unknown): DescribedTool => ({
  name,
  description: `About ${name}`,
  parameters,
});

const good = () => ({
  type: "object",
  properties: { path: { type: "string", minLength: 1 } },
  required: ["path"],
});

function thrownBy(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

describe("extractToolSchema", () => {
  it("gives name, description and the normal form of the schema", () => {
    expect(extractToolSchema(tool("read", good()))).toEqual({
      name: "read",
      description: "About read",
      input_schema: good(),
    });
    expect(extractToolSchema(tool("none", undefined)).input_schema).toEqual({
      type: "object",
      properties: {},
    });
  });

  it("gives plain JSON: no functions, symbols or undefined", () => {
    const parameters = { ...good(), note: undefined, make: () => 1, [Symbol("hidden")]: 1 };
    const { input_schema } = extractToolSchema(tool("read", parameters));
    expect(Reflect.ownKeys(input_schema)).toEqual(["type", "properties", "required"]);
  });

  it("gives fresh objects around a schema that nobody can change", () => {
    const read = tool("read", good());
    const [first, second] = [extractToolSchema(read), extractToolSchema(read)];
    expect(first).not.toBe(second);
    expect(first.input_schema).toBe(second.input_schema);
    expect(Object.isFrozen(first)).toBe(false);
    expect(() => {
      first.input_schema.type = "string";
    }).toThrow(TypeError);
    expect(() => {
      Reflect.set(Object(first.input_schema.properties), "path", null);
      Object.assign(Object(first.input_schema.properties), { path: null });
    }).toThrow(TypeError);
    expect(second.input_schema).toEqual(good());
  });

  it("leaves the tool's own schema unfrozen and unchanged", () => {
    const parameters = good();
    extractToolSchema(tool("read", parameters));
    expect(Object.isFrozen(parameters) || Object.isFrozen(parameters.properties)).toBe(false);
    expect(parameters).toEqual(good());
  });

  it("sees new properties, a new required list and a new schema", () => {
    const parameters: Record<string, unknown> = good();
    const read = { ...tool("read", parameters) };
    extractToolSchema(read);
    parameters.properties = { other: { type: "number" } };
    parameters.required = ["other"];
    expect(extractToolSchema(read).input_schema).toEqual(parameters);
    expect(extractToolSchema({ ...read, parameters: good() }).input_schema).toEqual(good());
  });
});

describe("extractToolSchemas", () => {
  it("keeps the order and the names", () => {
    const tools = ["a", "b", "c"].map((name) => tool(name, good()));
    expect(extractToolSchemas(tools).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(extractToolSchemas([])).toEqual([]);
  });

  it.each([
    "google",
    "google-generative-ai",
    "google-vertex",
    "google-gemini-cli",
    "GOOGLE",
    " Google-Vertex ",
  ])("cleans for %s", (provider) => {
    const [schema] = extractToolSchemas([tool("read", good())], provider);
    expect(schema?.input_schema.properties).toEqual({ path: { type: "string" } });
  });

  it.each([undefined, "anthropic", "openai", "googly", ""])("does not clean for %s", (provider) => {
    const [schema] = extractToolSchemas([tool("read", good())], provider);
    expect(schema?.input_schema).toEqual(good());
  });

  it("keeps the dialects of one tool apart, also when asked again", () => {
    const tools = [tool("read", good())];
    for (let round = 0; round < 3; round += 1) {
      expect(extractToolSchemas(tools)[0]?.input_schema).toEqual(good());
      expect(extractToolSchemas(tools, "google")[0]?.input_schema).not.toEqual(good());
    }
  });

  it("follows a list that changes in place", () => {
    const tools = [tool("a", good()), tool("b", good())];
    extractToolSchemas(tools);
    tools.reverse();
    expect(extractToolSchemas(tools).map(({ name }) => name)).toEqual(["b", "a"]);
    tools.push(tool("c", { type: "object", properties: { c: { type: "null" } } }));
    expect(extractToolSchemas(tools)[2]?.input_schema.properties).toEqual({ c: { type: "null" } });
    tools.shift();
    expect(extractToolSchemas(tools).map(({ name }) => name)).toEqual(["a", "c"]);
  });

  it("throws an error that names the tool of a bad schema", () => {
    const tools = [tool("fine", good()), tool("broken", { type: "object", properties: { a: 5 } })];
    const thrown = thrownBy(() => extractToolSchemas(tools));
    expect(thrown).toMatchObject({
      name: "ToolInputError",
      code: "invalid_input",
      reason: "schema_invalid",
    });
    expect(String(thrown)).toContain('"broken"');
    expect(String(thrown)).toContain("/properties/a");
  });

  it("leaves a bad tool out and reports it, each time, and the others go out", () => {
    const bad = [
      tool("remote", { properties: { a: { $ref: "http://a.test" } } }),
      tool("nowhere", { properties: { a: { $ref: "#/$defs/none" } } }),
      tool("sloppy", { properties: { a: { type: "str" } } }),
      tool("endless", { properties: { a: nest(1_000) } }),
    ];
    const tools = [tool("first", good()), ...bad, tool("last", good())];
    for (const provider of [undefined, "google", undefined]) {
      const onQuarantine = vi.fn<(tool: DescribedTool, error: { reason?: unknown }) => void>();
      const names = extractToolSchemas(tools, provider, { onQuarantine }).map(({ name }) => name);
      expect(names).toEqual(["first", "last"]);
      expect(onQuarantine.mock.calls.map(([left, error]) => [left.name, error.reason])).toEqual([
        ["remote", "ref_remote"],
        ["nowhere", "ref_unresolvable"],
        ["sloppy", "schema_invalid"],
        ["endless", "schema_too_deep"],
      ]);
    }
  });

  it("takes a bad tool back once its schema is mended in place", () => {
    const parameters: Record<string, unknown> = { type: "object", properties: { a: 5 } };
    const tools = [tool("mended", parameters)];
    expect(thrownBy(() => extractToolSchemas(tools))).toBeDefined();
    Object.assign(Object(parameters.properties), { a: { type: "string" } });
    expect(extractToolSchemas(tools)).toHaveLength(1);
  });
});

function nest(levels: number): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { not: schema };
  return schema;
}

describe("what callers without types send", () => {
  const good = { name: "good", description: "", parameters: { type: "object", properties: {} } };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();

  it.each<[name: string, tool: unknown, reason: string]>([
    ["null", null, "tool_invalid"],
    ["nothing", undefined, "tool_invalid"],
    ["a revoked proxy", revoked.proxy, "tool_invalid"],
    ["a revoked schema", { ...good, parameters: revoked.proxy }, "schema_unreadable"],
    ["bytes in a schema", { ...good, parameters: { default: Buffer.from("x") } }, "schema_invalid"],
  ])("%s as a tool is refused by a typed error, or left out", (_name, tool, reason) => {
    const refusal = expect.objectContaining({ code: "invalid_input", reason });
    // What the type forbids is what this is about.
    const tools = [tool as typeof good, good];
    expect(() => extractToolSchema(tool as typeof good)).toThrow(refusal);
    expect(() => extractToolSchemas(tools)).toThrow(refusal);
    const left: unknown[] = [];
    const sent = extractToolSchemas(tools, "google", {
      onQuarantine: (_tool, error) => left.push(error.reason),
    });
    expect([sent.map((schema) => schema.name), left]).toEqual([["good"], [reason]]);
  });

  it.each<[name: string, call: unknown[]]>([
    ["no list", [null]],
    ["null for the provider", [[good], null]],
    ["a number for the provider", [[good], 5]],
    ["null for the options", [[good], "google", null]],
  ])("%s is refused by a typed error", (_name, call) => {
    expect(() => Reflect.apply(extractToolSchemas, undefined, call)).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "options_invalid" }),
    );
  });
});
