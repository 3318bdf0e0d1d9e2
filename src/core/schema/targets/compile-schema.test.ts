// What holds for schema, case by case.

import { describe, expect, it } from "vitest";
import { isToolError } from "../../errors.js";
import { compileSchema, type SchemaOptions } from "./compile-schema.js";
import { SCHEMA_TARGETS, type SchemaTarget } from "./target.js";

type Json = Record<string, unknown>;

function compile(parameters: unknown, target: SchemaTarget, options?: SchemaOptions) {
  return compileSchema({ name: "tool", description: "Does it.", parameters }, target, options);
}

/** What becomes of one property. */
function compileProperty(property: Json, target: SchemaTarget, more: Json = {}): unknown {
  const parameters = { type: "object", properties: { a: property }, required: ["a"], ...more };
  const { properties } = compile(parameters, target).schema;
  return Object(properties).a;
}

const DEFINITIONS = { $defs: { point: { type: "object", properties: { x: { type: "number" } } } } };

interface Case {
  readonly words: string;
  readonly property: Json;
  readonly more?: Json;
  readonly becomes: Partial<Record<SchemaTarget, unknown>>;
}

const CASES: Case[] = [
  {
    words: "bounds of a text",
    property: { type: "string", minLength: 1, format: "email" },
    becomes: {
      mcp: { type: "string", minLength: 1, format: "email" },
      anthropic: { type: "string", minLength: 1, format: "email" },
      openai: { type: "string", minLength: 1, format: "email" },
      "openai-strict": { type: "string", format: "email" },
      gemini: { type: "string" },
      generic: { type: "string" },
    },
  },
  {
    words: "a format that no standard names",
    property: { type: "integer", format: "uint32", minimum: 0 },
    becomes: {
      mcp: { type: "integer", minimum: 0 },
      openai: { type: "integer", minimum: 0 },
      gemini: { type: "integer" },
    },
  },
  {
    words: "a pattern that looks around",
    property: { type: "string", pattern: "^(?!null$)" },
    becomes: {
      mcp: { type: "string", pattern: "^(?!null$)" },
      openai: { type: "string" },
      "openai-strict": { type: "string" },
    },
  },
  {
    words: "a list without items",
    property: { type: "array" },
    becomes: { mcp: { type: "array" }, openai: { type: "array", items: {} } },
  },
  {
    words: "a text that may be null",
    property: { type: ["string", "null"], description: "Note" },
    becomes: {
      mcp: { type: ["string", "null"], description: "Note" },
      "openai-strict": { type: ["string", "null"], description: "Note" },
      gemini: { type: "string", nullable: true, description: "Note" },
      generic: { anyOf: [{ type: "string" }, { type: "null" }], description: "Note" },
    },
  },
  {
    words: "a union of types",
    property: { anyOf: [{ type: "string" }, { type: "integer" }], description: "Id" },
    becomes: {
      openai: { anyOf: [{ type: "string" }, { type: "integer" }], description: "Id" },
      gemini: { anyOf: [{ type: "string", description: "Id" }, { type: "integer" }] },
      generic: { anyOf: [{ type: "string" }, { type: "integer" }], description: "Id" },
    },
  },
  {
    words: "a union of literals",
    property: { oneOf: [{ const: "a" }, { const: "b" }] },
    becomes: {
      mcp: { oneOf: [{ const: "a" }, { const: "b" }] },
      openai: { anyOf: [{ const: "a" }, { const: "b" }] },
      gemini: { type: "string", enum: ["a", "b"] },
      generic: { type: "string", enum: ["a", "b"] },
    },
  },
  {
    words: "a list of numbers to choose from",
    property: { type: "integer", enum: [1, 2], description: "How many." },
    becomes: {
      gemini: { type: "integer", description: "How many. One of: 1, 2." },
      generic: { type: "integer", enum: [1, 2], description: "How many." },
      "openai-strict": { type: "integer", enum: [1, 2], description: "How many." },
    },
  },
  {
    words: "an empty text among the choices",
    property: { type: "string", enum: ["", "asc"] },
    becomes: { gemini: { type: "string", description: 'One of: "", "asc".' } },
  },
  {
    words: "a map",
    property: { type: "object", additionalProperties: { type: "string" } },
    becomes: {
      openai: { type: "object", additionalProperties: { type: "string" } },
      gemini: { type: "object" },
    },
  },
  {
    words: "a map by pattern",
    property: { type: "object", patternProperties: { "^(.*)$": { type: "string" } } },
    becomes: {
      mcp: { type: "object", patternProperties: { "^(.*)$": { type: "string" } } },
      anthropic: { type: "object", additionalProperties: { type: "string" } },
      openai: { type: "object", additionalProperties: { type: "string" } },
    },
  },
  {
    words: "an old tuple",
    property: {
      type: "array",
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: false,
    },
    becomes: {
      mcp: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
      openai: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
      gemini: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    },
  },
  {
    words: "a reference with a description",
    property: { $ref: "#/$defs/point", description: "Where" },
    more: DEFINITIONS,
    becomes: {
      anthropic: { $ref: "#/$defs/point", description: "Where" },
      gemini: { type: "object", properties: { x: { type: "number" } }, description: "Where" },
    },
  },
  {
    words: "parts joined by allOf",
    property: {
      allOf: [
        { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
        { properties: { c: { type: "string" } } },
      ],
    },
    becomes: {
      openai: {
        type: "object",
        properties: { b: { type: "string" }, c: { type: "string" } },
        required: ["b"],
      },
    },
  },
];

describe("compileSchema", () => {
  it.each(CASES)("says $words in the words of each target", ({ property, more, becomes }) => {
    for (const target of SCHEMA_TARGETS) {
      if (becomes[target] === undefined) continue;
      expect([target, compileProperty(property, target, more)]).toEqual([target, becomes[target]]);
    }
  });

  it.each(SCHEMA_TARGETS)("keeps parameters called like keywords for %s", (target) => {
    const names = ["format", "pattern", "type", "items", "required", "enum", "properties"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const { schema } = compile({ type: "object", properties, required: ["format"] }, target);
    expect(Object.keys(Object(schema.properties))).toEqual(names);
  });

  it.each(SCHEMA_TARGETS)("folds a union at the root for %s and loses no variant", (target) => {
    const variant = (kind: string, value: Json) => ({
      type: "object",
      properties: { kind: { const: kind }, value },
      required: ["kind", "value"],
    });
    const oneOf = [variant("flag", { type: "boolean" }), variant("count", { type: "integer" })];
    const { schema } = compile({ oneOf }, target);
    expect(schema).toMatchObject({ type: "object", required: ["kind", "value"] });
    expect(schema).not.toHaveProperty("oneOf");
    expect(JSON.stringify(schema)).toMatch(/"flag","count".*boolean.*integer/);
  });

  it("leaves the tool's own schema as it was, and gives one that cannot be changed", () => {
    const parameters = { type: "object", properties: { a: { type: "string", minLength: 1 } } };
    const before = structuredClone(parameters);
    const { schema, report } = compile(parameters, "gemini");
    expect(parameters).toEqual(before);
    expect(Object.isFrozen(Object(schema.properties).a)).toBe(true);
    expect(Object.isFrozen(report)).toBe(true);
  });

  it("keeps a schema that holds itself as a definition where references are read", () => {
    const parameters = {
      type: "object",
      properties: { root: { $ref: "#/definitions/node" } },
      definitions: {
        node: {
          type: "object",
          properties: { next: { $ref: "#/definitions/node" } },
        },
        idle: { type: "string" },
      },
    };
    const { schema } = compile(parameters, "anthropic");
    expect(schema).toMatchObject({
      properties: { root: { $ref: "#/$defs/node" } },
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } },
    });
    expect(Object.keys(Object(schema.$defs))).toEqual(["node"]);
    expect(JSON.stringify(compile(parameters, "gemini").schema)).not.toContain("$ref");
  });

  it("describes a tool by its name when it has no description", () => {
    const tool = { name: "quiet", description: "  ", parameters: {} };
    expect(compileSchema(tool, "gemini").description).toBe("quiet");
  });

  it.each(SCHEMA_TARGETS)("says for %s which place of a malformed schema is wrong", (target) => {
    const parameters = { type: "object", properties: { a: { type: "int" } } };
    try {
      compile(parameters, target);
      expect.unreachable();
    } catch (error) {
      if (!isToolError(error)) throw error;
      expect(error).toMatchObject({ code: "invalid_input", reason: "schema_invalid" });
      expect(error.message).toContain(`cannot be compiled for ${target}`);
      expect(error.message).toContain("/properties/a/type");
    }
  });

  it("refuses a schema beyond the limits with the code limit", () => {
    const parameters = { type: "object", properties: { a: { enum: new Array(20_000).fill("x") } } };
    expect(() => compile(parameters, "openai")).toThrow(
      expect.objectContaining({ code: "limit", reason: "schema_too_large" }),
    );
  });
});

