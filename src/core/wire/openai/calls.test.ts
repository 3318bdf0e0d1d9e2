// What holds for calls, case by case.

import { describe, expect, it } from "vitest";
import { fromOpenAIToolCalls } from "./calls.js";

describe("fromOpenAIToolCalls", () => {
  const call = {
    id: "call_a",
    type: "function",
    function: { name: "read", arguments: '{"path":"a"}' },
  };
  const expected = [{ id: "call_a", name: "read", arguments: '{"path":"a"}' }];

  it.each([
    ["a message", { role: "assistant", content: null, tool_calls: [call] }],
    ["a completion", { choices: [{ index: 0, message: { tool_calls: [call] } }] }],
    [
      "a Responses item",
      { type: "function_call", call_id: "call_a", name: "read", arguments: '{"path":"a"}' },
    ],
    [
      "a whole response",
      {
        output: [
          { type: "reasoning", summary: [] },
          { type: "function_call", call_id: "call_a", name: "read", arguments: '{"path":"a"}' },
          { type: "message", content: [] },
        ],
      },
    ],
    [
      "a list of items",
      [{ type: "function_call", id: "call_a", name: "read", arguments: '{"path":"a"}' }],
    ],
  ])("reads the calls of %s", (_name, message) => {
    expect(fromOpenAIToolCalls(message)).toEqual(expected);
  });

  it("leaves arguments that came as an object an object", () => {
    const message = {
      tool_calls: [{ id: "x", function: { name: "read", arguments: { path: "a" } } }],
    };
    expect(fromOpenAIToolCalls(message)).toEqual([
      { id: "x", name: "read", arguments: { path: "a" } },
    ]);
  });

  it("makes ids where there are none, and says so", () => {
    const message = {
      tool_calls: [{ function: { name: "a", arguments: "" } }, { id: "", function: { name: "b" } }],
    };
    expect(fromOpenAIToolCalls(message)).toEqual([
      { id: "call_0", name: "a", arguments: "", madeId: true },
      { id: "call_1", name: "b", arguments: undefined, madeId: true },
    ]);
    const old = { function_call: { name: "a", arguments: "{}" } };
    expect(fromOpenAIToolCalls(old)).toEqual([
      { id: "call_0", name: "a", arguments: "{}", madeId: true },
    ]);
  });

  it.each([undefined, null, "text", 5, {}, [], { content: "no calls" }, { tool_calls: [] }])(
    "finds no calls in %j",
    (message) => {
      expect(fromOpenAIToolCalls(message)).toEqual([]);
    },
  );

  it("refuses a call that names no tool instead of losing it", () => {
    const message = { tool_calls: [call, { id: "call_b", function: {} }] };
    expect(() => fromOpenAIToolCalls(message)).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "call_unnamed" }),
    );
    expect(() => fromOpenAIToolCalls(message)).toThrow("Tool call 1");
  });
});
