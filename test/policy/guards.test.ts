// The layers of sandbox, owner, sub-agent, caller and model.
import { describe, expect, it } from "vitest";
import { LAYER_IDS } from "../../src/core/policy/layer.js";
import type { PolicyRequest } from "../../src/core/policy/tools.js";
import { all, leftBy, plugin, policyOf, server } from "./policy-of.js";

const SANDBOX = { sandboxed: true };
const SANDBOX_TOOLS = [
  ...["read", "write", "edit", "apply_patch", "grep", "find", "ls", "exec", "process"],
  ...["sessions_list", "sessions_history", "sessions_send", "sessions_spawn"],
  ...["session_status", "image"],
];
const sandbox = (tools: Record<string, unknown>) => ({ tools: { sandbox: { tools } } });
const inOrder = (...names: string[]) => all().filter((name) => names.includes(name));

it("all layers are asked in one order, and each says where it is written", () => {
  const lists = { deny: ["tts"] };
  const scope = {
    profile: "coding",
    ...lists,
    byProvider: { openai: { profile: "coding", ...lists } },
  };
  const config = {
    tools: { ...scope, toolsBySender: { "id:7": lists } },
    agents: { list: [{ id: "ada", tools: scope }] },
    channels: { slack: { groups: { C01: { tools: { allow: ["read"] } } } } },
  };
  const request: PolicyRequest = {
    agentId: "ada",
    provider: "openai",
    channel: "slack",
    groupId: "C01",
    sender: { id: "7" },
    sandboxed: true,
    owner: false,
    subagent: "leaf",
    toolsAllow: ["read"],
  };
  const { layers } = policyOf({ config, request });
  expect(layers.map(({ id, source }) => `${id}: ${source}`)).toEqual([
    "profile: agents.list[0].tools.profile",
    "model: tools.exec.applyPatch",
    "provider-profile: agents.list[0].tools.byProvider.openai.profile",
    "global-provider: tools.byProvider.openai",
    "global: tools",
    "agent-provider: agents.list[0].tools.byProvider.openai",
    "agent: agents.list[0].tools",
    "group: channels.slack.groups.C01.tools",
    'sender: tools.toolsBySender["id:7"]',
    "sandbox: tools.sandbox.tools",
    "owner: owner",
    "subagent: tools.subagents.tools",
    "runtime: toolsAllow",
  ]);
  expect(layers.map(({ id }) => id)).toEqual(LAYER_IDS.slice(1));
  expect(layers[7]).toEqual({
    id: "group",
    source: "channels.slack.groups.C01.tools",
    state: "filters",
    allow: ["read"],
  });
  expect(layers[4]).toMatchObject({ id: "global", deny: ["tts"] });
});

describe("the sandbox layer", () => {
  it("is there only for a sandboxed request", () => {
    expect(leftBy({ request: SANDBOX })).toEqual(SANDBOX_TOOLS);
    expect(leftBy({ request: { sandboxed: false } })).toEqual(all());
  });

  it("has an allow list that a configured one replaces", () => {
    expect(leftBy({ config: sandbox({ allow: ["read", "tts"] }), request: SANDBOX })).toEqual([
      "read",
      "tts",
    ]);
  });

  it("adds with alsoAllow to its defaults", () => {
    const config = sandbox({ alsoAllow: ["tts"] });
    expect(leftBy({ config, request: SANDBOX })).toEqual(inOrder(...SANDBOX_TOOLS, "tts"));
  });

  it("lifts a default denial when the tool or its group is named, and for nothing less", () => {
    const left = (lists: Record<string, unknown>) =>
      leftBy({ config: sandbox(lists), request: SANDBOX });
    expect(left({ alsoAllow: ["browser"] })).toEqual(inOrder(...SANDBOX_TOOLS, "browser"));
    expect(left({ allow: ["group:ui"] })).toEqual(["browser", "canvas"]);
    expect(left({ allow: ["*"] })).toEqual(all("browser", "canvas", "nodes", "cron", "gateway"));
    expect(left({ allow: ["b*"] })).toEqual([]);
    expect(left({ alsoAllow: ["browser"], deny: ["browser"] })).toEqual(SANDBOX_TOOLS);
  });

  it("keeps its default denials beside configured ones, so that a denial never opens anything", () => {
    const left = leftBy({ config: sandbox({ allow: ["*"], deny: ["exec"] }), request: SANDBOX });
    expect(left).toEqual(all("exec", "browser", "canvas", "nodes", "cron", "gateway"));
  });

  it("takes the agent's allow list for the global one, and both their denials", () => {
    const agents = {
      list: [
        { id: "ada", tools: { sandbox: { tools: { allow: ["read", "exec"], deny: ["tts"] } } } },
      ],
    };
    const config = { ...sandbox({ allow: ["write"], deny: ["exec"] }), agents };
    expect(leftBy({ config, request: { ...SANDBOX, agentId: "ada" } })).toEqual(["read"]);
    expect(leftBy({ config, request: SANDBOX })).toEqual(["write"]);
  });

  it("offers no tool of a channel, plugin or server by default", () => {
    const more = [...plugin("slack", "slack"), ...plugin("voice", "voice_call")];
    expect(leftBy({ request: SANDBOX, more })).toEqual(SANDBOX_TOOLS);
  });
});

