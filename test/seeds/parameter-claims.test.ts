// Claims that name parameters, choices and defaults of tools: the definitions have every one, also
// those that are not sent to a model as long as they do nothing.

import { createClawtools, createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { configJsonSchema } from "../../src/config/index.js";
import { CATALOG } from "../../src/tools/catalog.js";

function propertiesOf(name: string): Record<string, unknown> {
  const definition = CATALOG.find(({ tool }) => tool.name === name)?.tool;
  return Object(Reflect.get(Object(definition?.parameters), "properties"));
}

const GATEWAY_FIELDS = ["gatewayUrl", "gatewayToken", "timeoutMs"];

describe("parameters", () => {
  it.each([
    ["157, 161", "exec", ["elevated", "node"]],
    ["231, 232", "web_fetch", ["extractMode", "maxChars"]],
    ["253, 254", "browser", ["target", "node"]],
    ["268", "browser", ["targetUrl", "targetId"]],
    ["273", "browser", ["level"]],
    ["307, 308", "image", ["model", "maxBytesMb"]],
    ["323, 324", "cron", ["contextMessages", ...GATEWAY_FIELDS]],
    ["331, 332", "gateway", ["delayMs", "reason", "raw", "baseHash", "sessionKey", "note"]],
    ["332", "gateway", ["restartDelayMs"]],
  ])("%s · %s has %j", (_claim, tool, names) => {
    expect(Object.keys(propertiesOf(tool))).toEqual(expect.arrayContaining(names));
  });

  it.each([
    ["159", "exec", "security", ["deny", "allowlist", "full"]],
    ["160", "exec", "ask", ["off", "on-miss", "always"]],
    [
      "173",
      "process",
      "action",
      ["list", "poll", "log", "write", "send-keys", "submit", "paste", "kill", "clear", "remove"],
    ],
    ["231", "web_fetch", "extractMode", ["markdown", "text"]],
    ["330", "gateway", "action", ["restart", "config.get", "config.apply", "update.run"]],
  ])("%s · %s: %s is one of %j", (_claim, tool, field, values) => {
    const text = JSON.stringify(propertiesOf(tool)[field]);
    for (const value of values) expect(text).toContain(`"${value}"`);
  });

  it("174 · process asks for a sessionId for every action but list", async () => {
    const { toolkit } = open();
    const call = async (action: string) =>
      await toolkit.invoke({ id: action, name: "process", arguments: { action } });
    expect((await call("list")).isError).toBe(false);
    for (const action of ["poll", "log", "write", "kill", "clear", "remove"]) {
      const { isError, content } = await call(action);
      expect(isError, action).toBe(true);
      expect(JSON.stringify(content), action).toContain("sessionId");
    }
  });

  it("315 · memory_search says that it searches by words unless a provider is set", () => {
    const registry = createClawtools().tools;
    const tool = registry.resolve("memory_search", { agentDir: "/notes" });
    expect(tool?.description).toMatch(/by words, and by meaning .*memorySearch\.provider/);
  });

  it("265 · the guidance of browser does not wait after every act", () => {
    const { tool } = CATALOG.find((row) => row.tool.name === "browser") ?? {};
    expect(tool?.guidance.join("\n")).toContain("Do not follow it with wait");
  });
});

describe("defaults", () => {
  it("334 · the gateway listens on port 18789 of this machine", () => {
    const schema = JSON.stringify(configJsonSchema());
    expect(schema).toMatch(/"port":\{[^{}]*"default":18789/);
  });

  it("255 · the browser is there unless browser.enabled is false", () => {
    const ids = (config: object) => open(config).toolkit.tools.map(({ name }) => name);
    expect(ids({})).toContain("browser");
    expect(ids({ browser: { enabled: false } })).not.toContain("browser");
  });

  it("261 · a snapshot is of the format ai by default", () => {
    expect(propertiesOf("browser").snapshotFormat).toMatchObject({ description: "Default ai." });
  });
});

function open(config: object = {}) {
  const toolkit = createToolkit({ root: process.cwd(), stateDir: false, config });
  onTestFinished(() => toolkit.close());
  return { toolkit };
}
