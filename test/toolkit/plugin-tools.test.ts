// Tools of plugins are tools like all others: nothing of a definition is lost, each has a row, and
// none takes a name that is spoken for.

import type { ClawtoolsConfig } from "clawtools";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { mergeConfig } from "../policy/merge-config.js";
import { type StartedToolkit, startToolkit, textOf } from "./start-toolkit.js";

const DOOR = JSON.stringify(new URL("../../src/public/tools.ts", import.meta.url).pathname);
const HEAD = `import { defineTool, t, textResult } from ${DOOR};
  const plain = (name) => ({
    name,
    description: "Plain " + name + ".",
    parameters: { type: "object", properties: {} },
    execute: async () => textResult(name),
  });`;

/** A toolkit that has loaded one plugin whose `register` has this body. */
async function startWithPlugin(
  body: string,
  options: Parameters<typeof startToolkit>[0] = {},
): Promise<StartedToolkit> {
  const folder = await createTempFolder({
    "guest/openclaw.plugin.json": '{ "id": "guest" }',
    "guest/index.mjs": `${HEAD}\nexport function register(api) {\n${body}\n}`,
  });
  const config = mergeConfig(options.config ?? {}, { plugins: { load: { paths: [folder] } } });
  const started = startToolkit({ ...options, config });
  await started.toolkit.ready;
  return started;
}

const greet = (deadlineMs = 10_000) => `defineTool({
  name: "welcome",
  description: "Greets.",
  aliases: { who: "name" },
  alsoKnownAs: ["hello"],
  guidance: ["Greet once."],
  readOnly: true,
  deadlineMs: ${deadlineMs},
  parameters: t.object({ name: t.string({ description: "Whom." }) }),
  execute: ({ params }) =>
    params.name === "nobody" ? new Promise(() => undefined) : textResult("Hello " + params.name),
})`;

describe("a name of a plugin that is close to one of ours", () => {
  const body = 'api.registerTool(plain("greet"));';

  it("can be denied without the config being refused", async () => {
    const { toolkit } = await startWithPlugin(body, { config: { tools: { deny: ["greet"] } } });
    expect(toolkit.explain("greet").status).toBe("absent");
    expect(toolkit.explain("grep").status).toBe("present");
    expect(toolkit.diagnostics().map(({ code }) => code)).not.toContain("config_doubtful");
  });

  it("is reported once the plugins are there when none has it", async () => {
    const { toolkit } = await startWithPlugin(body, { config: { tools: { deny: ["gerp"] } } });
    expect(toolkit.explain("grep").status).toBe("absent");
    expect(toolkit.diagnostics()).toContainEqual(
      expect.objectContaining({ severity: "error", message: expect.stringContaining('"gerp"') }),
    );
  });

  it("is refused at once without plugins", () => {
    expect(() => startToolkit({ config: { tools: { deny: ["gerp"] } } })).toThrow(/grep/);
  });
});

describe.each([
  ["registered as it is", (tool: string) => `api.registerTool(${tool});`],
  ["made by a factory", (tool: string) => `api.registerTool(() => ${tool}, { name: "welcome" });`],
  [
    "the second that a factory makes",
    (tool: string) => `api.registerTool(() => [plain("first"), ${tool}]);`,
  ],
])("a definition of a plugin, %s", (_how, register) => {
  const body = register(greet());

  it("keeps its other spellings of parameters", async () => {
    const { call } = await startWithPlugin(body);
    expect(textOf(await call("welcome", { arguments: { who: "Ada" } }))).toBe("Hello Ada");
  });

  it("keeps its other names", async () => {
    const { call, toolkit } = await startWithPlugin(body);
    const result = await call("hello", { arguments: { name: "Ada" } });
    expect(result).toMatchObject({ toolName: "welcome", isError: false });
    expect(toolkit.explain("hello").id).toBe("welcome");
  });

  it("keeps its guidance", async () => {
    const { toolkit } = await startWithPlugin(body);
    expect(toolkit.prompt()).toContain("- Greet once.");
  });

  it("keeps its deadline", async () => {
    const { call } = await startWithPlugin(register(greet(50)));
    const result = await call("welcome", { arguments: { name: "nobody" } });
    expect(result.details).toMatchObject({ code: "timeout", reason: "deadline_passed" });
  });

  it("has a row, and is denied by its own name and by its other one", async () => {
    const open = await startWithPlugin(body);
    expect(open.toolkit.explain("welcome").status).toBe("present");
    for (const name of ["welcome", "hello"]) {
      const { toolkit } = await startWithPlugin(body, { config: { tools: { deny: [name] } } });
      expect(toolkit.explain("welcome")).toMatchObject({
        code: "denied",
        rule: `tools.deny[0] "${name}"`,
      });
    }
  });
});

