// What holds for compiler, case by case.

import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.js";
import { createSchemaCompiler } from "./compiler.js";

const makeTool = () => ({
  name: "tool",
  description: "Does it.",
  parameters: {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "integer" } },
    required: ["a"],
  },
});

describe("createSchemaCompiler", () => {
  it("gives the same schema again as long as the parameters are the same object", () => {
    const compiler = createSchemaCompiler();
    const tool = makeTool();
    const first = compiler.compileSchema(tool, "gemini");
    expect(compiler.compileSchema({ ...tool, name: "other" }, "gemini")).toEqual({
      ...first,
      name: "other",
    });
    expect(compiler.compileSchema(tool, "gemini").schema).toBe(first.schema);
    expect(compiler.compileTools([tool], "gemini").compiled[0]?.schema).toBe(first.schema);
    expect(compileSchema(tool, "gemini").schema).not.toBe(first.schema);
  });

  it("keeps targets and spellings apart", () => {
    const compiler = createSchemaCompiler();
    const tool = makeTool();
    const plain = compiler.compileSchema(tool, "openai").schema;
    const spelled = compiler.compileSchema(tool, "openai", { aliases: { x: "a" } }).schema;
    expect(Object.keys(Object(plain.properties))).toEqual(["a", "b"]);
    expect(Object.keys(Object(spelled.properties))).toEqual(["a", "b", "x"]);
    expect(compiler.compileSchema(tool, "openai").schema).toBe(plain);
    expect(compiler.compileSchema(tool, "openai-strict").strict).toBe(true);
    expect(compiler.compileSchema(tool, "openai")).not.toHaveProperty("strict");
  });

  it("sees other properties and another list of required names", () => {
    const compiler = createSchemaCompiler();
    const tool = makeTool();
    compiler.compileSchema(tool, "mcp");
    Object.assign(tool.parameters, { properties: { c: { type: "string" } }, required: ["c"] });
    expect(compiler.compileSchema(tool, "mcp").schema).toEqual(tool.parameters);
    Object.assign(tool.parameters, { required: [] });
    expect(compiler.compileSchema(tool, "mcp").schema).toEqual(tool.parameters);
  });

  it("tries a bad schema anew, because it may have been mended", () => {
    const compiler = createSchemaCompiler();
    const property = { type: "file" };
    const tool = { ...makeTool(), parameters: { type: "object", properties: { a: property } } };
    expect(compiler.compileTools([tool], "mcp").quarantined).toHaveLength(1);
    property.type = "string";
    expect(compiler.compileTools([tool], "mcp").quarantined).toEqual([]);
  });

  it("knows nothing of what another compiler has made", () => {
    const tool = makeTool();
    const one = createSchemaCompiler().compileSchema(tool, "mcp");
    const two = createSchemaCompiler().compileSchema(tool, "mcp");
    expect(two).toEqual(one);
    expect(two.schema).not.toBe(one.schema);
  });

  it("takes tools without a schema", () => {
    const tool = { name: "none", description: "", parameters: undefined };
    expect(createSchemaCompiler().compileTools([tool], "gemini").compiled[0]?.schema).toEqual({
      type: "object",
      properties: {},
    });
  });
});
