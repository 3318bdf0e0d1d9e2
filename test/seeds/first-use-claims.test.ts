// Claims that a newcomer meets first: tools without a context, spellings in schemas, failures that
// read alike, and what of a definition is sent to a model.

import {
  createClawtools,
  errorResult,
  normalizeToolParameters,
  readBooleanParam,
  readStringArrayParam,
  resolveEffectiveToolPolicy,
  type Tool,
  type ToolContext,
  ToolInputError,
  ToolRegistry,
} from "clawtools";
import { describe, expect, it } from "vitest";
import { resolveTool } from "../fakes/resolve-tool.js";
import { giving } from "../toolkit/sample-tools.js";
import { startToolkit } from "../toolkit/start-toolkit.js";

const propertiesOf = (schema: unknown) =>
  Object.keys(Object(Reflect.get(Object(schema), "properties")));

describe("tools without a context", () => {
  it("15 · exec: no field required: commands run in the working folder", async () => {
    const exec = resolveTool({ registry: createClawtools().tools, name: "exec" });
    const { details } = await exec.execute("call", { command: "pwd" });
    expect(details).toMatchObject({ cwd: process.cwd() });
  });

  it("22 · ui: none required locally: browser answers its status", async () => {
    const browser = resolveTool({ registry: createClawtools().tools, name: "browser" });
    expect(await browser.execute("call", { action: "status" })).not.toHaveProperty("isError");
  });

  it("112 · a factory sees ctx.ownerOnly", () => {
    const seen: ToolContext[] = [];
    const registry = new ToolRegistry();
    registry.registerFactory(
      (ctx) => {
        seen.push(ctx);
        return null;
      },
      {
        ...{ id: "probe", label: "Probe", description: "", sectionId: "x" },
        ...{ profiles: [], source: "plugin" },
      },
    );
    registry.resolveAll({ ownerOnly: true });
    expect(seen[0]?.ownerOnly).toBe(true);
  });
});

describe("parameter readers", () => {
  it('101 · true, "true", "1" and numbers other than 0 are true, the rest is false', () => {
    for (const force of [true, "true", "1", 1, -2, 0.5]) {
      expect(readBooleanParam({ force }, "force"), String(force)).toBe(true);
    }
    for (const force of [false, "yes", "0", 0, Number.NaN, {}, []]) {
      expect(readBooleanParam({ force }, "force", true), String(force)).toBe(false);
    }
  });

  it("111 · readStringArrayParam throws for a number", () => {
    expect(() => readStringArrayParam({ tags: 123 }, "tags")).toThrow(ToolInputError);
  });
});

describe("schemas", () => {
  it("129 · aliases appear in the schema with aliases: true, and only then", () => {
    const { toolkit } = startToolkit({});
    const editOf = (aliases: boolean) =>
      toolkit.schemas({ aliases }).find(({ name }) => name === "edit")?.input_schema;
    expect(propertiesOf(editOf(true))).toEqual(
      expect.arrayContaining(["file_path", "old_string", "new_string"]),
    );
    expect(propertiesOf(editOf(false))).not.toContain("file_path");
  });

  it("leave out parameters that do nothing here, which the definitions keep", () => {
    const { toolkit } = startToolkit({});
    const sent = (name: string) =>
      toolkit.schemas().find((schema) => schema.name === name)?.input_schema;
    const whole = (name: string) => toolkit.tools.find((tool) => tool.name === name)?.parameters;
    for (const name of ["controlUrl", "refs", "target", "node"]) {
      expect(propertiesOf(sent("browser"))).not.toContain(name);
      expect(propertiesOf(whole("browser"))).toContain(name);
    }
    expect(propertiesOf(sent("exec"))).not.toContain("elevated");
    expect(sent("exec")).toMatchObject({ properties: { host: { enum: ["sandbox", "gateway"] } } });
    const config = { tools: { elevated: { enabled: true } } };
    const open = startToolkit({ config }).toolkit.schemas();
    expect(propertiesOf(open.find(({ name }) => name === "exec")?.input_schema)).toContain(
      "elevated",
    );
  });

  it("131 · normalizeToolParameters folds a union into one object and keeps the tool", async () => {
    const tool: Tool = {
      name: "either",
      description: "Takes one of two.",
      parameters: {
        anyOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { type: "object", properties: { b: { type: "number" } } },
        ],
      },
      execute: async () => ({ content: [] }),
    };
    const normal = normalizeToolParameters(tool);
    expect(normal.parameters).toMatchObject({ type: "object" });
    expect(normal.parameters).not.toHaveProperty("anyOf");
    expect(propertiesOf(normal.parameters)).toEqual(["a", "b"]);
    expect(await normal.execute("c", {})).toEqual({ content: [] });
  });
});

describe("policy and discovery", () => {
  it("138 · resolveEffectiveToolPolicy takes the tools of a registry", () => {
    const { tools: registry } = createClawtools();
    const policy = resolveEffectiveToolPolicy({
      config: { tools: { deny: ["group:web"] } },
      tools: registry.resolveAll({}),
    });
    expect(policy.allows("web_search")).toBe(false);
    expect(policy.allows("exec")).toBe(true);
  });

  it("42 · onLoadWarning stays silent while implementations load, also for calls that fail", async () => {
    const warnings: string[] = [];
    const { tools, extensions } = createClawtools({
      tools: { include: ["web_fetch"], onLoadWarning: (message) => warnings.push(message) },
    });
    expect(extensions).toEqual([]);
    const fetchPage = resolveTool({ registry: tools, name: "web_fetch" });
    await fetchPage.execute("call", { url: "not a url" });
    expect(warnings).toEqual([]);
  });
});

describe("failures", () => {
  it("136 · every isError result begins with the JSON line", async () => {
    const text = { type: "text", text: "out of paper" } as const;
    const failing = giving("printer", () => ({ content: [text], isError: true }));
    const { call } = startToolkit({ tools: [failing] });
    const { content } = await call("printer", { arguments: {} });
    expect(content).toEqual([
      { type: "text", text: '{"status":"error","tool":"printer","error":"out of paper"}' },
    ]);
  });

  it("a diagnosis of several lines follows the JSON line as plain text", async () => {
    const { content } = errorResult("edit", "oldText is not in a.txt.\n\n  1 | one\n    ^");
    expect(content).toEqual([
      { type: "text", text: '{"status":"error","tool":"edit","error":"oldText is not in a.txt."}' },
      { type: "text", text: "  1 | one\n    ^" },
    ]);
  });

  it("a miss of edit shows the nearest text in a block of its own", async () => {
    const { call } = startToolkit({});
    await call("write", {
      arguments: { path: "a.txt", content: "const one = 1;\nconst two = 2;\n" },
    });
    const { content } = await call("edit", {
      arguments: { path: "a.txt", oldText: "const one = 3;\nconst two = 2;", newText: "x" },
    });
    expect(content).toHaveLength(2);
    const [line, diagnosis] = content.map((block) => (block.type === "text" ? block.text : ""));
    expect(JSON.parse(line ?? "").error).not.toContain("\n");
    expect(diagnosis).toContain("const one = 1;");
  });
});
