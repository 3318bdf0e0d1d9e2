// Claims 138 to 149 and 187 to 212 as far as they speak of policy; their examples are in
// policy-examples.test.ts.
import { createClawtools, extractToolSchemas } from "clawtools";
import JSON5 from "json5";
import { describe, expect, it } from "vitest";
import { filterToolsByPolicy } from "../../src/core/policy/compile.js";
import { normalizeToolName } from "../../src/core/policy/names.js";
import type { PolicyRequest } from "../../src/core/policy/tools.js";
import { compilePolicy, resolveEffectiveToolPolicy } from "../../src/toolkit/catalog.js";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import {
  all,
  BUILT_IN,
  CODING,
  leftBy,
  MESSAGING,
  plugin,
  policyOf,
  server,
} from "../policy/policy-of.js";

const agent = (tools: Record<string, unknown>) => ({ agents: { list: [{ id: "ada", tools }] } });
const ADA = { agentId: "ada" };

/** A group means the same in an allow list and in a deny list, but for what is denied `beside` it. */
function expectGroup(
  entry: string,
  names: readonly string[],
  beside: readonly string[] = [],
): void {
  const inOrder = all().filter((name) => names.includes(name));
  expect(leftBy({ config: { tools: { allow: [entry] } } }), `allow ${entry}`).toEqual(inOrder);
  expect(leftBy({ config: { tools: { deny: [entry] } } }), `deny ${entry}`).toEqual(
    all(...names, ...beside),
  );
}

describe("policy (seed 001)", () => {
  it("138 · `resolveEffectiveToolPolicy()`", () => {
    expect(resolveEffectiveToolPolicy).toBe(compilePolicy);
    const policy = resolveEffectiveToolPolicy({
      config: { tools: { profile: "coding", deny: ["exec"] } },
      tools: BUILT_IN,
      request: {},
    });
    expect(policy.allows("read")).toBe(true);
    expect(policy.decide("exec")).toMatchObject({ allowed: false, rule: 'tools.deny[0] "exec"' });
  });

  it("139 · `filterToolsByPolicy()`", () => {
    const policy = policyOf({ config: { tools: { allow: ["group:fs"], deny: ["edit"] } } });
    const tools = ["write", "exec", "edit", "read"].map((name) => ({ name, extra: Symbol(name) }));
    const left = filterToolsByPolicy(tools, policy);
    expect(left).toHaveLength(2);
    expect(left[0]).toBe(tools[0]);
    expect(left[1]).toBe(tools[3]);
  });

  it.each([
    ["  Exec ", "exec"],
    ["bash", "exec"],
    ["BASH", "exec"],
    ["apply-patch", "apply_patch"],
    ["Apply_Patch", "apply_patch"],
    ["session_status", "session_status"],
    ["", ""],
  ])("140 · `normalizeToolName()`: %j is %j", (name, expected) => {
    expect(normalizeToolName(name)).toBe(expected);
  });

  it.each<[gate: string, layer: string, config: Record<string, unknown>, request: PolicyRequest]>([
    ["global", "global", { tools: { deny: ["read"] } }, {}],
    ["per-agent", "agent", agent({ deny: ["read"] }), ADA],
    [
      "per-provider",
      "global-provider",
      { tools: { byProvider: { google: { deny: ["read"] } } } },
      { provider: "google" },
    ],
    [
      "group",
      "group",
      { channels: { slack: { groups: { C01: { tools: { deny: ["read"] } } } } } },
      { channel: "slack", groupId: "C01" },
    ],
    [
      "sandbox",
      "sandbox",
      { tools: { sandbox: { tools: { deny: ["read"] } } } },
      { sandboxed: true },
    ],
    [
      "subagent",
      "subagent",
      { tools: { subagents: { tools: { deny: ["read"] } } } },
      { subagent: "leaf" },
    ],
  ])(
    "141 · gates: global, per-agent, per-provider, group, sandbox, subagent: %s",
    (_gate, layer, config, request) => {
      expect(policyOf({ config, request }).decide("read")).toMatchObject({ allowed: false, layer });
      expect(policyOf({ config: {}, request }).decide("read")).toEqual({ allowed: true });
    },
  );

  it("142 · name seen by the model = name executed; unknown name fails", () => {
    const policy = policyOf({});
    expect(policy.decide("read")).toEqual({ allowed: true });
    expect(policy.decide("reed")).toEqual({
      allowed: false,
      layer: "catalog",
      rule: '"reed"',
      reason: 'no tool is called "reed"',
    });
  });

  it("144 · sandbox default allow: bash process read write edit sessions_list/history/send/spawn", () => {
    const left = leftBy({ request: { sandboxed: true } });
    const claimed = ["exec", "process", "read", "write", "edit"];
    const sessions = ["sessions_list", "sessions_history", "sessions_send", "sessions_spawn"];
    const decided = ["apply_patch", "grep", "find", "ls", "image", "session_status"];
    const expected = [...claimed, ...sessions, ...decided];
    expect(left).toEqual(all().filter((name) => expected.includes(name)));
    expect(policyOf({ request: { sandboxed: true } }).allows("bash")).toBe(true);
  });

  it("145 · sandbox default deny: browser canvas nodes cron discord gateway", () => {
    const more = plugin("discord", "discord");
    // Everything is allowed, so that only the default denials are left to remove something.
    const config = { tools: { sandbox: { tools: { allow: ["*"] } } } };
    const policy = policyOf({ config, request: { sandboxed: true }, more });
    for (const name of ["browser", "canvas", "nodes", "cron", "discord", "gateway"]) {
      expect(policy.decide(name)).toMatchObject({
        layer: "sandbox",
        rule: `tools.sandbox.tools.deny (default) "${name}"`,
      });
    }
    expect(policy.allows("web_fetch")).toBe(true);
  });

  it.each<[allowed: boolean, provider: string, model: string | undefined]>([
    [true, "openai", "gpt-5.2"],
    [true, "OpenAI", undefined],
    [true, "openai-codex", "gpt-5.2-codex"],
    [true, "azure-openai", "gpt-5.2"],
    [true, "openrouter", "openai/gpt-5.2"],
    [false, "openrouter", "anthropic/claude-opus-4-6"],
    [false, "anthropic", "claude-opus-4-6"],
    [false, "google", undefined],
  ])("149 · apply_patch only for OpenAI/Codex models: %s for %s %s", (allowed, provider, model) => {
    const request = { provider, ...(model ? { model } : {}) };
    expect(policyOf({ request }).allows("apply_patch")).toBe(allowed);
    expect(policyOf({ request }).allows("edit")).toBe(true);
  });
});