describe("the owner layer", () => {
  it("removes what is for the owner alone from everybody else", () => {
    expect(leftBy({ request: { owner: false } })).toEqual(all("cron", "gateway", "nodes"));
    expect(leftBy({ request: { owner: true } })).toEqual(all());
    expect(leftBy({})).toEqual(all());
  });

  it("offers no patch: no config makes an owner", () => {
    const decision = policyOf({ request: { owner: false } }).decide("cron");
    expect(decision).toEqual({
      allowed: false,
      layer: "owner",
      rule: "owner",
      reason: "for the owner alone, and this caller is not the owner",
    });
  });
});

describe("the sub-agent layer", () => {
  const ALWAYS = [
    ...["gateway", "agents_list", "session_status", "cron", "message", "sessions_send"],
  ];
  const LEAF = [...ALWAYS, "subagents", "sessions_list", "sessions_history", "sessions_spawn"];

  it.each<[NonNullable<PolicyRequest["subagent"]>, string[]]>([
    ["orchestrator", ALWAYS],
    ["leaf", LEAF],
  ])("removes by default from %s: %j", (subagent, removed) => {
    expect(leftBy({ request: { subagent } })).toEqual(all(...removed));
  });

  it("takes a kind it does not know for a leaf", () => {
    const request: PolicyRequest = JSON.parse('{ "subagent": "boss" }');
    expect(leftBy({ request })).toEqual(all(...LEAF));
  });

  it("narrows by tools.subagents.tools, and brings back what is named there", () => {
    const left = (tools: Record<string, unknown>) =>
      leftBy({ config: { tools: { subagents: { tools } } }, request: { subagent: "leaf" } });
    expect(left({ deny: ["exec"] })).toEqual(all(...LEAF, "exec"));
    expect(left({ allow: ["read", "cron"] })).toEqual(["read", "cron"]);
    expect(left({ alsoAllow: ["message"] })).toEqual(
      all(...LEAF.filter((name) => name !== "message")),
    );
    expect(left({ allow: ["*"] })).toEqual(all(...LEAF));
  });
});

describe("the caller's cap", () => {
  it.each<[toolsAllow: string[], left: string[]]>([
    [[], []],
    [["read"], ["read"]],
    [
      ["group:web", "BASH"],
      ["exec", "web_search", "web_fetch"],
    ],
    [["*"], all()],
    [["weather"], []],
    [["raed"], []],
  ])("%j leaves %j", (toolsAllow, left) => {
    expect(leftBy({ request: { toolsAllow } })).toEqual(left);
  });

  it("never adds, and no config lifts it", () => {
    const request = { toolsAllow: ["read", "exec"] };
    const config = { tools: { deny: ["exec"] } };
    expect(leftBy({ config, request })).toEqual(["read"]);
    expect(policyOf({ config, request }).decide("write")).toEqual({
      allowed: false,
      layer: "runtime",
      rule: "toolsAllow",
      reason: "not named by toolsAllow, the cap of this call",
    });
    expect(
      policyOf({ config: { tools: { deny: ["write"] } }, request }).decide("write"),
    ).toMatchObject({ layer: "global", restore: undefined });
  });
});

describe("the model layer", () => {
  const patch = (applyPatch: Record<string, unknown>) => ({ tools: { exec: { applyPatch } } });
  const OPENAI = { provider: "openai", model: "gpt-5.2" };
  const CLAUDE = { provider: "anthropic", model: "claude-opus-4-6" };

  it.each<[applyPatch: Record<string, unknown>, request: PolicyRequest, allowed: boolean]>([
    [{}, {}, true],
    [{ enabled: false }, {}, false],
    [{}, OPENAI, true],
    [{}, CLAUDE, false],
    [{ enabled: true }, CLAUDE, true],
    [{ enabled: false }, OPENAI, false],
    [{ allowModels: ["claude-opus-4-6"] }, CLAUDE, true],
    [{ allowModels: ["Anthropic/Claude-*"] }, CLAUDE, true],
    [{ allowModels: ["gpt-5.2"] }, CLAUDE, false],
    [{ allowModels: ["claude-opus-4-6"] }, OPENAI, false],
    [{ allowModels: ["gpt-5.2"], enabled: true }, CLAUDE, false],
    [{ allowModels: [] }, OPENAI, false],
    [{ allowModels: [""] }, OPENAI, false],
    [{ allowModels: ["openai/*"] }, { provider: "openai" }, true],
  ])("with %j for %j has apply_patch: %s", (applyPatch, request, allowed) => {
    expect(policyOf({ config: patch(applyPatch), request }).allows("apply_patch")).toBe(allowed);
  });

  it("lets the agent's own setting win", () => {
    const agents = { list: [{ id: "ada", tools: { exec: { applyPatch: { enabled: true } } } }] };
    const config = { ...patch({ enabled: false }), agents };
    expect(policyOf({ config, request: { ...CLAUDE, agentId: "ada" } }).allows("apply_patch")).toBe(
      true,
    );
    expect(policyOf({ config, request: CLAUDE }).allows("apply_patch")).toBe(false);
  });

  it("stands right behind the profile and names its rule", () => {
    const policy = policyOf({ config: { tools: { profile: "coding" } }, request: CLAUDE });
    expect(policy.layers.map(({ id }) => id)).toEqual(["profile", "model"]);
    expect(policy.decide("apply_patch")).toMatchObject({
      layer: "model",
      rule: "tools.exec.applyPatch.enabled (default)",
      restore: { tools: { exec: { applyPatch: { enabled: true } } } },
    });
  });

  it("speaks of the tool by its name alone", () => {
    const more = server("editor", "apply_patch_remote");
    expect(policyOf({ request: CLAUDE, more }).allows("apply_patch_remote")).toBe(true);
  });
});
