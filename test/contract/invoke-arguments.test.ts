// Arguments through the front invoker: what hooks may do to them, which schema they are held to, and
// the slips of one provider that are no other's.

import { createToolkit, defineTool, type Tool, t, textResult } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCallableFactory } from "../../src/core/invoke/callable.js";
import { createManualClock } from "../fakes/manual-clock.js";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";
import { createInvoker, textOf } from "./create-invoker.js";

const ports = {
  clock: createManualClock(),
  random: { hex: (count: number) => "0".repeat(count * 2) },
  guard: { run: <T>(work: () => T) => work() },
};

/** Answers with the arguments that reached it. */
function echo(parameters: Record<string, unknown>): Tool {
  return {
    name: "echo",
    description: "Says its arguments.",
    parameters,
    execute: async (_id, params) => textResult(JSON.stringify(params)),
  };
}

const shortText = {
  type: "object",
  properties: { text: { type: "string", maxLength: 5 } },
  required: ["text"],
};
const fromTool = (tool: Tool) => createCallableFactory(ports).fromTool(tool);

function startToolkit(tool: Tool) {
  const toolkit = createToolkit({
    root: "/project",
    bridge: createMemoryBridge({}),
    tools: [tool],
    provider: "anthropic",
  });
  onTestFinished(() => toolkit.close());
  return toolkit;
}

describe("a before hook that changes the arguments in place", () => {
  const change = (text: unknown) => [
    ({ params }: { readonly params: unknown }) => {
      Reflect.set(params as object, "text", text);
      return undefined;
    },
  ];

  it("has its change validated, and a bad one refused", async () => {
    const invoker = createInvoker(fromTool(echo(shortText)), {
      hooks: { beforeCall: change("too long") },
    });
    const result = await invoker.call({ arguments: { text: "hi" } });
    expect(result.details).toMatchObject({ reason: "arguments_invalid" });
    expect(invoker.rows[0]).toMatchObject({ stage: "before", outcome: "stopped" });
  });

  it("has its change run when it is good", async () => {
    const invoker = createInvoker(fromTool(echo(shortText)), {
      hooks: { beforeCall: change("new") },
    });
    expect(textOf(await invoker.call({ arguments: { text: "hi" } }))).toBe('{"text":"new"}');
    expect(invoker.journal[0]?.argumentsText).toBe('{"text":"new"}');
  });

  it("cannot change them any more when it has answered", async () => {
    const kept: object[] = [];
    const beforeCall = [
      ({ params }: { readonly params: unknown }) => {
        if (typeof params === "object" && params !== null) kept.push(params);
        return undefined;
      },
      async () => {
        for (const params of kept) Reflect.set(params, "text", "much too long");
        return undefined;
      },
    ];
    const invoker = createInvoker(fromTool(echo(shortText)), { hooks: { beforeCall } });
    expect(textOf(await invoker.call({ arguments: { text: "hi" } }))).toBe('{"text":"hi"}');
  });
});