describe("policy (seeds 003, 004)", () => {
  it("187 · `tools.allow` / `tools.deny` global, deny wins", () => {
    const config = { tools: { allow: ["read", "exec"], deny: ["exec"] } };
    expect(leftBy({ config })).toEqual(["read"]);
  });

  it("188 · denied tools are not sent to the provider", () => {
    const { tools } = createClawtools({ catalog: "all" });
    const bridge = createMemoryBridge({});
    const resolved = tools.resolveAll({ root: "/project", bridge });
    const policy = policyOf({ config: { tools: { deny: ["browser", "group:runtime"] } } });
    const sent = extractToolSchemas(filterToolsByPolicy(resolved, policy)).map(({ name }) => name);
    expect(sent).toEqual(all("browser", "exec", "process"));
  });

  it("189 · case-insensitive", () => {
    const config = { tools: { allow: ["READ", " Exec "], deny: ["eXeC"] } };
    expect(leftBy({ config })).toEqual(["read"]);
    expect(policyOf({ config }).allows("Read")).toBe(true);
  });

  it.each([
    ["*", all()],
    ["web_*", ["web_search", "web_fetch"]],
    ["*_search", ["web_search", "memory_search"]],
    ["sessions_*s*t*", ["sessions_list", "sessions_history"]],
    ["*e*a*y", ["gateway"]],
  ])("190 · `*` wildcards: %s", (pattern, names) => {
    expectGroup(pattern, names);
  });

  it("191 · allow with only unknown/unloaded plugin names: warn and ignore the allowlist", () => {
    const policy = policyOf({ config: { tools: { allow: ["weather_report", "telegram"] } } });
    expect(policy.warnings).toMatchObject([
      { severity: "warning", code: "allow_ignored", path: "tools.allow" },
    ]);
    expect(leftBy({ config: { tools: { allow: ["weather_report", "telegram"] } } })).toEqual(all());
  });

  it("192 · `tools.profile` base allowlist before allow/deny", () => {
    const config = { tools: { profile: "coding", allow: ["read", "browser"] } };
    expect(leftBy({ config })).toEqual(["read"]);
    expect(policyOf({ config }).decide("browser")).toMatchObject({ layer: "profile" });
    expect(policyOf({ config }).decide("exec")).toMatchObject({ layer: "global" });
  });

  it("193 · `agents.list[].tools.profile` overrides", () => {
    const config = { tools: { profile: "minimal" }, ...agent({ profile: "coding" }) };
    expect(new Set(leftBy({ config, request: ADA }))).toEqual(new Set(CODING));
    expect(leftBy({ config, request: { agentId: "other" } })).toEqual(["session_status"]);
  });

  it.each([
    ["minimal", ["session_status"]],
    ["coding", CODING],
    ["messaging", MESSAGING],
    ["full", all()],
    [undefined, all()],
  ])("194 · profile minimal, coding, messaging, full = unset: %s", (profile, names) => {
    const config = { tools: profile === undefined ? {} : { profile } };
    expect(new Set(leftBy({ config }))).toEqual(new Set(names));
  });

  it("198 · `tools.byProvider` narrows", () => {
    const byProvider = { openai: { allow: ["read", "exec", "browser"] } };
    const config = { tools: { profile: "coding", byProvider } };
    expect(leftBy({ config, request: { provider: "openai" } })).toEqual(["read", "exec"]);
    expect(leftBy({ config, request: {} })).toHaveLength(CODING.length);
  });

  it("199 · `agents.list[].tools.byProvider`", () => {
    const config = agent({ byProvider: { openai: { deny: ["group:fs"] } } });
    const fs = ["read", "write", "edit", "apply_patch", "grep", "find", "ls"];
    expect(leftBy({ config, request: { ...ADA, provider: "openai" } })).toEqual(all(...fs));
    expect(leftBy({ config, request: { provider: "openai" } })).toEqual(all());
  });

  it("200 · keys `provider` or `provider/model`", () => {
    const byProvider = { openai: { allow: ["read"] }, "openai/gpt-5.2": { allow: ["write"] } };
    const config = { tools: { byProvider } };
    const left = (request: PolicyRequest) => leftBy({ config, request });
    expect(left({ provider: "openai", model: "gpt-4.1" })).toEqual(["read"]);
    expect(left({ provider: "openai", model: "gpt-5.2" })).toEqual(["write"]);
    expect(left({ model: "openai/gpt-5.2" })).toEqual(["write"]);
    expect(left({ provider: "openai", model: "openai/gpt-5.2" })).toEqual(["write"]);
    expect(left({ provider: "OpenAI", model: "GPT-5.2" })).toEqual(["write"]);
  });

  it("201 · applied after profile and *before* allow/deny", () => {
    const config = {
      tools: { profile: "coding", deny: ["*"], byProvider: { openai: { deny: ["*"] } } },
    };
    const policy = policyOf({ config, request: { provider: "openai" } });
    expect(policy.decide("browser")).toMatchObject({ layer: "profile" });
    expect(policy.decide("read")).toMatchObject({ layer: "global-provider" });
    expect(policy.layers.map(({ id }) => id)).toEqual([
      "profile",
      "model",
      "global-provider",
      "global",
    ]);
  });

  it.each<[place: string, config: Record<string, unknown>, request: PolicyRequest]>([
    ["global", { tools: { allow: ["group:memory"] } }, {}],
    ["agent", agent({ allow: ["group:memory"] }), ADA],
    [
      "sandbox",
      { tools: { sandbox: { tools: { allow: ["group:memory"] } } } },
      { sandboxed: true },
    ],
  ])("205 · groups in global, agent, sandbox policy: %s", (_place, config, request) => {
    expect(leftBy({ config, request })).toEqual(["memory_search", "memory_get"]);
  });

  it("206 · group:runtime = exec, bash, process", () => {
    expectGroup("group:runtime", ["exec", "process"]);
    expect(policyOf({ config: { tools: { deny: ["group:runtime"] } } }).allows("bash")).toBe(false);
    expectGroup("bash", ["exec"]);
  });

  it("207 · group:fs incl. apply_patch", () => {
    expectGroup("group:fs", ["read", "write", "edit", "apply_patch"], ["grep", "find", "ls"]);
  });

  it("208 · group:sessions (5 ids): here with subagents", () => {
    const five = ["sessions_list", "sessions_history", "sessions_send", "sessions_spawn"];
    expectGroup("group:sessions", [...five, "session_status", "subagents"]);
  });

  it.each([
    ["group:memory", ["memory_search", "memory_get"]],
    ["group:web", ["web_search", "web_fetch"]],
    ["group:ui", ["browser", "canvas"]],
    ["group:automation", ["cron", "gateway"]],
    ["group:messaging", ["message"]],
    ["group:nodes", ["nodes"]],
    ["group:agents", ["agents_list"]],
    ["group:media", ["image", "tts"]],
  ])("209 · group:memory, web, ui, automation, messaging, nodes: %s", (group, names) => {
    expectGroup(group, names);
  });

  it.each(["group:openclaw", "group:clawdbot"])(
    "210 · group:openclaw / group:clawdbot = all built-ins, no provider plugins: %s",
    (group) => {
      const more = [...plugin("voice", "voice_call"), ...server("github", "list_issues")];
      expect(leftBy({ config: { tools: { allow: [group] } }, more })).toEqual(all());
      expect(leftBy({ config: { tools: { deny: [group] } }, more })).toEqual([
        "voice_call",
        "list_issues",
      ]);
    },
  );

  it("212 · config in `clawdbot.json` / `openclaw.json`, JSON5", () => {
    const config = JSON5.parse("{ tools: { allow: ['read', 'exec',], deny: ['exec'], }, } // end");
    expect(leftBy({ config })).toEqual(["read"]);
  });
});
