// The patch that brings a tool back: the least change, exact, tried, and nothing else with it.
import { describe, expect, it } from "vitest";
import type { PolicyDenial } from "../../src/core/policy/compile.js";
import type { PolicyRequest } from "../../src/core/policy/tools.js";
import { mergeConfig } from "./merge-config.js";
import { leftBy, type PolicyCase, plugin, policyOf, server } from "./policy-of.js";

type Config = Record<string, unknown>;

function denialOf(name: string, given: PolicyCase): PolicyDenial {
  const decision = policyOf(given).decide(name);
  if (decision.allowed) throw new Error(`${name} is not denied`);
  return decision;
}

interface Row {
  readonly tool: string;
  readonly config: Config;
  readonly request?: PolicyRequest;
  readonly rule: string;
  readonly restore: Config;
  /** What comes back beside the tool; nothing, unless said. */
  readonly beside?: readonly string[];
}

const MORE = [...plugin("voice", "voice_call", "voice_stop"), ...server("github", "list_issues")];
const agents = (tools: Config) => ({ list: [{ id: "main" }, { id: "ada", tools }] });
const ADA = { agentId: "ada" };
const OPENAI = { provider: "openai", model: "gpt-5.2" };

const ROWS: [title: string, row: Row][] = [
  [
    "a denied name goes out of its list",
    {
      tool: "exec",
      config: { tools: { deny: ["browser", "exec"] } },
      rule: 'tools.deny[1] "exec"',
      restore: { tools: { deny: ["browser"] } },
    },
  ],
  [
    "a denied group becomes its other members",
    {
      tool: "exec",
      config: { tools: { deny: ["tts", "cron", "group:runtime"] } },
      rule: 'tools.deny[2] "group:runtime"',
      restore: { tools: { deny: ["tts", "cron", "process"] } },
    },
  ],
  [
    "a denied pattern becomes the other names that it fits",
    {
      tool: "web_fetch",
      config: { tools: { deny: ["Web_*"] } },
      rule: 'tools.deny[0] "Web_*"',
      restore: { tools: { deny: ["web_search"] } },
    },
  ],
  [
    "a denied plugin becomes its other tools",
    {
      tool: "voice_stop",
      config: { tools: { deny: ["voice"] } },
      rule: 'tools.deny[0] "voice"',
      restore: { tools: { deny: ["voice_call"] } },
    },
  ],
  [
    "where everything is denied, the tool alone is allowed",
    {
      tool: "read",
      config: { tools: { deny: ["*", "exec"] } },
      rule: 'tools.deny[0] "*"',
      restore: { tools: { deny: ["exec"], allow: ["read"] } },
    },
  ],
  [
    "all entries that deny the tool go at once",
    {
      tool: "exec",
      config: { tools: { deny: ["bash", "group:runtime", "ex*"] } },
      rule: 'tools.deny[0] "bash"',
      restore: { tools: { deny: ["process"] } },
    },
  ],
  [
    "a name is added to an allow list",
    {
      tool: "exec",
      config: { tools: { allow: ["read"] } },
      rule: "tools.allow",
      restore: { tools: { allow: ["read", "exec"] } },
    },
  ],
  [
    "a name is added to an empty allow list",
    {
      tool: "exec",
      config: { tools: { allow: [] } },
      rule: "tools.allow",
      restore: { tools: { allow: ["exec"] } },
    },
  ],
  [
    "an optional tool is added beside an empty allow list, which stays a filter",
    {
      tool: "list_issues",
      config: { tools: { profile: "coding", allow: [] } },
      rule: 'tools.profile "coding"',
      restore: { tools: { alsoAllow: ["list_issues"] } },
    },
  ],
  [
    "the same for an agent under a global profile",
    {
      tool: "list_issues",
      config: {
        tools: { profile: "minimal" },
        agents: { list: [{ id: "ada", tools: { allow: [] } }] },
      },
      request: ADA,
      rule: 'tools.profile "minimal"',
      restore: {
        tools: { alsoAllow: ["list_issues"] },
        agents: { list: [{ id: "ada", tools: { alsoAllow: ["list_issues"] } }] },
      },
    },
  ],
  [
    "a name is added to a profile",
    {
      tool: "browser",
      config: { tools: { profile: "coding" } },
      rule: 'tools.profile "coding"',
      restore: { tools: { alsoAllow: ["browser"] } },
    },
  ],
  [
    "a tool of a server is added to a profile",
    {
      tool: "list_issues",
      config: { tools: { profile: "coding" } },
      rule: 'tools.profile "coding"',
      restore: { tools: { alsoAllow: ["list_issues"] } },
    },
  ],
  [
    "an agent's patch names the agent by its id and holds nothing else",
    {
      tool: "exec",
      config: { agents: agents({ deny: ["exec"] }) },
      request: ADA,
      rule: 'agents.list[1].tools.deny[0] "exec"',
      restore: { agents: { list: [{ id: "ada", tools: { deny: [] } }] } },
    },
  ],
  [
    "an agent's profile is added to where it is chosen",
    {
      tool: "exec",
      config: { tools: { profile: "coding" }, agents: agents({ profile: "messaging" }) },
      request: ADA,
      rule: 'agents.list[1].tools.profile "messaging"',
      restore: {
        agents: { list: [{ id: "ada", tools: { alsoAllow: ["exec"] } }] },
      },
    },
  ],
  [
    "several layers are mended one after the other",
    {
      tool: "browser",
      config: {
        tools: {
          profile: "coding",
          deny: ["group:ui"],
          byProvider: { openai: { profile: "minimal", allow: ["session_status"] } },
        },
      },
      request: { ...OPENAI, sandboxed: true, subagent: "leaf" },
      rule: 'tools.profile "coding"',
      restore: {
        tools: {
          alsoAllow: ["browser"],
          deny: ["canvas"],
          byProvider: { openai: { alsoAllow: ["browser"] } },
          sandbox: { tools: { alsoAllow: ["browser"] } },
        },
      },
    },
  ],
  [
    "a model is added to the list of models",
    {
      tool: "apply_patch",
      config: { tools: { exec: { applyPatch: { allowModels: ["gpt-4.1"], enabled: false } } } },
      request: OPENAI,
      rule: "tools.exec.applyPatch.enabled false",
      restore: {
        tools: {
          exec: { applyPatch: { enabled: true, allowModels: ["gpt-4.1", "openai/gpt-5.2"] } },
        },
      },
    },
  ],
  [
    "a default denial is lifted by naming the tool",
    {
      tool: "message",
      config: {},
      request: { subagent: "orchestrator" },
      rule: 'tools.subagents.tools.deny (default) "message"',
      restore: { tools: { subagents: { tools: { alsoAllow: ["message"] } } } },
    },
  ],
  [
    "a default allow list is added to",
    {
      tool: "tts",
      config: {},
      request: { sandboxed: true },
      rule: "tools.sandbox.tools.allow (default)",
      restore: { tools: { sandbox: { tools: { alsoAllow: ["tts"] } } } },
    },
  ],
  [
    "the rule of a group is mended where it stands",
    {
      tool: "read",
      config: { channels: { slack: { groups: { "*": { tools: { deny: ["read"] } } } } } },
      request: { channel: "slack", groupId: "C01" },
      rule: 'channels.slack.groups["*"].tools.deny[0] "read"',
      restore: { channels: { slack: { groups: { "*": { tools: { deny: [] } } } } } },
    },
  ],
  [
    "a malformed profile becomes the least one",
    {
      tool: "exec",
      config: { tools: { profile: 5 } },
      rule: 'tools.profile "5"',
      restore: { tools: { profile: "minimal", alsoAllow: ["exec"] } },
      beside: ["session_status"],
    },
  ],
  [
    "a malformed allow list becomes the one tool",
    {
      tool: "exec",
      config: { tools: { allow: "read" } },
      rule: "tools.allow",
      restore: { tools: { allow: ["exec"] } },
    },
  ],
];

