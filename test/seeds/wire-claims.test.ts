// Claims 120 to 137 and 143: what goes over the wire to a model and comes back from it.
import {
  type ContentBlock,
  createClawtools,
  defineTool,
  errorResult,
  jsonResult,
  type Tool,
  ToolRegistry,
  type ToolResult,
  t,
} from "clawtools";
import { describe, expect, expectTypeOf, it } from "vitest";
import { compileSchema } from "../../src/core/schema/targets/compile-schema.js";
import { compileTools } from "../../src/core/schema/targets/compiler.js";
import { lintSchema } from "../../src/core/schema/targets/lint.js";
import { toAnthropicToolResults } from "../../src/core/wire/anthropic.js";
import { toGeminiFunctionResponses } from "../../src/core/wire/gemini.js";
import {
  fromOpenAIToolCalls,
  toOpenAIToolMessages,
  toOpenAITools,
} from "../../src/core/wire/openai.js";
import { fromClaudeCodeName, toClaudeCodeName } from "../../src/core/wire/wire-call.js";
import { CATALOG } from "../../src/tools/catalog.js";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { resolveTool } from "../fakes/resolve-tool.js";

const definitions = CATALOG.map(({ tool }) => tool);
const files = { "/project/a.txt": "one two\n" };

function resolveFileTool(name: string): Tool {
  const { tools } = createClawtools();
  const ctx = { root: "/project", bridge: createMemoryBridge(files) };
  return resolveTool({ registry: tools, name, ctx });
}

function definitionOf(name: string) {
  const found = definitions.find((definition) => definition.name === name);
  if (found === undefined) throw new Error(`${name} is not in the catalog`);
  return found;
}

/** Every schema inside a schema, by the keywords that our definitions use. */
function listSchemas(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== "object" || schema === null) return [];
  const known = Object.fromEntries(Object.entries(schema));
  const inner = [
    ...Object.values(Object(known.properties)),
    known.items,
    known.additionalProperties,
  ];
  return [known, ...inner.flatMap(listSchemas)];
}

describe("tool calls in OpenAI's format", () => {
  it("120 · tools sent as OpenAI `tools[]` {type:function,function:{name,description,parameters}}", () => {
    const { compiled, quarantined } = compileTools(definitions, "openai");
    expect(quarantined).toEqual([]);
    const tools = toOpenAITools(compiled);
    expect(tools).toHaveLength(definitions.length);
    for (const [index, tool] of tools.entries()) {
      expect(Object.keys(tool)).toEqual(["type", "function"]);
      expect(Object.keys(tool.function)).toEqual(["name", "description", "parameters"]);
      expect(tool.type).toBe("function");
      expect(tool.function.name).toBe(definitions[index]?.name);
      expect(tool.function.description).toBe(definitions[index]?.description);
    }
  });

  it("121 · model answers `tool_calls[]` with `function.arguments` as JSON string", async () => {
    const message = {
      tool_calls: [
        {
          id: "call_xxx",
          type: "function",
          function: { name: "read", arguments: '{"path": "a.txt"}' },
        },
      ],
    };
    const [call] = fromOpenAIToolCalls(message);
    expect(call).toEqual({ id: "call_xxx", name: "read", arguments: '{"path": "a.txt"}' });
    // Preparing the call parses the text, whatever the type of `params` promises.
    const read = resolveFileTool("read");
    const result: ToolResult = await Reflect.apply(read.execute, read, [call?.id, call?.arguments]);
    expect(JSON.stringify(result.content)).toContain("one two");
  });

  it('122 · results go back as `role:"tool"` message', async () => {
    const { content } = await resolveFileTool("read").execute("call_xxx", { path: "a.txt" });
    const result = { toolCallId: "call_xxx", toolName: "read", content, isError: false };
    expect(toOpenAIToolMessages([result])).toEqual([
      { role: "tool", tool_call_id: "call_xxx", content: expect.stringContaining("one two") },
    ]);
  });
});