describe("aliases", () => {
  const parameters = {
    type: "object",
    properties: {
      path: { type: "string", description: "File." },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { oldText: { type: "string" } },
          required: ["oldText"],
        },
      },
    },
    required: ["path"],
  };
  const aliases = { file_path: "path", old_string: "oldText", nowhere: "missing" };

  it("are not published unless asked for", () => {
    expect(compile(parameters, "anthropic").schema).toEqual(parameters);
  });

  it("are published beside the parameter, nested ones too, and neither spelling is required", () => {
    const { schema } = compile(parameters, "anthropic", { aliases });
    expect(schema).toEqual({
      type: "object",
      properties: {
        path: { type: "string", description: "File." },
        edits: {
          type: "array",
          items: {
            type: "object",
            properties: {
              oldText: { type: "string" },
              old_string: { type: "string", description: "Same as oldText." },
            },
          },
        },
        file_path: { type: "string", description: "Same as path." },
      },
    });
  });

  it("can be published in a strict schema, as null where the other spelling is used", () => {
    const compiled = compile(parameters, "openai-strict", { aliases });
    expect(compiled.strict).toBe(true);
    expect(compiled.schema.required).toEqual(["path", "edits", "file_path"]);
    expect(compiled.schema.properties).toMatchObject({
      path: { type: ["string", "null"] },
      file_path: { type: ["string", "null"] },
    });
  });
});