describe("the restoring patch", () => {
  it.each(ROWS)("%s", (_title, { tool, config, request = {}, rule, restore, beside = [] }) => {
    const before = structuredClone(config);
    const denial = denialOf(tool, { config, request, more: MORE });
    expect(denial.rule).toBe(rule);
    expect(denial.restore).toEqual(restore);
    expect(config).toEqual(before);
    const left = leftBy({ config, request, more: MORE });
    const patched = leftBy({ config: mergeConfig(config, restore), request, more: MORE });
    expect(patched.filter((name) => !left.includes(name)).sort()).toEqual([...beside, tool].sort());
  });

  it.each<[why: string, config: Config, request: PolicyRequest]>([
    ["the caller's cap", {}, { toolsAllow: ["read"] }],
    ["a cap behind other layers", { tools: { deny: ["cron"] } }, { toolsAllow: [] }],
    ["the owner behind other layers", { tools: { deny: ["cron"] } }, { owner: false }],
    [
      "keys that differ in case alone",
      { tools: { byProvider: { OpenAI: {}, OPENAI: {} } } },
      { provider: "openai" },
    ],
    ["two agents of one id", { agents: { list: [{ id: "ada" }, { id: "ADA" }] } }, ADA],
    ["an agent without an id", { agents: { list: [{ tools: {} }] } }, ADA],
  ])("is absent when no config can bring the tool back: %s", (_why, config, request) => {
    expect(denialOf("cron", { config, request }).restore).toBeUndefined();
  });

  it("frees a tool from the id of its plugin, which is the name of another tool too", () => {
    const more = plugin("voice", "voice", "voice_stop");
    const config = { tools: { deny: ["group:plugins"] } };
    const { restore } = denialOf("voice_stop", { config, more });
    expect(restore).toEqual({ tools: { deny: [] } });
  });

  it("is looked for once, when it is first read", () => {
    const denial = denialOf("exec", { config: { tools: { deny: ["exec"] } } });
    expect(denial.restore).toBe(denial.restore);
    expect(JSON.parse(JSON.stringify(denial))).toEqual({
      allowed: false,
      layer: "global",
      rule: 'tools.deny[0] "exec"',
      reason: 'denied by tools.deny[0] "exec"',
      restore: { tools: { deny: [] } },
    });
  });
});
