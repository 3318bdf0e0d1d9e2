// What holds for calls, case by case.

import { describe, expect, it } from "vitest";
import { fromOpenAIToolCalls } from "../openai.js";

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
    ["the calls of a message", [call]],
    ["one call", call],
    ["a choice", { index: 0, message: { tool_calls: [call] } }],
    [
      "a call of a custom tool in a message",
      [{ id: "call_a", type: "custom", custom: { name: "read", input: '{"path":"a"}' } }],
    ],
    [
      "a call of a custom tool among items",
      {
        output: [
          { type: "custom_tool_call", call_id: "call_a", name: "read", input: '{"path":"a"}' },
        ],
      },
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

  it.each([undefined, null, {}, [], { content: "no calls" }, { tool_calls: [] }])(
    "finds no calls in %j",
    (message) => {
      expect(fromOpenAIToolCalls(message)).toEqual([]);
    },
  );

  it.each(["text", 5, true, { candidates: [] }, { toolCalls: [call] }])(
    "refuses %j and says what it takes",
    (message) => {
      expect(() => fromOpenAIToolCalls(message)).toThrow(
        expect.objectContaining({ code: "invalid_input", reason: "message_unknown" }),
      );
      expect(() => fromOpenAIToolCalls(message)).toThrow("a chat message, its tool_calls");
    },
  );

  it("refuses a piece of a stream that holds a piece of a call", () => {
    const chunk = { choices: [{ delta: { tool_calls: [{ index: 0, function: {} }] } }] };
    expect(() => fromOpenAIToolCalls(chunk)).toThrow("a piece of a stream");
    expect(fromOpenAIToolCalls({ choices: [{ delta: { content: "hi" } }] })).toEqual([]);
  });

  it("finds the calls of a list of whole completions", () => {
    const completion = { choices: [{ index: 0, message: { tool_calls: [call] } }] };
    expect(fromOpenAIToolCalls([completion])).toEqual(expected);
  });

  it("finds no calls in what is nested without end, and does not fall", () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const cyclic: Record<string, unknown> = {};
    cyclic.choices = [{ message: cyclic }];
    const responses: Record<string, unknown> = {};
    responses.output = [responses];
    for (const message of [deep, cyclic, responses])
      expect(fromOpenAIToolCalls(message)).toEqual([]);
  });

  it("refuses a call that names no tool instead of losing it", () => {
    const message = { tool_calls: [call, { id: "call_b", function: {} }] };
    expect(() => fromOpenAIToolCalls(message)).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "call_unnamed" }),
    );
    expect(() => fromOpenAIToolCalls(message)).toThrow("Tool call 1");
  });
});
