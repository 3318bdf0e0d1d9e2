// Which plugins the caller and the config let in.

import { describe, expect, it } from "vitest";
import { assertEnabled, listNamedIds, readPluginConfig } from "./settings.js";

describe("assertEnabled", () => {
  it.each([
    ["nothing is said", {}],
    ["the config has no plugins", { config: { tools: {} } }],
    ["enabledPlugins names it in other letters", { enabledPlugins: ["VOICE"] }],
    ["the allow list names it", { config: { plugins: { allow: ["voice"] } } }],
    ["another one is denied", { config: { plugins: { deny: ["other"] } } }],
    [
      "its entry has only settings",
      { config: { plugins: { entries: { voice: { config: {} } } } } },
    ],
  ])("lets a plugin in when %s", (_when, source) => {
    expect(() => assertEnabled("voice", source)).not.toThrow();
  });

  it.each([
    ["config.plugins.enabled is false", { config: { plugins: { enabled: false } } }],
    ["disabledPlugins names it", { disabledPlugins: ["Voice"] }],
    ["enabledPlugins does not name it", { enabledPlugins: [] }],
    [
      "config.plugins.deny names it",
      { config: { plugins: { deny: ["VOICE"], allow: ["voice"] } } },
    ],
    ["config.plugins.allow does not name it", { config: { plugins: { allow: [] } } }],
    [
      "config.plugins.entries.voice.enabled is false",
      { config: { plugins: { entries: { Voice: { enabled: false } } } } },
    ],
  ])("keeps a plugin out when %s, and says so", (rule, source) => {
    expect(() => assertEnabled("voice", source)).toThrow(rule);
  });

  it.each([
    ["config.plugins", { plugins: [] }],
    ["config.plugins.enabled", { plugins: { enabled: "no" } }],
    ["config.plugins.allow", { plugins: { allow: "voice" } }],
    ["config.plugins.deny[0]", { plugins: { deny: ["*"] } }],
    ["config.plugins.entries", { plugins: { entries: [] } }],
    ["config.plugins.entries.voice", { plugins: { entries: { voice: true } } }],
    ["config.plugins.entries.voice.enabled", { plugins: { entries: { voice: { enabled: 0 } } } }],
  ])("lets nothing in while %s is wrong", (path, config) => {
    expect(() => assertEnabled("voice", { config })).toThrow(`${path} must be`);
  });

  it("reads no settings from the prototype of the entries", () => {
    const source = { config: { plugins: { entries: {} } } };
    expect(readPluginConfig("constructor", source)).toEqual({});
    expect(() => assertEnabled("constructor", source)).not.toThrow();
  });
});

describe("readPluginConfig", () => {
  it("gives the settings of the plugin, or an empty object", () => {
    const config = { plugins: { entries: { voice: { config: { loud: true } } } } };
    expect(readPluginConfig("voice", { config })).toEqual({ loud: true });
    expect(readPluginConfig("other", { config })).toEqual({});
  });

  it("names the place of settings that are no object", () => {
    const config = { plugins: { entries: { voice: { config: "loud" } } } };
    expect(() => readPluginConfig("voice", { config })).toThrow(
      "config.plugins.entries.voice.config must be an object",
    );
  });
});

describe("listNamedIds", () => {
  it("lists every id that somebody speaks of, with the place", () => {
    const config = { plugins: { allow: ["a"], deny: ["b", 1], entries: { c: {} } } };
    expect(listNamedIds({ config, enabledPlugins: ["d"] })).toEqual([
      { id: "d", place: "enabledPlugins" },
      { id: "a", place: "config.plugins.allow" },
      { id: "b", place: "config.plugins.deny" },
      { id: "c", place: "config.plugins.entries" },
    ]);
  });
});