describe("the tool object", () => {
  it("123 · tool object {name,label,description,parameters,execute}", () => {
    const tools = createClawtools({ catalog: "all" }).tools.resolveAll({
      root: "/project",
      bridge: createMemoryBridge(files),
    });
    expect(tools.length).toBeGreaterThan(20);
    for (const tool of tools) {
      expect([tool.name, typeof tool.label]).toEqual([tool.name, "string"]);
      expect(typeof tool.description).toBe("string");
      expect(typeof tool.parameters).toBe("object");
      expect(typeof tool.execute).toBe("function");
    }
  });

  it("124 · schemas by TypeBox", () => {
    const parameters = t.object({ path: t.string(), limit: t.optional(t.integer()) });
    const tool = defineTool({
      name: "typed",
      description: "Typed.",
      parameters,
      execute: async ({ params }) => {
        expectTypeOf(params).toEqualTypeOf<{ path: string; limit?: number }>();
        return jsonResult(params);
      },
    });
    expect(tool.parameters).toEqual({
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "integer" } },
      required: ["path"],
    });
  });

  it("125 · pi-agent-core AgentTool compatible", async () => {
    interface AgentTool {
      name: string;
      label: string;
      description: string;
      parameters: object;
      execute(
        toolCallId: string,
        params: Record<string, unknown>,
        signal?: AbortSignal,
        onUpdate?: (partial: { content?: ContentBlock[]; details?: unknown }) => void,
      ): Promise<{ content: ContentBlock[]; details?: unknown }>;
    }
    const read = resolveFileTool("read");
    const agentTool: AgentTool = { ...read, label: read.label ?? read.name };
    const { signal } = new AbortController();
    const { content } = await agentTool.execute("c1", { path: "a.txt" }, signal, () => undefined);
    expect(content[0]).toMatchObject({ type: "text" });
  });
});

describe("Claude Code compatibility", () => {
  it("126 · `file_path` -> `path` (read, write, edit)", async () => {
    const arguments_: Record<string, Record<string, unknown>> = {
      read: { file_path: "a.txt" },
      write: { file_path: "b.txt", content: "x" },
      edit: { file_path: "a.txt", oldText: "one", newText: "1" },
    };
    for (const [name, given] of Object.entries(arguments_)) {
      const result = await resolveFileTool(name).execute("c1", given);
      expect([name, result.isError]).toEqual([name, undefined]);
    }
  });

  it("127 · `old_string` -> `oldText`", async () => {
    const given = { path: "a.txt", old_string: "one", newText: "1" };
    expect(await resolveFileTool("edit").execute("c1", given)).not.toHaveProperty("isError");
  });

  it("128 · `new_string` -> `newText`", async () => {
    const given = { path: "a.txt", oldText: "one", new_string: "1" };
    expect(await resolveFileTool("edit").execute("c1", given)).not.toHaveProperty("isError");
  });

  it("129 · aliases appear *in the schema* too", () => {
    const edit = definitionOf("edit");
    const { schema } = compileSchema(edit, "anthropic", { aliases: edit.aliases });
    const names = Object.keys(Object(schema.properties));
    expect(names).toEqual(expect.arrayContaining(["file_path", "old_string", "new_string"]));
    expect(schema).not.toHaveProperty("required");
    // They cost tokens, so only those get them who ask.
    const plain = compileSchema(edit, "anthropic").schema;
    expect(Object.keys(Object(plain.properties))).not.toContain("file_path");
    expect(plain.required).toEqual(["path"]);
  });

  it("130 · normalised again at run time", async () => {
    const twice = { file_path: "a.txt", path: "a.txt" };
    expect(await resolveFileTool("read").execute("c1", twice)).not.toHaveProperty("isError");
    const neither = await resolveFileTool("read").execute("c1", {});
    expect(JSON.stringify(neither.content)).toContain("path");
    expect(neither.isError).toBe(true);
  });

  it("143 · Anthropic OAuth transport: Claude-Code-style names on the wire, mapped back", () => {
    const names = definitions.map(({ name }) => name);
    const sent = names.map(toClaudeCodeName);
    expect(sent).toEqual(expect.arrayContaining(["Read", "Write", "Edit", "exec", "web_fetch"]));
    expect(new Set(sent).size).toBe(names.length);
    expect(sent.map((name) => fromClaudeCodeName(name, names))).toEqual(names);
    // `exec` is not Bash; a call of Bash comes back under the alias of exec.
    expect(definitionOf("exec").alsoKnownAs).toContain(fromClaudeCodeName("Bash", names));
  });
});

