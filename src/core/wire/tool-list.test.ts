// Whatever form tools are handed over in, they are sent with their parameters or refused by name.

import { describe, expect, it } from "vitest";
import { type DescribedTool, extractToolSchemas } from "../schema/extract.js";
import { compileSchema } from "../schema/targets/compile-schema.js";
import { toAnthropicTools } from "./anthropic.js";
import { toGeminiTools } from "./gemini.js";
import { toOpenAIResponsesTools, toOpenAITools } from "./openai.js";

const tool: DescribedTool = {
  name: "read",
  description: "Reads.",
  parameters: {
    type: "object",
    properties: { path: { type: "string", pattern: "^a" } },
    required: ["path"],
    additionalProperties: false,
  },
};
const writers = [
  ["toOpenAITools", toOpenAITools, "openai"],
  ["toOpenAIResponsesTools", toOpenAIResponsesTools, "openai"],
  ["toAnthropicTools", toAnthropicTools, "anthropic"],
  ["toGeminiTools", toGeminiTools, "gemini"],
] as const;

describe.each(writers)("%s", (name, write, target) => {
  it("sends tools as if they had been compiled first", () => {
    const compiled = write([compileSchema(tool, target)]);
    expect(write([tool])).toEqual(compiled);
    expect(JSON.stringify(compiled)).toContain('"path"');
  });

  it("sends the schemas of a toolkit, also of another provider", () => {
    const text = JSON.stringify(write(extractToolSchemas([tool], "google")));
    expect(text).toContain('"path"');
    expect(JSON.stringify(write(extractToolSchemas([tool])))).toContain('"path"');
  });

  it.each([
    [undefined, "no list"],
    [{ compiled: [], quarantined: [] }, "an object with compiled"],
    [[{ type: "function" }], "entry 0, which has no name"],
    [[tool, { name: "bare", description: "" }], '"bare"'],
    [[{ name: "odd", parameters: { type: "array", items: { type: 5 } } }], '"odd"'],
  ])("refuses %j", (tools, words) => {
    const send = () => write(tools as unknown as DescribedTool[]);
    expect(send).toThrow(expect.objectContaining({ code: "invalid_input" }));
    expect(send).toThrow(words);
    if (words !== '"odd"') expect(send).toThrow(name);
  });
});

it("what Gemini would refuse in the schemas of another provider is compiled again", () => {
  const [sent] = toGeminiTools(extractToolSchemas([tool]));
  const [compiled] = toGeminiTools([compileSchema(tool, "gemini")]);
  expect(sent).toEqual(compiled);
});
