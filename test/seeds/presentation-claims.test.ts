// Claims 134 to 137, 142, 188 and 383 to 385: how a model learns of tools, calls them and hears back,
// through a toolkit. What policy alone says of 138 to 142 and 188 is in policy-claims.test.ts.

import { type InvokeResult, jsonResult, type ToolResult, toOpenAIToolMessages } from "clawtools";
import { describe, expect, expectTypeOf, it } from "vitest";
import { giving, plainEcho, say } from "../toolkit/sample-tools.js";
import { startToolkit, textOf } from "../toolkit/start-toolkit.js";

const namesOf = (tools: ReadonlyArray<{ name: string }>) => tools.map(({ name }) => name);
const failing = plainEcho({ execute: () => Promise.reject(new Error("out of paper")) });
const PROVIDERS = ["anthropic", "openai", "google"];

describe("results", () => {
  it("134 · AgentToolResult {content, details?}", async () => {
    expectTypeOf<InvokeResult>().toExtend<Pick<ToolResult, "content">>();
    const { toolkit, call } = startToolkit({ tools: [say] });
    const result = await call("say", { arguments: { text: "hi" } });
    expect(result).toMatchObject({
      content: [{ type: "text", text: "hi" }],
      details: { length: 2 },
    });
    const tool = toolkit.tools.find(({ name }) => name === "say");
    expect(await tool?.execute("call_2", { text: "hi" })).toEqual({
      content: [{ type: "text", text: "hi" }],
      details: { length: 2 },
    });
  });

  it("135 · jsonResult() as in 4", async () => {
    const payload = { files: ["a", "b"], total: 2 };
    const { call } = startToolkit({ tools: [giving("facts", () => jsonResult(payload))] });
    const result = await call("facts");
    expect(textOf(result)).toBe(JSON.stringify(payload, null, 2));
    expect(result.details).toEqual(payload);
  });

  it('136 · errors caught by the adapter -> {status:"error",tool,error}', async () => {
    const { call } = startToolkit({ tools: [failing] });
    const result = await call("plain_echo", { arguments: { text: "hi" } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual({
      status: "error",
      tool: "plain_echo",
      error: "out of paper",
    });
  });

  it("137 · details for UI/logging only", async () => {
    const tool = giving("both", () => ({
      content: [{ type: "text", text: "for the model" }],
      details: { marker: "for-the-log" },
    }));
    const { call } = startToolkit({ tools: [tool] });
    const result = await call("both");
    expect(result.details).toEqual({ marker: "for-the-log" });
    expect(JSON.stringify(toOpenAIToolMessages([result]))).not.toContain("for-the-log");
  });
});

describe("names", () => {
  it("142 · name seen by the model = name executed; unknown name fails", async () => {
    const { toolkit, call, rows } = startToolkit({ tools: [say, plainEcho()] });
    for (const { name } of toolkit.schemas()) {
      // These accept a call without arguments.
      const wrong =
        { browser: { action: "nothing" }, ls: { limit: 0 }, agents_list: { nothing: 1 } }[name] ??
        {};
      expect((await call(name, { arguments: wrong })).toolName).toBe(name);
      expect(rows.at(-1)).toMatchObject({ toolName: name, stage: "arguments" });
    }
    const unknown = await call("sey", { arguments: { text: "hi" } });
    expect(unknown.details).toMatchObject({ code: "not_found", reason: "tool_unknown" });
    expect(textOf(unknown)).toContain("say");
  });

  it.each(PROVIDERS)("188 · denied tools are not sent to the provider: %s", (provider) => {
    const groups = [
      "group:fs",
      "group:runtime",
      "group:web",
      "group:memory",
      "group:ui",
      "group:agents",
    ];
    const config = { tools: { deny: groups } };
    const { toolkit } = startToolkit({ config, tools: [say], provider });
    expect(namesOf(toolkit.schemas())).toEqual(["say"]);
    expect(namesOf(toolkit.schemas({ provider }))).toEqual(["say"]);
    expect(namesOf(toolkit.tools)).toEqual(["say"]);
    expect(toolkit.prompt()).not.toMatch(/\b(?:read|write|edit)\b/);
  });
});

describe("the two channels", () => {
  it("383 · channel 1: system prompt text, a readable list + guidance", () => {
    const { toolkit } = startToolkit({ tools: [say] });
    const [list = "", guidance = ""] = toolkit.prompt().split("## How to use them");
    for (const { name } of toolkit.tools) expect(list).toContain(`\n- ${name}: `);
    expect(list).toContain("- say: Say a text.");
    expect(guidance).toContain("- Say little.");
  });

  it.each(PROVIDERS)("384 · channel 2: schemas to the model API: %s", (provider) => {
    const { toolkit } = startToolkit({ tools: [say], provider });
    expect(namesOf(toolkit.schemas())).toEqual(namesOf(toolkit.tools));
    const schema = toolkit.schemas().find(({ name }) => name === "say");
    expect(schema).toMatchObject({
      description: "Say a text. It is said once.",
      input_schema: { type: "object", required: ["text"] },
    });
  });

  it.each([
    ["denied by policy", { config: { tools: { deny: ["say"] } }, tools: [say] }, "say"],
    ["not built", {}, "canvas"],
    ["never registered", {}, "say"],
    [
      "refused by its schema",
      {
        provider: "google",
        tools: [
          plainEcho({
            parameters: { type: "object", properties: { text: { $ref: "https://example.com/" } } },
          }),
        ],
      },
      "plain_echo",
    ],
  ])("385 · a tool in neither cannot be called: %s", async (_why, options, name) => {
    const { toolkit, call, rows } = startToolkit(options);
    expect(namesOf(toolkit.schemas())).not.toContain(name);
    expect(toolkit.prompt()).not.toContain(`- ${name}: `);
    expect((await call(name, { arguments: { text: "hi" } })).isError).toBe(true);
    expect(rows).toEqual([expect.objectContaining({ stage: "find", outcome: "stopped" })]);
  });
});
