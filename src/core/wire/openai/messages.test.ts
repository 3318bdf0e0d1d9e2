// What holds for messages, case by case.

import { describe, expect, it } from "vitest";
import { toOpenAIResponsesOutputs, toOpenAIToolMessages } from "../openai.js";
import type { WireToolResult } from "../wire-call.js";

describe("results", () => {
  const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
  const text = (toolCallId: string): WireToolResult => ({
    toolCallId,
    toolName: "read",
    content: [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ],
    isError: false,
  });
  const picture: WireToolResult = {
    toolCallId: "c2",
    toolName: "shot",
    content: [{ type: "text", text: "taken" }, image, image],
    isError: false,
  };

  it("become tool messages of text", () => {
    expect(toOpenAIToolMessages([text("c1")])).toEqual([
      { role: "tool", tool_call_id: "c1", content: "one\ntwo" },
    ]);
    expect(toOpenAIToolMessages([])).toEqual([]);
  });

  it("put images into one user message behind all tool messages, and tell of it", () => {
    const messages = toOpenAIToolMessages([picture, text("c3")]);
    expect(messages).toEqual([
      {
        role: "tool",
        tool_call_id: "c2",
        content: "taken\n[2 images follow in the next message]",
      },
      { role: "tool", tool_call_id: "c3", content: "one\ntwo" },
      {
        role: "user",
        content: [
          { type: "text", text: "From shot (c2):" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ]);
    const [only] = toOpenAIToolMessages([{ ...picture, content: [image] }]);
    expect(only).toMatchObject({ content: "[1 image follows in the next message]" });
  });

  it("hold their images themselves in the Responses API", () => {
    expect(toOpenAIResponsesOutputs([text("c1"), picture])).toEqual([
      { type: "function_call_output", call_id: "c1", output: "one\ntwo" },
      {
        type: "function_call_output",
        call_id: "c2",
        output: [
          { type: "input_text", text: "taken" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
        ],
      },
    ]);
  });
});