describe("a schema that is mended when it is published", () => {
  const properties = { text: { type: "string", maxLength: 5 } };

  it.each<[what: string, parameters: Record<string, unknown>]>([
    ["properties that are a word", { type: "object", properties: "none" }],
    ["properties that are null", { type: "object", properties: null }],
    ["properties that are a list", { type: "object", properties: [] }],
    ["definitions that are a word", { type: "object", properties, $defs: "none" }],
    ["a type of text", { type: "string", properties }],
    ["a type that is null", { type: null, properties }],
    ["a list of whole values", { type: "object", properties, enum: ["a"] }],
    ["one whole value", { type: "object", properties, const: "a" }],
    ["nothing at all", {}],
  ])("takes the calls that fit what was published: %s", async (_what, parameters) => {
    const toolkit = startToolkit(echo(parameters));
    const published = toolkit.schemas().find(({ name }) => name === "echo")?.input_schema;
    expect(published).toMatchObject({ type: "object" });
    const given = Object.hasOwn(Object(published?.properties), "text") ? { text: "hi" } : {};
    const result = await toolkit.invoke({ id: "call_1", name: "echo", arguments: given });
    expect(textOf(result)).toBe(JSON.stringify(given));
  });

  it("still refuses what does not fit", async () => {
    const toolkit = startToolkit(echo({ type: "string", properties, required: ["text"] }));
    const call = (given: unknown) =>
      toolkit.invoke({ id: "call_1", name: "echo", arguments: given });
    expect((await call({})).details).toMatchObject({ reason: "arguments_invalid" });
    expect((await call({ text: "much too long" })).details).toMatchObject({
      reason: "arguments_invalid",
    });
    expect((await call({ txt: "hi" })).details).toMatchObject({ reason: "unknown_parameter" });
  });

  it("holds for a definition too, in the toolkit and in the bare registry", async () => {
    const definition = defineTool({
      name: "echo",
      description: "Says its arguments.",
      parameters: { type: "object", properties: "none" },
      execute: async () => textResult("ran"),
    });
    expect(textOf(await bindAlone(definition).execute("call_1", {}))).toBe("ran");
  });

  it("that is sound binds as it was written: alternatives are not loosened", async () => {
    const variant = (name: string) => ({
      type: "object",
      properties: { [name]: { type: "string" } },
      required: [name],
    });
    const toolkit = startToolkit(echo({ anyOf: [variant("a"), variant("b")] }));
    const call = (given: unknown) =>
      toolkit.invoke({ id: "call_1", name: "echo", arguments: given });
    expect((await call({ a: "x" })).isError).toBe(false);
    expect((await call({})).details).toMatchObject({ reason: "arguments_invalid" });
  });

  it("that cannot be mended is not offered, and cannot be called", async () => {
    const bad = { type: "object", properties: { text: { type: "string", required: true } } };
    const toolkit = startToolkit(echo(bad));
    expect(toolkit.explain("echo")).toMatchObject({ status: "absent", code: "schema_refused" });
    const invoker = createInvoker(fromTool(echo(bad)));
    expect((await invoker.call({ arguments: {} })).details).toMatchObject({
      reason: "schema_invalid",
    });
  });
});

describe("arguments as xAI sends them", () => {
  const anything = { type: "object", properties: { text: {}, list: {} } };
  const caller = { agentId: undefined, sessionKey: undefined, owner: true, sandboxed: false };
  const encoded = {
    text: "a &amp;&amp; b &lt;&quot;c&quot;&gt; &#39;d&#39; &apos;e&apos; &#x27;&#34;",
    list: ["&amp;lt;", { deep: "&amp;" }, 5],
  };
  const decoded = {
    text: "a && b <\"c\"> 'd' 'e' '\"",
    list: ["&lt;", { deep: "&" }, 5],
  };

  it.each([
    { provider: "xai" },
    { provider: "XAI" },
    { provider: "x-ai" },
    { provider: "openrouter", model: "x-ai/grok-4" },
    { model: "xai/grok-4" },
  ])("are decoded once for %j", async (model) => {
    const invoker = createInvoker(fromTool(echo(anything)), { caller: { ...caller, ...model } });
    const read = async (given: unknown) =>
      JSON.parse(textOf(await invoker.call({ arguments: given })));
    expect(await read(encoded)).toEqual(decoded);
    expect(await read(JSON.stringify(encoded))).toEqual(decoded);
  });

  it.each([
    {},
    { provider: "anthropic" },
    { provider: "openai", model: "gpt-5" },
    { provider: "venice", model: "grok-4" },
    { provider: "relaxai" },
  ])("are what they are for %j", async (model) => {
    const invoker = createInvoker(fromTool(echo(anything)), { caller: { ...caller, ...model } });
    expect(JSON.parse(textOf(await invoker.call({ arguments: encoded })))).toEqual(encoded);
  });

  it("may be encoded as a whole, and are decoded once then too", async () => {
    const invoker = createInvoker(fromTool(echo(anything)), {
      caller: { ...caller, provider: "xai" },
    });
    const whole = "{&quot;text&quot;: &quot;a &amp;amp; b&quot;}";
    expect(textOf(await invoker.call({ arguments: whole }))).toBe('{"text":"a &amp; b"}');
  });

  it("are bytes and dates where a program gave them", async () => {
    const invoker = createInvoker(fromTool(echo(anything)), {
      caller: { ...caller, provider: "xai" },
    });
    const given = { list: [new Date(0), Buffer.from("&amp;")] };
    expect(JSON.parse(textOf(await invoker.call({ arguments: given })))).toEqual(
      JSON.parse(JSON.stringify(given)),
    );
  });

  it("are not decoded when a hook gives them", async () => {
    const beforeCall = [() => ({ params: { text: "&amp;" } })];
    const invoker = createInvoker(fromTool(echo(anything)), {
      caller: { ...caller, provider: "xai" },
      hooks: { beforeCall },
    });
    expect(textOf(await invoker.call({ arguments: { text: "x" } }))).toBe('{"text":"&amp;"}');
  });

  it("that are hostile are refused as ever", async () => {
    const invoker = createInvoker(fromTool(echo(anything)), {
      caller: { ...caller, provider: "xai" },
    });
    const cyclic: Record<string, unknown> = {};
    cyclic.text = cyclic;
    const proto = JSON.parse('{"text":{"__proto__":{"a":1}}}');
    const reasons = [];
    for (const given of [cyclic, proto, "{", "&quot;", [1]]) {
      const { details } = await invoker.call({ arguments: given });
      reasons.push(Reflect.get(Object(details), "reason"));
    }
    expect(reasons).toEqual([
      "arguments_cyclic",
      "forbidden_key",
      "arguments_not_json",
      "arguments_not_json",
      "arguments_not_object",
    ]);
  });
});

