// Malformed config: an error that names the place, and a layer that nothing passes.
import { describe, expect, it } from "vitest";
import type { PolicyRequest } from "../../src/core/policy/tools.js";
import { all, leftBy, policyOf } from "./policy-of.js";

const ALL_AT_ONCE: PolicyRequest = {
  agentId: "ada",
  provider: "openai",
  model: "gpt-5.2",
  channel: "slack",
  groupId: "C01",
  sender: { id: "U1" },
  sandboxed: true,
  subagent: "leaf",
};

const tools = (value: unknown) => ({ tools: value });
const agentTools = (value: unknown) => ({ agents: { list: [{ id: "ada", tools: value }] } });
const channel = (value: unknown) => ({ channels: { slack: value } });

const CLOSED: [path: string, layer: string, config: Record<string, unknown>][] = [
  ["tools", "global", tools(5)],
  ["tools", "global", tools(null)],
  ["tools", "global", tools([])],
  ["tools.profile", "profile", tools({ profile: 5 })],
  ["tools.profile", "profile", tools({ profile: "codign" })],
  ["tools.profile", "profile", tools({ profile: "constructor" })],
  ["tools.profile", "profile", tools({ profile: null })],
  ["tools.allow", "global", tools({ allow: "read" })],
  ["tools.allow", "global", tools({ allow: null })],
  ["tools.allow", "global", tools({ allow: {} })],
  ["tools.allow[1]", "global", tools({ allow: ["*", 5] })],
  ["tools.deny", "global", tools({ deny: "exec" })],
  ["tools.deny[0]", "global", tools({ deny: [null] })],
  ["tools.alsoAllow", "global", tools({ alsoAllow: true })],
  ["tools.byProvider", "global-provider", tools({ byProvider: [] })],
  ["tools.byProvider.openai", "global-provider", tools({ byProvider: { openai: "minimal" } })],
  [
    'tools.byProvider["openai/gpt-5.2"].allow',
    "global-provider",
    tools({ byProvider: { "openai/gpt-5.2": { allow: 1 } } }),
  ],
  [
    "tools.byProvider.openai.profile",
    "provider-profile",
    tools({ byProvider: { openai: { profile: [] } } }),
  ],
  ["tools.byProvider", "global-provider", tools({ byProvider: { OpenAI: {}, OPENAI: {} } })],
  ["agents", "agent", { agents: [] }],
  ["agents.list", "agent", { agents: { list: {} } }],
  ["agents.list[0]", "agent", { agents: { list: [5] } }],
  ["agents.list[0]", "agent", { agents: { list: [{ tools: { deny: ["exec"] } }] } }],
  ["agents.list[1]", "agent", { agents: { list: [{ id: "ada" }, { id: "Ada" }] } }],
  ["agents.list[0].tools", "agent", agentTools("coding")],
  ["agents.list[0].tools.profile", "profile", agentTools({ profile: {} })],
  ["agents.list[0].tools.deny", "agent", agentTools({ deny: {} })],
  ["agents.list[0].tools.byProvider", "agent-provider", agentTools({ byProvider: 1 })],
  ["channels", "group", { channels: [] }],
  ["channels.slack", "group", channel(5)],
  ["channels.slack.groups", "group", channel({ groups: [] })],
  ["channels.slack.groups.C01", "group", channel({ groups: { C01: true } })],
  ["channels.slack.groups.C01.tools", "group", channel({ groups: { C01: { tools: [] } } })],
  ['channels.slack.groups["*"].tools', "group", channel({ groups: { "*": { tools: [] } } })],
  [
    "channels.slack.groups.C01.toolsBySender",
    "group",
    channel({ groups: { C01: { toolsBySender: 5 } } }),
  ],
  ["tools.toolsBySender", "sender", tools({ toolsBySender: [] })],
  [
    'tools.toolsBySender["id:u1"].deny',
    "sender",
    tools({ toolsBySender: { "id:u1": { deny: 1 } } }),
  ],
  ["tools.sandbox", "sandbox", tools({ sandbox: 1 })],
  ["tools.sandbox.tools", "sandbox", tools({ sandbox: { tools: [] } })],
  [
    "agents.list[0].tools.sandbox.tools.deny",
    "sandbox",
    agentTools({ sandbox: { tools: { deny: 1 } } }),
  ],
  ["tools.subagents.tools", "subagent", tools({ subagents: { tools: "none" } })],
];

