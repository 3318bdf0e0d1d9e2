// What holds for tools, case by case.

import { describe, expect, it } from "vitest";
import { compileTools } from "./compiler.js";
import type { SchemaTarget } from "./target.js";

const plain = { type: "object", properties: { a: { type: "string" } } };
const tool = (name: string, parameters: unknown = plain) => ({
  name,
  description: `Does ${name}.`,
  parameters,
});

describe("compileTools", () => {
  it("sends the good tools in their order and names the others with a reason", () => {
    const broken = tool("broken", { type: "object", properties: { a: { $ref: "#/$defs/x" } } });
    const { compiled, quarantined } = compileTools([tool("one"), broken, tool("two")], "anthropic");
    expect(compiled.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(quarantined).toEqual([
      {
        tool: broken,
        reason:
          'The schema cannot be compiled for anthropic: The schema refers to "#/$defs/x", but it has no such part, or more than one.',
      },
    ]);
  });

  it("keeps the first of two tools with one name", () => {
    const second = tool("same", { type: "object", properties: {} });
    const { compiled, quarantined } = compileTools([tool("same"), second], "openai");
    expect(compiled).toHaveLength(1);
    expect(quarantined).toEqual([
      { tool: second, reason: 'Another tool is already called "same".' },
    ]);
  });

  it("gives the name of a tool that could not be sent to the next one", () => {
    const broken = tool("same", { type: "object", properties: { a: "string" } });
    const { compiled } = compileTools([broken, tool("same")], "openai");
    expect(compiled.map(({ schema }) => schema)).toEqual([plain]);
  });

  const NAMES: [name: string, takenBy: SchemaTarget[]][] = [
    ["read", ["generic", "openai", "openai-strict", "anthropic", "gemini", "mcp"]],
    ["notes.read", ["gemini", "mcp"]],
    ["notes:read", ["gemini"]],
    ["notes/read", []],
    ["read file", []],
    ["2fa", ["generic", "openai", "openai-strict", "anthropic", "mcp"]],
    ["", []],
    ["x".repeat(64), ["generic", "openai", "openai-strict", "anthropic", "gemini", "mcp"]],
    ["x".repeat(65), ["mcp"]],
    ["x".repeat(129), []],
    ["käse", []],
  ];

  it.each(NAMES)("sends a tool called %j only where such a name is taken", (name, takenBy) => {
    for (const target of [
      "generic",
      "openai",
      "openai-strict",
      "anthropic",
      "gemini",
      "mcp",
    ] as const) {
      const { compiled, quarantined } = compileTools([tool(name)], target);
      expect([target, compiled.length]).toEqual([target, takenBy.includes(target) ? 1 : 0]);
      for (const { reason } of quarantined) expect(reason).toContain(`refused by ${target}`);
    }
  });

  it("says which parameter an API would refuse", () => {
    const parameters = { type: "object", properties: { "filter[id]": { type: "string" } } };
    const { quarantined } = compileTools([tool("list", parameters)], "anthropic");
    expect(quarantined[0]?.reason).toBe(
      'The schema would be refused by anthropic: /properties has the property "filter[id]"; a name has letters, digits, "_", "." and "-" only, at most 64.',
    );
    expect(compileTools([tool("list", parameters)], "openai").quarantined).toEqual([]);
  });

  it("survives a tool that throws when it is read", () => {
    const hostile = {
      name: "hostile",
      description: "",
      get parameters(): unknown {
        throw new Error("not today");
      },
    };
    const { compiled, quarantined } = compileTools([hostile, tool("fine")], "gemini");
    expect(compiled.map(({ name }) => name)).toEqual(["fine"]);
    expect(quarantined.map(({ reason }) => reason)).toEqual(["not today"]);
  });

  it("publishes the aliases that the caller gives for a tool", () => {
    const aliasesOf = () => ({ b: "a" });
    const { compiled } = compileTools([tool("one")], "mcp", { aliasesOf });
    expect(Object.keys(Object(compiled[0]?.schema.properties))).toEqual(["a", "b"]);
  });

  it("lets strict and other functions stand in one list", () => {
    const free = tool("free", { type: "object", properties: { map: { type: "object" } } });
    const { compiled, quarantined } = compileTools([tool("closed"), free], "openai-strict");
    expect(quarantined).toEqual([]);
    expect(compiled.map(({ name, strict }) => [name, strict])).toEqual([
      ["closed", true],
      ["free", false],
    ]);
    expect(compiled[1]?.report).toEqual([
      {
        pointer: "/",
        keyword: "strict",
        change: "dropped",
        reason: "/properties/map takes names that are not listed",
      },
    ]);
  });
});
