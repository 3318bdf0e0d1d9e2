// What holds for anthropic, case by case.

import { describe, expect, it } from "vitest";
import { fromAnthropicToolUse, toAnthropicToolResults, toAnthropicTools } from "./anthropic.js";

const use = { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } };
const expected = [{ id: "toolu_1", name: "read", arguments: { path: "a" } }];

describe("toAnthropicTools", () => {
  it("gives name, description and input_schema, and nothing else", () => {
    const schema = { type: "object", properties: {} };
    const compiled = { name: "read", description: "Reads.", schema, report: [], strict: false };
    expect(toAnthropicTools([compiled])).toEqual([
      { name: "read", description: "Reads.", input_schema: schema },
    ]);
  });
});

describe("fromAnthropicToolUse", () => {
  it.each([
    ["a message", { role: "assistant", content: [{ type: "text", text: "Let me see" }, use] }],
    ["the content of a message", [{ type: "thinking", thinking: "…" }, use]],
    ["one block", use],
  ])("reads the calls of %s", (_name, message) => {
    expect(fromAnthropicToolUse(message)).toEqual(expected);
  });

  it.each([undefined, null, "text", { content: "only text" }, { content: [] }, []])(
    "finds no calls in %j",
    (message) => {
      expect(fromAnthropicToolUse(message)).toEqual([]);
    },
  );

  it("reads the calls of a list of messages, and none of a result", () => {
    const call = { type: "tool_use", id: "a", name: "read", input: {} };
    const result = { type: "tool_result", tool_use_id: "a", content: [call] };
    const messages = [
      { role: "assistant", content: [call] },
      { role: "user", content: [result] },
    ];
    expect(fromAnthropicToolUse(messages)).toEqual([{ id: "a", name: "read", arguments: {} }]);
  });

  it.each([5, { choices: [] }])("refuses %j and says what it takes", (message) => {
    expect(() => fromAnthropicToolUse(message)).toThrow("a message or its content");
  });

  it("refuses a call that names no tool", () => {
    expect(() => fromAnthropicToolUse([{ type: "tool_use", id: "x" }])).toThrow("names no tool");
  });
});

describe("toAnthropicToolResults", () => {
  const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
  const result = { toolCallId: "toolu_1", toolName: "read", isError: false };

  it("answers all calls of a turn in one user message", () => {
    const message = toAnthropicToolResults([
      { ...result, content: [{ type: "text", text: "hello" }, image] },
      { ...result, toolCallId: "toolu_2", isError: true, content: [{ type: "text", text: "no" }] },
    ]);
    expect(message).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [
            { type: "text", text: "hello" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          content: [{ type: "text", text: "no" }],
          is_error: true,
        },
      ],
    });
  });

  it("leaves out empty texts, which the API refuses", () => {
    const [block] = toAnthropicToolResults([
      { ...result, content: [{ type: "text", text: "" }] },
    ]).content;
    expect(block?.content).toEqual([]);
  });

  it("says in words that there was an image the API would refuse", () => {
    const tiff = { ...image, mimeType: "image/tiff" };
    const note = (mimeType: string) => [
      { type: "text", text: `[an image of type ${mimeType} cannot be shown here]` },
    ];
    const [odd] = toAnthropicToolResults([{ ...result, content: [tiff] }]).content;
    expect(odd?.content).toEqual(note("image/tiff"));
    const [failed] = toAnthropicToolResults([
      { ...result, content: [image], isError: true },
    ]).content;
    expect(failed?.content).toEqual(note("image/png"));
  });
});