describe("a malformed value", () => {
  it.each(CLOSED)("at %s closes the layer %s: %j", (path, layer, config) => {
    const policy = policyOf({ config, request: ALL_AT_ONCE });
    expect(policy.warnings).toContainEqual(
      expect.objectContaining({ severity: "error", code: "malformed", path }),
    );
    expect(policy.layers).toContainEqual(expect.objectContaining({ id: layer, state: "closed" }));
    expect(leftBy({ config, request: ALL_AT_ONCE })).toEqual([]);
    const decision = policy.decide("read");
    if (decision.allowed) throw new Error("read passed a closed layer");
    expect(decision.layer).toBe(layer);
    expect(decision.reason).toContain("until then nothing passes");
  });

  it("is told even when this request does not need it, but then closes nothing", () => {
    const config = {
      tools: { byProvider: [], sandbox: 5, subagents: [], toolsBySender: 1 },
      agents: 5,
      channels: [],
    };
    const policy = policyOf({ config });
    expect(policy.warnings.map(({ path }) => path).sort()).toEqual([
      "agents",
      "channels",
      "tools.byProvider",
      "tools.sandbox",
      "tools.subagents",
      "tools.toolsBySender",
    ]);
    expect(leftBy({ config })).toEqual(all());
  });

  it("of exec closes apply_patch for every request, because it could have been switched off", () => {
    const left = leftBy({ config: { tools: { exec: 5 } } });
    expect(all().filter((name) => !left.includes(name))).toEqual(["apply_patch"]);
  });

  it("that is undefined is as good as absent", () => {
    const config = {
      tools: { profile: undefined, allow: undefined, deny: undefined, byProvider: undefined },
      agents: undefined,
      channels: undefined,
    };
    expect(leftBy({ config, request: { agentId: "ada", provider: "openai" } })).toEqual(all());
    expect(policyOf({ config }).warnings).toEqual([]);
  });

  it("names the nearest profile", () => {
    const { warnings } = policyOf({ config: { tools: { profile: "codign" } } });
    expect(warnings[0]?.message).toContain('perhaps "coding"');
  });

  it("in the cap of the caller leaves nothing", () => {
    const request: PolicyRequest = JSON.parse('{ "toolsAllow": "read" }');
    const policy = policyOf({ request });
    expect(leftBy({ request })).toEqual([]);
    expect(policy.warnings).toMatchObject([{ severity: "error", path: "toolsAllow" }]);
  });

  it.each([
    ["tools.exec.applyPatch", { exec: { applyPatch: true } }],
    ["tools.exec", { exec: [] }],
    ["tools.exec.applyPatch.enabled", { exec: { applyPatch: { enabled: "yes" } } }],
    ["tools.exec.applyPatch.allowModels", { exec: { applyPatch: { allowModels: "gpt-5.2" } } }],
  ])("at %s takes apply_patch away and nothing else", (path, config) => {
    const request = { provider: "openai", model: "gpt-5.2" };
    const policy = policyOf({ config: { tools: config }, request });
    expect(policy.warnings).toMatchObject([{ severity: "error", code: "malformed", path }]);
    expect(leftBy({ config: { tools: config }, request })).toEqual(all("apply_patch"));
  });

  it.each([[null], [[]], ["tools"]])("of the whole config closes everything: %j", (config) => {
    const given: Record<string, unknown> = JSON.parse(JSON.stringify(config));
    const policy = policyOf({ config: given });
    expect(policy.allows("read")).toBe(false);
    expect(policy.warnings).toMatchObject([{ severity: "error", path: "config" }]);
    expect(policy.decide("read")).toHaveProperty("restore", {});
  });
});
