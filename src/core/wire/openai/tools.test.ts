// What holds for tools, case by case.

import { describe, expect, it } from "vitest";
import type { CompiledSchema } from "../../schema/targets/compile-schema.js";
import { toOpenAIResponsesTools, toOpenAITools } from "../openai.js";

const compiled: CompiledSchema = {
  name: "read",
  description: "Reads.",
  schema: { type: "object", properties: {} },
  report: [],
};

describe("tool lists", () => {
  it("say strict only where it was decided", () => {
    const tools = [compiled, { ...compiled, strict: true }, { ...compiled, strict: false }];
    expect(toOpenAITools(tools).map((tool) => tool.function.strict)).toEqual([
      undefined,
      true,
      false,
    ]);
    expect(toOpenAITools([compiled])[0]?.function).not.toHaveProperty("strict");
  });

  it("are flat for the Responses API, and never leave strict to its default", () => {
    expect(toOpenAIResponsesTools([compiled, { ...compiled, strict: true }])).toEqual([
      {
        type: "function",
        name: "read",
        description: "Reads.",
        parameters: compiled.schema,
        strict: false,
      },
      expect.objectContaining({ strict: true }),
    ]);
  });
});
