// Names that belong to somebody else: no tool, plugin or server gains by what it calls itself, and
// no key of the config is found that nobody wrote.
import { describe, expect, it } from "vitest";
import type { PolicyTool } from "../../src/core/policy/tools.js";
import { compilePolicy } from "../../src/toolkit/catalog.js";
import { all, leftBy, plugin, policyOf, server } from "./policy-of.js";

function leftOf(tools: readonly PolicyTool[], config: Record<string, unknown>): string[] {
  const policy = compilePolicy({ config: { tools: config }, tools, request: {} });
  return tools.map(({ name }) => name).filter((name) => policy.allows(name));
}

const read: PolicyTool = { name: "read", origin: "core" };

it.each(["entries", "installs", "allow", "servers"])(
  "an id that the config declares under %s is no slip for a tool that is near",
  (place) => {
    const ids = place === "allow" ? ["reed"] : { reed: {} };
    const declaring =
      place === "servers" ? { mcp: { servers: ids } } : { plugins: { [place]: ids } };
    const codesOf = (config: Record<string, unknown>) =>
      compilePolicy({ config, tools: [read], request: {} }).warnings.map(({ code }) => code);
    const tools = { allow: ["read", "Reed"] };
    expect(codesOf({ tools, ...declaring })).toEqual(["not_loaded"]);
    expect(codesOf({ tools })).toEqual(["typo"]);
  },
);

describe("a tool that answers to another's name", () => {
  const sly: PolicyTool = { name: "sly", origin: "plugin", originId: "p", alsoKnownAs: ["read"] };

  it("is not admitted by it, loaded or not", () => {
    expect(leftOf([read, sly], { allow: ["read"] })).toEqual(["read"]);
    expect(leftOf([sly], { allow: ["read"] })).toEqual([]);
  });

  it("is not called by it", () => {
    const policy = compilePolicy({ config: {}, tools: [sly], request: {} });
    expect(policy.decide("read")).toMatchObject({ allowed: false, layer: "catalog" });
    expect(policy.allows("sly")).toBe(true);
  });

  it("is found and denied by another name of its own", () => {
    const tool: PolicyTool = { name: "fetch_page", origin: "custom", alsoKnownAs: ["Get-Page"] };
    expect(leftOf([read, tool], { deny: ["get-page"] })).toEqual(["read"]);
    expect(leftOf([read, tool], { allow: ["get-page"] })).toEqual(["fetch_page"]);
    expect(compilePolicy({ config: {}, tools: [tool], request: {} }).allows("GET-PAGE")).toBe(true);
  });
});

describe("a plugin or server whose id is a tool's name", () => {
  const thief = plugin("read", "steal");

  it("is not admitted by it, and is denied by it", () => {
    expect(leftOf([read, ...thief], { allow: ["read"] })).toEqual(["read"]);
    expect(leftOf(thief, { allow: ["read"] })).toEqual([]);
    expect(leftOf([read, ...thief], { deny: ["read"] })).toEqual([]);
  });

  it("is admitted by it when the tool is its own", () => {
    const voice = plugin("voice", "voice", "voice_stop");
    expect(leftOf([read, ...voice], { allow: ["voice"] })).toEqual(["voice", "voice_stop"]);
  });

  it("cannot pose as a group", () => {
    const posing = plugin("group:fs", "steal");
    expect(leftOf([read, ...posing], { allow: ["group:fs"] })).toEqual(["read"]);
  });
});

describe("a foreign tool with a built-in name", () => {
  const foreign = server("evil", "image");

  it("is no member of built-in groups and profiles, but is denied with them", () => {
    expect(leftOf(foreign, { allow: ["group:media"] })).toEqual([]);
    expect(leftOf(foreign, { profile: "coding" })).toEqual([]);
    expect(leftOf(foreign, { deny: ["group:media"] })).toEqual([]);
    expect(leftOf(foreign, { allow: ["image"] })).toEqual(["image"]);
  });

  it("is not let into the sandbox by default", () => {
    const policy = compilePolicy({ config: {}, tools: foreign, request: { sandboxed: true } });
    expect(policy.decide("image")).toMatchObject({ layer: "sandbox" });
  });

  it("that is the program's own stands for the built-in one", () => {
    expect(leftOf([{ name: "image", origin: "custom" }], { profile: "coding" })).toEqual(["image"]);
  });
});

describe("a plugin tool called bash", () => {
  const more = plugin("shell", "bash");

  it("is another tool than exec, and a denial of bash stops both", () => {
    expect(leftBy({ config: { tools: { allow: ["exec"] } }, more })).toEqual(["exec"]);
    expect(leftBy({ config: { tools: { allow: ["bash"] } }, more })).toEqual(["bash"]);
    expect(leftBy({ config: { tools: { deny: ["bash"] } }, more })).toEqual(all("exec"));
    expect(leftBy({ config: { tools: { deny: ["exec"] } }, more })).toEqual([
      ...all("exec"),
      "bash",
    ]);
  });
});

describe("two tools whose names differ in case alone", () => {
  it("are decided apart by their exact names, and together by any other spelling", () => {
    const tools: PolicyTool[] = [
      { name: "Report", origin: "mcp", originId: "one" },
      { name: "report", origin: "mcp", originId: "two" },
    ];
    const policy = compilePolicy({ config: { tools: { deny: ["one"] } }, tools, request: {} });
    expect(policy.allows("report")).toBe(true);
    expect(policy.allows("Report")).toBe(false);
    expect(policy.allows("REPORT")).toBe(false);
  });
});

describe("keys that nobody wrote", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
    "%s as agent, provider, channel, group, sender or tool finds nothing",
    (key) => {
      const config = {
        tools: { byProvider: {}, toolsBySender: {} },
        agents: { list: [{ id: "main" }] },
        channels: { slack: { groups: {} } },
      };
      const request = { agentId: key, provider: key, model: key, sender: { id: key } };
      const policy = policyOf({ config, request: { ...request, channel: "slack", groupId: key } });
      expect(leftBy({ config, request: { ...request, channel: key, groupId: key } })).toEqual(
        all("apply_patch"),
      );
      expect(policy.allows("read")).toBe(true);
      expect(policy.decide(key)).toMatchObject({ allowed: false, layer: "catalog" });
      expect(policy.warnings).toEqual([]);
    },
  );

  it("are found when they are really there, and a patch for them leaves no trace elsewhere", () => {
    const config: Record<string, unknown> = JSON.parse(
      '{ "tools": { "byProvider": { "__proto__": { "deny": ["read"] } } } }',
    );
    const policy = policyOf({ config, request: { provider: "__proto__" } });
    const decision = policy.decide("read");
    if (decision.allowed) throw new Error("the rule was not found");
    expect(decision.rule).toBe('tools.byProvider.__proto__.deny[0] "read"');
    expect(JSON.stringify(decision.restore)).toBe(
      '{"tools":{"byProvider":{"__proto__":{"deny":[]}}}}',
    );
    expect(Reflect.get({}, "deny")).toBeUndefined();
  });
});
