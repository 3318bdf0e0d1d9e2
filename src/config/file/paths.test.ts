// Who names the place of the config, and in which order they are heard.

import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type ConfigPlace, configPath, stateDir } from "../index.js";

const HOME = resolve("/home/ada");
const CWD = resolve("/project");

const place = (given: Partial<ConfigPlace> = {}): ConfigPlace => ({
  env: {},
  homeDir: HOME,
  cwd: CWD,
  ...given,
});

describe("configPath", () => {
  const env = { CLAWTOOLS_CONFIG_PATH: "other.json", CLAWTOOLS_STATE_DIR: "state" };

  it.each([
    ["--config before all", { path: "mine.json", env }, join(CWD, "mine.json")],
    ["CLAWTOOLS_CONFIG_PATH next", { env }, join(CWD, "other.json")],
    [
      "CLAWTOOLS_STATE_DIR moves the folder",
      { env: { CLAWTOOLS_STATE_DIR: "state" } },
      join(CWD, "state/clawtools.json"),
    ],
    ["else the home folder", {}, join(HOME, ".clawtools/clawtools.json")],
    [
      "empty is not given",
      { path: "", env: { CLAWTOOLS_CONFIG_PATH: " " } },
      join(HOME, ".clawtools/clawtools.json"),
    ],
    ["~ is the home folder", { path: "~/c.json" }, join(HOME, "c.json")],
    ["~name is a plain name", { path: "~ada" }, join(CWD, "~ada")],
    ["an absolute path stays", { path: "/etc/../etc/c.json" }, resolve("/etc/c.json")],
    [
      "an inherited variable is none",
      { env: Object.create(env) },
      join(HOME, ".clawtools/clawtools.json"),
    ],
  ])("%s", (_rule, given, expected) => {
    expect(configPath(place(given))).toBe(expected);
  });

  it("says what to set when there is no home folder", () => {
    expect(() => configPath(place({ homeDir: undefined }))).toThrow(/CLAWTOOLS_CONFIG_PATH/);
    expect(() => configPath(place({ homeDir: undefined, path: "~/x" }))).toThrow(/home folder/);
  });
});

describe("stateDir", () => {
  it.each([
    ["the variable", { env: { CLAWTOOLS_STATE_DIR: "~/state" } }, join(HOME, "state")],
    ["the home folder", {}, join(HOME, ".clawtools")],
    ["never the place of the config file", { path: "/etc/c.json" }, join(HOME, ".clawtools")],
  ])("is named by %s", (_rule, given, expected) => {
    expect(stateDir(place(given))).toBe(expected);
  });

  it("is not looked for in a home folder that is no absolute path", () => {
    expect(() => stateDir(place({ homeDir: "home" }))).toThrow(/not an absolute path; set HOME/);
    expect(() => configPath(place({ homeDir: ".", path: "~/x" }))).toThrow(/set HOME/);
    expect(configPath(place({ homeDir: "home", path: "/etc/c.json" }))).toBe("/etc/c.json");
  });

  it("says what to set when there is no home folder", () => {
    expect(() => stateDir(place({ homeDir: "" }))).toThrow(/CLAWTOOLS_STATE_DIR/);
  });
});