describe("a factory of a plugin", () => {
  it("has a row for each tool that it makes", async () => {
    const { toolkit, call } = await startWithPlugin(
      `api.registerTool(() => [plain("one"), plain("two")], { names: ["one", "two"] });`,
    );
    for (const name of ["one", "two"]) {
      expect(toolkit.explain(name).status).toBe("present");
      expect(textOf(await call(name))).toBe(name);
    }
    expect(toolkit.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["one", "two"]));
  });

  it("is called once for a toolkit", async () => {
    const { toolkit } = await startWithPlugin(
      `let calls = 0; api.registerTool(() => [plain("made_" + ++calls)], { name: "made" });`,
    );
    toolkit.explain();
    expect(toolkit.tools.map(({ name }) => name)).toContain("made_1");
    expect(toolkit.explain().filter(({ id }) => id.startsWith("made_"))).toHaveLength(1);
  });

  it.each([
    ["throws", `() => { throw new Error("no licence"); }`, "factory_threw", "no licence"],
    ["gives nothing", "() => null", "declined", "gave no tool"],
    ["gives an empty list", "() => []", "declined", "gave no tool"],
    ["is async", `async () => plain("one")`, "factory_async", "async"],
    ["gives no tool", "() => [5]", "tool_invalid", "received number"],
  ])("that %s has a row for each name that it announced", async (_what, factory, code, words) => {
    const { toolkit } = await startWithPlugin(
      `api.registerTool(${factory}, { names: ["one", "two"] });\napi.registerTool(plain("other"));`,
    );
    for (const name of ["one", "two"]) {
      expect(toolkit.explain(name)).toMatchObject({
        status: "absent",
        code,
        reason: expect.stringContaining(words),
      });
    }
    expect(toolkit.explain("other").status).toBe("present");
  });

  it("that makes less than it announced has a row for what is missing", async () => {
    const { toolkit } = await startWithPlugin(
      `api.registerTool(() => plain("one"), { names: ["one", "two"] });`,
    );
    expect(toolkit.explain("one").status).toBe("present");
    expect(toolkit.explain("two")).toMatchObject({ status: "absent", code: "declined" });
  });
});

describe("a name that is taken", () => {
  it.each([
    ["a built-in tool", `api.registerTool(plain("read"));`, "guest/read"],
    ["another name of a built-in tool", `api.registerTool(plain("bash"));`, "guest/bash"],
    [
      "what a factory makes besides",
      `api.registerTool(() => [plain("a"), plain("read")]);`,
      "guest/read",
    ],
  ])("stays with its owner, and the plugin's tool has a row: %s", async (_whose, body, id) => {
    const { toolkit, call } = await startWithPlugin(body);
    const row = toolkit.explain(id);
    expect(row).toMatchObject({
      status: "absent",
      code: "name_conflict",
      reason: expect.stringMatching(/"(?:read|bash)"/),
    });
    expect(textOf(await call("read", { arguments: { path: "notes.txt" } }))).toContain(
      "first line",
    );
    expect(toolkit.explain("bash").id).toBe("exec");
  });

  it.each(["exec", "bash", "read", "first"])(
    "cannot be had as another name either: %s",
    async (name) => {
      const body = `api.registerTool(plain("first"));
        api.registerTool(defineTool({
          name: "thief", description: "Takes.", alsoKnownAs: [${JSON.stringify(name)}],
          parameters: t.object({}), execute: async () => textResult("stolen"),
        }));`;
      const { call, toolkit } = await startWithPlugin(body);
      expect(textOf(await call(name))).not.toContain("stolen");
      expect(textOf(await call("thief"))).toBe("stolen");
      expect(toolkit.diagnostics()).toContainEqual(
        expect.objectContaining({ code: "name_conflict", toolId: "thief" }),
      );
    },
  );
});