describe("schemas for providers", () => {
  it("131 · OpenAI: top-level type object, unions flattened", () => {
    const variant = (kind: string) => ({
      type: "object",
      properties: { kind: { const: kind }, [kind]: { type: "string" } },
      required: ["kind"],
    });
    const parameters = { anyOf: [variant("a"), variant("b")] };
    const { schema } = compileSchema({ name: "u", description: "", parameters }, "openai");
    expect(schema).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        a: { type: "string" },
        b: { type: "string" },
      },
      required: ["kind"],
    });
  });

  it("132 · Gemini: keywords scrubbed", () => {
    const parameters = {
      type: "object",
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { pattern: { type: "string", pattern: "^a", format: "uri", minLength: 1 } },
      additionalProperties: false,
    };
    const { schema } = compileSchema({ name: "g", description: "", parameters }, "gemini");
    expect(schema).toEqual({ type: "object", properties: { pattern: { type: "string" } } });
    expect(lintSchema(parameters, "gemini").map(({ pointer }) => pointer)).toEqual([
      "/$schema",
      "/additionalProperties",
      "/properties/pattern/format",
    ]);
  });

  it("133 · all schemas flat objects, no Type.Union", () => {
    for (const { name, parameters } of definitions) {
      const unions = listSchemas(parameters).filter(
        (schema) => "anyOf" in schema || "oneOf" in schema || "allOf" in schema,
      );
      expect([name, parameters.type, unions]).toEqual([name, "object", []]);
    }
  });
});

describe("results", () => {
  const SECRET = "for programs only";

  it("134 · AgentToolResult {content, details?}", async () => {
    expectTypeOf<ToolResult["content"]>().toEqualTypeOf<ContentBlock[]>();
    expectTypeOf<ToolResult>().toHaveProperty("details").toEqualTypeOf<unknown>();
    const result = await resolveFileTool("read").execute("c1", { path: "a.txt" });
    expect(result.content).toEqual([{ type: "text", text: expect.any(String) }]);
  });

  it("135 · jsonResult() as in 4", () => {
    const payload = { a: [1, { b: null }] };
    expect(jsonResult(payload)).toEqual({
      content: [{ type: "text", text: JSON.stringify(payload, null, 2) }],
      details: payload,
    });
  });

  it('136 · errors caught by the adapter -> {status:"error",tool,error}', async () => {
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        name: "fails",
        description: "Fails.",
        parameters: t.object({}),
        execute: () => Promise.reject(new Error("no such thing")),
      }),
    );
    const { content, isError } = await resolveTool({ registry, name: "fails" }).execute("c1", {});
    expect(isError).toBe(true);
    const text = JSON.stringify({ status: "error", tool: "fails", error: "no such thing" });
    expect(content).toEqual([{ type: "text", text }]);
    expect(errorResult("fails", new Error("no such thing")).content).toEqual(content);
  });

  it("137 · details for UI/logging only", () => {
    const result = {
      toolCallId: "c1",
      toolName: "read",
      ...jsonResult({ shown: true }),
      details: { secret: SECRET },
      isError: true,
    };
    const sent = JSON.stringify([
      toOpenAIToolMessages([result]),
      toAnthropicToolResults([result]),
      toGeminiFunctionResponses([result]),
    ]);
    expect(sent).toContain("shown");
    expect(sent).not.toContain(SECRET);
    expect(sent).not.toContain("details");
  });
});
