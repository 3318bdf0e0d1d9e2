// Claims 81 to 88 and 117 to 119: the result builders and the two documented examples, through the doors.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool, ToolContext, ToolFactory, ToolResult } from "clawtools";
import * as mainDoor from "clawtools";
import { ToolRegistry } from "clawtools";
import * as toolsDoor from "clawtools/tools";
import { errorResult, imageResult, jsonResult, readStringParam, textResult } from "clawtools/tools";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";

const HELPERS = [
  "jsonResult",
  "textResult",
  "errorResult",
  "imageResult",
  "readStringParam",
  "readNumberParam",
  "readBooleanParam",
  "readStringArrayParam",
  "assertRequiredParams",
  "ToolInputError",
  "ToolAuthorizationError",
  "extractToolSchema",
  "extractToolSchemas",
  "normalizeSchema",
  "cleanSchemaForGemini",
] as const;

describe("the doors", () => {
  it.each(HELPERS)("81 · all helpers from both `clawtools` and `clawtools/tools`: %s", (name) => {
    const fromMain = Object.entries(mainDoor).find(([exported]) => exported === name);
    const fromTools = Object.entries(toolsDoor).find(([exported]) => exported === name);
    expect(fromMain?.[1]).toBeTypeOf("function");
    expect(fromTools?.[1]).toBe(fromMain?.[1]);
  });
});

describe("result builders", () => {
  it("82 · jsonResult: pretty JSON + details = payload", () => {
    const payload = { files: ["a.ts", "b.ts"], count: 2 };
    const result = jsonResult(payload);
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(payload, null, 2) }]);
    expect(result.details).toBe(payload);
    expect(result.isError).toBeUndefined();
  });

  it("83 · sample output prints the array on one line; the text is JSON.stringify(payload, null, 2), one element a line", () => {
    expect(jsonResult({ files: ["a.ts", "b.ts"], count: 2 }).content).toEqual([
      {
        type: "text",
        text: '{\n  "files": [\n    "a.ts",\n    "b.ts"\n  ],\n  "count": 2\n}',
      },
    ]);
  });

  it("84 · textResult(text, details?)", () => {
    expect(textResult("Operation completed successfully.")).toStrictEqual({
      content: [{ type: "text", text: "Operation completed successfully." }],
    });
    expect(textResult("done", { lines: 3 }).details).toEqual({ lines: 3 });
  });

  it("85 · errorResult(tool, error): compact JSON {status,tool,error}", () => {
    const result = errorResult("read", "path parameter required");
    expect(result.content).toEqual([
      {
        type: "text",
        text: '{"status":"error","tool":"read","error":"path parameter required"}',
      },
    ]);
    expect(result.details).toEqual({
      status: "error",
      tool: "read",
      error: "path parameter required",
    });
    expect(result.isError).toBe(true);
  });

  const screenshot = {
    label: "screenshot",
    base64: "iVBORw0KGgo=",
    mimeType: "image/png",
    path: "/tmp/screenshot.png",
    extraText: "Rendered at 1920x1080",
    details: { width: 1920, height: 1080 },
  };

  it("86 · imageResult params label, base64, mimeType, path, extraText, details", () => {
    expect(imageResult(screenshot).details).toEqual({ width: 1920, height: 1080 });
    const { label, base64, mimeType } = screenshot;
    expect(imageResult({ label, base64, mimeType }).content).toEqual([
      { type: "image", data: base64, mimeType },
    ]);
  });

  it("87 · imageResult order MEDIA, extraText, image", () => {
    expect(imageResult(screenshot).content).toEqual([
      { type: "text", text: "MEDIA:/tmp/screenshot.png" },
      { type: "text", text: "Rendered at 1920x1080" },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    ]);
  });

  it("88 · label used for details", () => {
    const { label, base64, mimeType, path } = screenshot;
    expect(imageResult({ label, base64, mimeType }).details).toEqual({ label: "screenshot" });
    expect(imageResult({ label, base64, mimeType, path }).details).toEqual({
      label: "screenshot",
      path: "/tmp/screenshot.png",
    });
  });
});

describe("the documented examples", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "clawtools-helpers-"));
    writeFileSync(join(folder, "five.txt"), "12345");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const fileInfo: Tool = {
    name: "file_info",
    label: "File Info",
    description: "Return basic information about a file path",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Absolute path to the file" },
      },
      required: ["path"],
    },
    execute: async (_toolCallId, params, _signal) => {
      const filePath = readStringParam(params, "path", { required: true });

      try {
        const { statSync } = await import("node:fs");
        const stat = statSync(filePath);
        return jsonResult({ path: filePath, size: stat.size, isDirectory: stat.isDirectory() });
      } catch (error) {
        return errorResult("file_info", `Cannot stat ${filePath}: ${String(error)}`);
      }
    },
  };

  it("117 · custom tool example compiles and runs", async () => {
    const registry = new ToolRegistry();
    registry.register(fileInfo);
    const tool = registry.resolve("file_info", {});
    const path = join(folder, "five.txt");

    const found = await tool?.execute("call_1", { path });
    expect(found?.details).toEqual({ path, size: 5, isDirectory: false });

    const missing = await tool?.execute("call_2", { path: join(folder, "none.txt") });
    expect(missing?.isError).toBe(true);
    expect(missing?.content).toEqual([
      { type: "text", text: expect.stringContaining('{"status":"error","tool":"file_info"') },
    ]);

    await expect(tool?.execute("call_3", {})).rejects.toThrow("path required");
  });

  const cwdFactory: ToolFactory = (ctx) => {
    const { workspaceDir } = ctx;
    if (!workspaceDir) return null;

    return {
      name: "cwd",
      description: "Return the current workspace directory",
      parameters: { type: "object", properties: {} },
      execute: async () => textResult(workspaceDir),
    };
  };

  it("118 · factory example (null without workspaceDir) works", async () => {
    const registry = new ToolRegistry();
    registry.registerFactory(cwdFactory, {
      id: "cwd",
      label: "Working directory",
      description: "Return the current workspace directory",
      sectionId: "custom",
      profiles: ["full"],
      source: "core",
    });
    expect(registry.resolve("cwd", {})).toBeUndefined();
    expect(registry.resolveAll({})).toEqual([]);

    const tool = registry.resolve("cwd", { workspaceDir: "/my/project" });
    expect((await tool?.execute("call_1", {}))?.content).toEqual([
      { type: "text", text: "/my/project" },
    ]);
  });

  it("119 · types Tool, ToolFactory from `clawtools`", () => {
    expectTypeOf<Tool>().toHaveProperty("name").toEqualTypeOf<string>();
    expectTypeOf<Tool>().toHaveProperty("label").toEqualTypeOf<string | undefined>();
    expectTypeOf<Tool>().toHaveProperty("parameters").toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<Tool["execute"]>().parameter(1).toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<Tool["execute"]>().returns.resolves.toEqualTypeOf<ToolResult>();
    expectTypeOf<ToolFactory>().parameters.toEqualTypeOf<[ctx: ToolContext]>();
    expectTypeOf<Tool>().toExtend<ReturnType<ToolFactory>>();
    expectTypeOf<null>().toExtend<ReturnType<ToolFactory>>();
    // @ts-expect-error a tool without a name is no tool
    const nameless: Tool = { description: "", parameters: {}, execute: fileInfo.execute };
    expect(nameless.name).toBeUndefined();
  });
});
