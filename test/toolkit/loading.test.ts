// What a toolkit is made of: a config that is right, names that are free, plugins and servers tried.

import { join } from "node:path";
import { createToolkit, type ToolFactory, type ToolkitOptions } from "clawtools";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { plainEcho, say } from "./sample-tools.js";
import { ROOT, startToolkit, textOf } from "./start-toolkit.js";

const PLUGINS = join(import.meta.dirname, "../plugins");
const SOUND = join(PLUGINS, "sound/echo");
const BROKEN = join(PLUGINS, "faulty/throws-in-register");
const withPlugins = (...paths: string[]) => ({ plugins: { load: { paths } } });

describe("a config", () => {
  it("that is wrong is refused at once, with every path", () => {
    const config = {
      tools: { profile: "everything", deny: "exec", taint: "maybe" },
      limits: { resultChars: -1 },
      budgets: { usd: "much" },
    };
    const options = { root: ROOT, config } as unknown as ToolkitOptions;
    expect(() => createToolkit(options)).toThrow(
      expect.objectContaining({
        name: "ToolInputError",
        code: "invalid_input",
        reason: "config_invalid",
        message: expect.stringMatching(
          /tools\.profile:.*tools\.deny:.*tools\.taint:.*limits\.resultChars:.*budgets\.usd:/,
        ),
      }),
    );
  });

  it("is not changed", async () => {
    const config = { tools: { deny: ["group:fs"] }, ...withPlugins(SOUND) };
    const before = structuredClone(config);
    const { toolkit } = startToolkit({ config });
    await toolkit.ready;
    toolkit.explain();
    expect(config).toEqual(before);
  });
});

describe("the caller's own tools", () => {
  it.each([
    ["of a built-in tool", [plainEcho({ name: "read" })]],
    ["of a built-in tool that is not built", [plainEcho({ name: "canvas" })]],
    ["that a built-in tool also answers to", [plainEcho({ name: "bash" })]],
    ["that another of them has", [say, plainEcho({ name: "say" })]],
    ["that a factory gives twice", [() => [say, say]]],
  ])("may not have a name %s", (_whose, tools) => {
    expect(() => createToolkit({ root: ROOT, tools })).toThrow(
      expect.objectContaining({ reason: "name_conflict", code: "invalid_input" }),
    );
  });

  it("may come from factories, which see the context", async () => {
    const seen: unknown[] = [];
    const factory: ToolFactory = (ctx) => {
      seen.push(ctx.root);
      return ctx.agentId === "main" ? [say, plainEcho()] : null;
    };
    const { call } = startToolkit({ tools: [factory], agentId: "main" });
    expect(textOf(await call("say", { arguments: { text: "hi" } }))).toBe("hi");
    expect(textOf(await call("plain_echo", { arguments: { text: "ho" } }))).toBe("ho");
    expect(seen).toEqual([ROOT]);
    const other = startToolkit({ tools: [factory], agentId: "guest" });
    expect((await other.call("say")).details).toMatchObject({ reason: "tool_unknown" });
  });

  it("are denied by name, like all others", async () => {
    const { call } = startToolkit({
      tools: [plainEcho()],
      config: { tools: { deny: ["plain_*"] } },
    });
    const result = await call("plain_echo", { arguments: { text: "x" } });
    expect(result.details).toMatchObject({ code: "denied", rule: 'tools.deny[0] "plain_*"' });
  });
});

describe("plugins of the config", () => {
  it("are there when the toolkit is ready, and not before", async () => {
    const { toolkit, call } = startToolkit({ config: withPlugins(SOUND) });
    expect(toolkit.explain("echo").code).toBe("unknown");
    await toolkit.ready;
    expect(toolkit.explain("echo").status).toBe("present");
    expect(textOf(await call("echo", { arguments: { text: "hi" } }))).toBe("Echo: hi");
    expect(toolkit.prompt()).toContain("- echo: Says what it hears");
    expect(toolkit.schemas().map(({ name }) => name)).toContain("echo");
  });

  it("are validated, denied and audited like built-in tools", async () => {
    const { toolkit, call, rows } = startToolkit({ config: withPlugins(SOUND) });
    await toolkit.ready;
    await call("echo", { arguments: { text: ["no", "no"] } });
    expect(rows[0]).toMatchObject({ stage: "arguments", reason: "arguments_invalid" });
    const denied = startToolkit({ config: { ...withPlugins(SOUND), tools: { deny: ["echo"] } } });
    await denied.toolkit.ready;
    await denied.call("echo", { arguments: { text: "hi" } });
    expect(denied.rows[0]).toMatchObject({ reason: "tool_denied", rule: 'tools.deny[0] "echo"' });
  });

  it("that are broken have a row with the reason, and cost no other", async () => {
    const { toolkit } = startToolkit({ config: withPlugins(BROKEN, SOUND, "/no/such/folder") });
    await toolkit.ready;
    expect(toolkit.explain("throws-in-register")).toMatchObject({
      status: "absent",
      code: "not_loaded",
      reason: expect.stringContaining("the second half is missing"),
    });
    expect(
      toolkit.explain().find(({ reason }) => reason.includes("/no/such/folder")),
    ).toMatchObject({ status: "absent", code: "not_loaded" });
    expect(toolkit.explain("half_done").code).toBe("unknown");
    expect(toolkit.explain("echo").status).toBe("present");
  });

  it("keep tools for the owner from everybody else", async () => {
    const folder = await createTempFolder({
      "vault/openclaw.plugin.json": '{ "id": "vault" }',
      "vault/index.mjs": `export function register(api) {
        api.registerTool({
          name: "open_vault",
          description: "Opens it.",
          ownerOnly: true,
          parameters: { type: "object", properties: {} },
          execute: async () => ({ content: [] }),
        });
      }`,
    });
    const config = withPlugins(folder);
    const owner = startToolkit({ config });
    await owner.toolkit.ready;
    expect(owner.toolkit.explain("open_vault").status).toBe("present");
    const guest = startToolkit({ config, owner: false });
    await guest.toolkit.ready;
    expect(guest.toolkit.explain("open_vault").code).toBe("denied");
    expect((await guest.call("open_vault")).details).toMatchObject({ code: "denied" });
  });

  it("change nothing when the toolkit was closed before they came", async () => {
    const { toolkit } = startToolkit({ config: withPlugins(SOUND) });
    await toolkit.close();
    expect(toolkit.tools.map(({ name }) => name)).not.toContain("echo");
  });
});

describe("MCP servers of the config", () => {
  it("each have a row that says why they are not there", async () => {
    const config = {
      mcp: { servers: { github: { command: "none" }, docs: { url: "http://x/" } } },
    };
    const { toolkit, call } = startToolkit({ config });
    await toolkit.ready;
    for (const id of ["github", "docs"]) {
      expect(toolkit.explain(id)).toMatchObject({
        id,
        status: "absent",
        code: "not_loaded",
        reason: expect.stringContaining("MCP"),
      });
    }
    expect((await call("github")).isError).toBe(true);
  });
});
