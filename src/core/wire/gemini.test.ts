// What holds for gemini, case by case.

import { describe, expect, it } from "vitest";
import { fromGeminiFunctionCalls, toGeminiFunctionResponses, toGeminiTools } from "./gemini.js";

const compiled = (properties: Record<string, unknown>) => ({
  name: "read",
  description: "Reads.",
  schema: { type: "object", properties },
  report: [],
});

describe("toGeminiTools", () => {
  it("puts all functions into one tool", () => {
    const tool = compiled({ path: { type: "string" } });
    expect(toGeminiTools([tool, tool])).toEqual([
      {
        functionDeclarations: [
          { name: "read", description: "Reads.", parameters: tool.schema },
          { name: "read", description: "Reads.", parameters: tool.schema },
        ],
      },
    ]);
    expect(toGeminiTools([])).toEqual([]);
  });

  it("leaves out parameters where there are none", () => {
    expect(toGeminiTools([compiled({})])).toEqual([
      { functionDeclarations: [{ name: "read", description: "Reads." }] },
    ]);
  });
});

describe("fromGeminiFunctionCalls", () => {
  const part = { functionCall: { id: "8f2b1a3c", name: "read", args: { path: "a" } } };
  const content = { role: "model", parts: [{ text: "Let me see" }, part] };

  it.each([
    ["a content", content],
    ["its parts", content.parts],
    ["one part", part],
    ["a candidate", { content }],
    ["the calls of a response", [part.functionCall]],
    ["a response with its calls", { functionCalls: [part.functionCall] }],
    ["one call", part.functionCall],
    ["a list of contents", [content]],
    ["a response", { candidates: [{ content }, { content: { parts: [] } }] }],
  ])("reads the calls of %s", (_name, message) => {
    expect(fromGeminiFunctionCalls(message)).toEqual([
      { id: "8f2b1a3c", name: "read", arguments: { path: "a" } },
    ]);
  });

  it("finds no calls in what is nested without end, and does not fall", () => {
    let deep: unknown = { parts: [part] };
    for (let level = 0; level < 100_000; level += 1) deep = { content: deep };
    const cyclic: Record<string, unknown> = {};
    cyclic.candidates = [cyclic];
    for (const message of [deep, cyclic]) expect(fromGeminiFunctionCalls(message)).toEqual([]);
  });

  it("makes the same ids for the same message, apart by turn when asked", () => {
    const parts = [
      { functionCall: { name: "read", args: { path: "a" } } },
      { functionCall: { name: "whoami" } },
    ];
    expect(fromGeminiFunctionCalls({ parts })).toEqual([
      { id: "call_0", name: "read", arguments: { path: "a" }, madeId: true },
      { id: "call_1", name: "whoami", arguments: {}, madeId: true },
    ]);
    expect(fromGeminiFunctionCalls({ parts }, { turn: 7 }).map(({ id }) => id)).toEqual([
      "call_7_0",
      "call_7_1",
    ]);
  });

  it.each([undefined, null, {}, [], { parts: [{ text: "no calls" }] }, { candidates: [] }])(
    "finds no calls in %j",
    (message) => {
      expect(fromGeminiFunctionCalls(message)).toEqual([]);
    },
  );

  it.each(["text", 5, { choices: [] }])("refuses %j and says what it takes", (message) => {
    expect(() => fromGeminiFunctionCalls(message)).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "message_unknown" }),
    );
    expect(() => fromGeminiFunctionCalls(message)).toThrow("or its functionCalls");
  });

  it("refuses a call that names no tool", () => {
    expect(() => fromGeminiFunctionCalls({ parts: [{ functionCall: {} }] })).toThrow(
      "names no tool",
    );
  });
});

describe("toGeminiFunctionResponses", () => {
  const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
  const result = {
    toolCallId: "8f2b1a3c",
    toolName: "shot",
    content: [{ type: "text", text: "taken" } as const, image],
    isError: false,
  };
  const inlineData = { inlineData: { mimeType: "image/png", data: "AAAA" } };

  it("answers with output, or with error for a failed call", () => {
    const failed = { ...result, content: [{ type: "text", text: "no" } as const], isError: true };
    expect(toGeminiFunctionResponses([{ ...result, content: failed.content }, failed])).toEqual({
      role: "user",
      parts: [
        { functionResponse: { id: "8f2b1a3c", name: "shot", response: { output: "no" } } },
        { functionResponse: { id: "8f2b1a3c", name: "shot", response: { error: "no" } } },
      ],
    });
  });

  it.each(["call_0", "call_7_0", `made_${"0a".repeat(12)}`])(
    "does not send back the made id %s",
    (toolCallId) => {
      const { parts } = toGeminiFunctionResponses([{ ...result, toolCallId, content: [] }]);
      expect(parts).toEqual([{ functionResponse: { name: "shot", response: { output: "" } } }]);
    },
  );

  it("puts images inside the response from Gemini 3 on, beside it before", () => {
    const inside = toGeminiFunctionResponses([result], { model: "google/gemini-3-pro-preview" });
    expect(inside.parts).toEqual([
      {
        functionResponse: {
          id: "8f2b1a3c",
          name: "shot",
          response: { output: "taken" },
          parts: [inlineData],
        },
      },
    ]);
    for (const model of ["gemini-2.5-pro", undefined]) {
      expect(toGeminiFunctionResponses([result], { model }).parts).toEqual([
        { functionResponse: { id: "8f2b1a3c", name: "shot", response: { output: "taken" } } },
        { text: "From shot:" },
        inlineData,
      ]);
    }
  });
});