describe("an optional tool of a plugin", () => {
  const BODY = `api.registerTool(plain("rare"), { optional: true });
    api.registerTool(() => { globalThis.optionalFactoryRan = true; return [plain("x1"), plain("x2")]; },
      { names: ["x1", "x2"], optional: true });
    api.registerTool(plain("usual"));`;

  it("is absent with a row until a list asks for it, and nothing of it runs", async () => {
    const { toolkit, call } = await startWithPlugin(BODY);
    for (const name of ["rare", "x1", "x2"]) {
      expect(toolkit.explain(name)).toMatchObject({
        id: name,
        status: "absent",
        code: "not_loaded",
        reason: expect.stringContaining('optional tool of the plugin "guest"'),
      });
      expect((await call(name)).details).toMatchObject({ code: "unavailable" });
    }
    expect(toolkit.explain("usual").status).toBe("present");
    expect(Reflect.get(globalThis, "optionalFactoryRan")).toBeUndefined();
  });

  it.each([
    ["its name in tools.alsoAllow", { tools: { alsoAllow: ["rare"] } }, {}],
    ["its name in tools.allow", { tools: { allow: ["read", "RARE"] } }, {}],
    ["its plugin", { tools: { alsoAllow: ["guest"] } }, {}],
    ["all plugins", { tools: { alsoAllow: ["group:plugins"] } }, {}],
    [
      "its agent",
      { agents: { list: [{ id: "Main", tools: { alsoAllow: ["rare"] } }] } },
      { agentId: "main" },
    ],
    [
      "its provider",
      { tools: { byProvider: { OpenAI: { alsoAllow: ["rare"] } } } },
      { provider: "openai", model: "gpt-5" },
    ],
  ])("is there when a list names %s", async (_what, config, options) => {
    const { toolkit, call } = await startWithPlugin(BODY, { config, ...options });
    expect(toolkit.explain("rare").status).toBe("present");
    expect(textOf(await call("rare"))).toBe("rare");
  });

  it.each([
    [{ tools: { alsoAllow: ["usual"] } }],
    [{ tools: { deny: ["rare"] } }],
    [{ agents: { list: [{ id: "other", tools: { alsoAllow: ["rare"] } }] } }],
    [{ tools: { byProvider: { google: { alsoAllow: ["rare"] } } } }],
  ])("is not there by %j", async (config) => {
    const { toolkit } = await startWithPlugin(BODY, {
      config,
      agentId: "main",
      provider: "openai",
    });
    expect(toolkit.explain("rare").status).toBe("absent");
  });

  it.each<[title: string, config: ClawtoolsConfig]>([
    ["no rule", {}],
    ["a profile", { tools: { profile: "messaging" } }],
    ["an allow list", { tools: { allow: ["read"] } }],
    ["an empty allow list", { tools: { allow: [] } }],
    ["what is added", { tools: { profile: "coding", alsoAllow: ["image"] } }],
    ["a denial", { tools: { deny: ["rare", "group:plugins"] } }],
    ["an agent's list", { agents: { list: [{ id: "main", tools: { allow: ["read"] } }] } }],
  ])("has a patch that brings it, and it alone: %s", async (_title, config) => {
    const before = await startWithPlugin(BODY, { config, agentId: "main" });
    const { restore } = before.toolkit.explain("rare");
    const patched = mergeConfig(config, { ...restore });
    const after = await startWithPlugin(BODY, { config: patched, agentId: "main" });
    const names = ({ toolkit }: StartedToolkit) => toolkit.tools.map(({ name }) => name);
    expect(names(after).filter((name) => !names(before).includes(name))).toEqual(["rare"]);
  });
});

describe("a tool of a plugin that the own provider refuses", () => {
  it("cannot be called, also when a call was made before it came", async () => {
    const folder = await createTempFolder({
      "guest/openclaw.plugin.json": '{ "id": "guest" }',
      "guest/index.mjs": `${HEAD}\nexport const register = (api) => api.registerTool(plain("3d"));`,
    });
    const config = { plugins: { load: { paths: [folder] } } };
    const { toolkit, call } = startToolkit({ config, provider: "google" });
    await call("read", { arguments: { path: "notes.txt" } });
    await toolkit.ready;
    expect(toolkit.explain("3d").code).toBe("schema_refused");
    expect((await call("3d")).details).toMatchObject({ reason: "schema_refused" });
  });
});

describe("a tool of a plugin that cannot be read", () => {
  it.each([
    ["a getter throws", `{ ...plain("sly"), get ownerOnly() { throw new Error("sly"); } }`],
    ["no registry takes its name", `plain("_sly")`, "_sly"],
    ["an other name is no text", `{ ...${greet()}, name: "sly", alsoKnownAs: [5] }`],
    ["its guidance is no text", `{ ...${greet()}, name: "sly", guidance: [{}] }`],
    ["a spelling leads nowhere", `{ ...${greet()}, name: "sly", aliases: { who: 5 } }`],
  ])("costs itself alone, and ready is kept: %s", async (_what, tool, id = "sly") => {
    const { toolkit } = await startWithPlugin(
      `api.registerTool(${tool});\napi.registerTool(plain("honest"));`,
    );
    expect(toolkit.explain("honest").status).toBe("present");
    expect(toolkit.explain(id)).toMatchObject({ id, status: "absent", code: "tool_invalid" });
  });
});
