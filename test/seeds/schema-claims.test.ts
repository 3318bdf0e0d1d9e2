// Claims 79, 80 and 113 to 116: the schema utilities, through both documented doors.

import type { Tool } from "clawtools";
import * as main from "clawtools";
import * as toolsDoor from "clawtools/tools";
import { describe, expect, it } from "vitest";

const myTool: Tool = {
  name: "my_tool",
  description: "Counts lines",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "Which file", minLength: 1 },
      format: { type: "string", format: "uri", pattern: "^/" },
    },
    required: ["path", "format"],
    additionalProperties: false,
  },
  execute: async () => ({ content: [{ type: "text", text: "0" }] }),
};

const CLEANED = {
  type: "object",
  properties: {
    path: { type: "string", description: "Which file" },
    format: { type: "string" },
  },
  required: ["path", "format"],
};

/** The twenty of the documents. */
const REMOVED = [
  "patternProperties",
  "additionalProperties",
  "$schema",
  "$id",
  "$ref",
  "$defs",
  "definitions",
  "examples",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "multipleOf",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
];

const GOOD_VALUES: Readonly<Record<string, unknown>> = {
  patternProperties: { "^x": { type: "string" } },
  additionalProperties: { type: "string" },
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.com/schema",
  $ref: "#/$defs/text",
  $defs: { text: { type: "string" } },
  definitions: { text: { type: "string" } },
  examples: ["a"],
  pattern: "^a",
  format: "uri",
  uniqueItems: true,
};

describe.each([
  ["clawtools", main],
  ["clawtools/tools", toolsDoor],
])("%s", (_door, door) => {
  it("79 · extractToolSchemas(tools) -> [{name,description,input_schema}]", () => {
    expect(door.extractToolSchemas([myTool])).toEqual([
      { name: "my_tool", description: "Counts lines", input_schema: myTool.parameters },
    ]);
  });

  it('80 · extractToolSchemas(tools,"google") cleans', () => {
    expect(door.extractToolSchemas([myTool], "google")).toEqual([
      { name: "my_tool", description: "Counts lines", input_schema: CLEANED },
    ]);
  });

  it("113 · extractToolSchema(tool)", () => {
    const schema = door.extractToolSchema(myTool);
    expect(schema).toEqual({
      name: "my_tool",
      description: "Counts lines",
      input_schema: myTool.parameters,
    });
    expect(Object.keys(schema)).toEqual(["name", "description", "input_schema"]);
  });

  it("114 · provider strings google, google-generative-ai, google-vertex", () => {
    for (const provider of ["google", "google-generative-ai", "google-vertex"]) {
      expect(door.extractToolSchemas([myTool], provider)[0]?.input_schema).toEqual(CLEANED);
    }
    for (const provider of ["anthropic", "openai", "bedrock"]) {
      expect(door.extractToolSchemas([myTool], provider)[0]?.input_schema).toEqual(
        myTool.parameters,
      );
    }
  });

  it("115 · normalizeSchema wraps non-object, sets properties {}", () => {
    for (const schema of [null, "text", [], { type: "string" }, { type: "object" }, {}]) {
      expect(door.normalizeSchema(schema)).toEqual({ type: "object", properties: {} });
    }
    expect(door.normalizeSchema(myTool.parameters)).toEqual(myTool.parameters);
  });

  it("116 · cleanSchemaForGemini removes the 20 keywords deeply", () => {
    expect(REMOVED).toHaveLength(20);
    for (const keyword of REMOVED) {
      const value = GOOD_VALUES[keyword] ?? 1;
      const dirty = { type: "string", [keyword]: value };
      const cleaned = door.cleanSchemaForGemini({
        type: "object",
        [keyword]: value,
        properties: {
          [keyword]: dirty,
          list: {
            type: "array",
            [keyword]: value,
            items: { type: "object", properties: { deep: dirty } },
          },
        },
        $defs: { text: { type: "string" } },
      });
      expect(cleaned).toEqual({
        type: "object",
        properties: {
          [keyword]: { type: "string" },
          list: {
            type: "array",
            items: { type: "object", properties: { deep: { type: "string" } } },
          },
        },
      });
    }
  });
});
