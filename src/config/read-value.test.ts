// Values are found by their place, and only own ones.

import { describe, expect, it } from "vitest";
import { readConfigValue } from "./index.js";
import { parseKeyPath, showKeyPath } from "./problem.js";

const CONFIG = {
  tools: { byProvider: { "openai/gpt-5.2": { allow: ["read"] } }, profile: null },
  agents: { list: [{ id: "main" }, { id: "support" }] },
};

describe("readConfigValue", () => {
  it.each([
    ["agents.list[1].id", "support"],
    ["agents.list.0.id", "main"],
    ['tools.byProvider["openai/gpt-5.2"].allow[0]', "read"],
    ["tools.profile", null],
    ["agents.list", CONFIG.agents.list],
    ["", CONFIG],
  ])("finds %s", (path, value) => {
    expect(readConfigValue(CONFIG, path)).toEqual(value);
  });

  it.each([
    "agents.list[2].id",
    "agents.list.length",
    "agents.list[0].id.length",
    "tools.profile.x",
    "constructor",
    "__proto__",
    "tools.toString",
    "tools.hasOwnProperty.call",
    "nothing.at.all",
  ])("finds nothing at %s", (path) => {
    expect(readConfigValue(CONFIG, path)).toBeUndefined();
  });

  it.each(["a..b", ".a", "a.", "a[", "a[x]", 'a["b]', 'a["\\q"]', "a[1", "a[0]b"])(
    "refuses %s, which is no path",
    (path) => {
      expect(() => readConfigValue(CONFIG, path)).toThrow(/is not a place in the config/);
    },
  );

  it("refuses a path without end before it looks at it", () => {
    expect(() => readConfigValue(CONFIG, "x".repeat(1_001))).toThrow(
      /is not a place in the config/,
    );
  });
});

describe("the path of a problem", () => {
  it.each([
    [["agents", "list", 0, "id"], "agents.list[0].id"],
    [
      ["tools", "byProvider", "openai/gpt-5.2", "allow"],
      'tools.byProvider["openai/gpt-5.2"].allow',
    ],
    [["mcp", "servers", 'a "quoted" name', "url"], 'mcp.servers["a \\"quoted\\" name"].url'],
    [["plugins", "entries", "my-plugin"], "plugins.entries.my-plugin"],
    [["$include", 1], "$include[1]"],
    [["a", ""], 'a[""]'],
  ])("%j is written %s, and read back the same", (steps, text) => {
    expect(showKeyPath(steps)).toBe(text);
    expect(parseKeyPath(text)).toEqual(steps);
  });
});