it.each([undefined, null, 5])(
  "a schema of another maker that answers %j fails the call",
  async (answer) => {
    const parameters = {
      "~standard": {
        version: 1 as const,
        vendor: "silent",
        // What a schema without types may answer.
        validate: () => answer as never,
        jsonSchema: { input: () => ({ type: "object", properties: {} }) },
      },
    };
    const definition = defineTool({
      name: "echo",
      description: "Never runs.",
      parameters,
      execute: async () => textResult("ran"),
    });
    expect(await bindAlone(definition).execute("call_1", {})).toMatchObject({
      details: { code: "internal", reason: "schema_silent" },
    });
  },
);

it("untrusted content of a defined tool is wrapped in the bare registry too", async () => {
  const fetching = defineTool({
    name: "fetching",
    description: "Fetches.",
    parameters: t.object({}),
    execute: async () => ({ ...textResult("page"), untrusted: { source: "web" } }),
  });
  const result = await bindAlone(fetching).execute("call_1", {});
  expect(textOf(result)).toMatch(
    /^<<<EXTERNAL_UNTRUSTED_CONTENT id="([0-9a-f]{8})">>>[\s\S]*\npage\n<<<END_[A-Z_]+ id="\1">>>$/,
  );
  expect(result.untrusted).toEqual({ source: "web" });
});

describe("names that only a pattern admits", () => {
  const marked = {
    type: "object",
    patternProperties: { "^x-": { type: "string" } },
    additionalProperties: false,
  };
  const cases: Array<[title: string, parameters: Record<string, unknown>]> = [
    ["beside others", { ...marked, properties: { q: { type: "string" } } }],
    ["alone", marked],
  ];

  it.each(cases)("are let through %s, and no others", async (_title, parameters) => {
    const invoker = createInvoker(fromTool(echo(parameters)));
    expect((await invoker.call({ arguments: { "x-1": "a" } })).isError).toBe(false);
    const result = await invoker.call({ arguments: { y: "a" } });
    expect(result.details).toMatchObject({ reason: "arguments_invalid" });
  });

  it.each(cases)("are let through %s in a nested object", async (_title, inner) => {
    const invoker = createInvoker(fromTool(echo({ type: "object", properties: { o: inner } })));
    expect((await invoker.call({ arguments: { o: { "x-1": "a" } } })).isError).toBe(false);
    expect((await invoker.call({ arguments: { o: { y: "a" } } })).isError).toBe(true);
  });
});
