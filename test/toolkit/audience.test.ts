// For whom a toolkit is made: agent, provider, channel, group, sender, sub-agent and cap each bring
// their rules into force, and a name that leads nowhere is told.

import { type ClawtoolsConfig, createToolkit, type ToolkitOptions } from "clawtools";
import { describe, expect, it } from "vitest";
import { ROOT, startToolkit } from "./start-toolkit.js";

const RULES: ClawtoolsConfig = {
  tools: { toolsBySender: { "id:u1": { deny: ["write"] } } },
  channels: { slack: { groups: { c1: { tools: { deny: ["edit"] } } } } },
  agents: { list: [{ id: "support", tools: { deny: ["read"] } }] },
};

const SUPPORT: ClawtoolsConfig = {
  agents: { list: [{ id: "support", tools: { deny: ["read"] } }] },
};

function offered(options: Partial<ToolkitOptions>): string[] {
  return startToolkit(options).toolkit.tools.map(({ name }) => name);
}

function doubts(options: Partial<ToolkitOptions>): string[] {
  const { toolkit } = startToolkit(options);
  return toolkit.diagnostics().map(({ severity, message }) => `${severity} ${message}`);
}

describe("an option that names who asks", () => {
  it.each<[gone: string, options: Partial<ToolkitOptions>]>([
    ["edit", { messageChannel: "slack", groupId: "c1" }],
    ["write", { messageChannel: "slack", sender: { id: "u1" } }],
    ["read", { agentId: "support" }],
  ])("brings the rule against %s into force", (gone, options) => {
    expect(offered({ config: RULES, ...options })).not.toContain(gone);
    expect(offered({ config: RULES })).toContain(gone);
  });

  it("toolsAllow leaves only what it names", () => {
    expect(offered({ toolsAllow: ["read"] })).toEqual(["read"]);
    expect(offered({ toolsAllow: [] })).toEqual([]);
  });

  it("subagent applies the rules for agents that agents start", () => {
    const { toolkit } = startToolkit({ subagent: "leaf" });
    expect(toolkit.explain("sessions_spawn")).toMatchObject({ code: "denied" });
    expect(startToolkit().toolkit.explain("sessions_spawn").code).not.toBe("denied");
  });
});

describe("a channel", () => {
  it("that nobody knows is told, with the nearest", () => {
    expect(doubts({ messageChannel: "slak" })).toEqual([
      'warning messageChannel: "slak" is not a known channel; did you mean "slack"?',
    ]);
    expect(doubts({ messageChannel: "pager" })).toEqual([
      'warning messageChannel: "pager" is not a known channel.',
    ]);
  });

  it("is known by the config too", () => {
    expect(doubts({ messageChannel: "Pager", config: { channels: { pager: {} } } })).toEqual([]);
  });

  it("with rules for groups is told when no group is given", () => {
    const groups = { c1: { tools: { deny: ["edit"] } } };
    const config: ClawtoolsConfig = { channels: { slack: { groups } } };
    expect(doubts({ messageChannel: "slack", config })).toEqual([
      "warning channels.slack: has rules for groups; without groupId none of them is in force.",
    ]);
    expect(doubts({ messageChannel: "slack", groupId: "c9", config })).toEqual([]);
    expect(doubts({ groupId: "c1", config })).toEqual([
      "warning groupId: has no effect without messageChannel.",
    ]);
  });

  it("and sender that are both missing leave rules for senders out of force, and that is told", () => {
    const config = { tools: { toolsBySender: { "id:u1": { deny: ["write"] } } } };
    expect(doubts({ config })).toEqual([
      "warning tools.toolsBySender: is out of force, because neither sender nor messageChannel is given.",
    ]);
    expect(doubts({ config, sender: { id: "u2" } })).toEqual([]);
  });
});

describe("an agent", () => {
  it.each(["suport", "helper", "worker-2"])(
    "called %s is refused where it is not listed",
    (agentId) => {
      expect(() => createToolkit({ root: ROOT, config: SUPPORT, agentId })).toThrow(
        expect.objectContaining({
          name: "ToolInputError",
          reason: "agent_unknown",
          message: `agentId: the config has no agent "${agentId}"; it has "support".`,
        }),
      );
      expect(doubts({ agentId })).toEqual([]);
    },
  );

  it.each(["main", "Support"])("called %s is served", (agentId) => {
    expect(doubts({ config: SUPPORT, agentId })).toEqual([]);
  });

  it("called main is meant when it is listed and none is named", () => {
    const config = { agents: { entries: { ops: {}, Main: { tools: { deny: ["read"] } } } } };
    expect(offered({ config })).not.toContain("read");
    expect(offered({ config, agentId: "ops" })).toContain("read");
  });

  it("that is the default is meant when none is named", async () => {
    const config = {
      agents: { list: [{ id: "other" }, { id: "ada", default: true, tools: { deny: ["read"] } }] },
    };
    expect(offered({ config })).not.toContain("read");
    expect(offered({ config, agentId: "other" })).toContain("read");
    const { call, rows } = startToolkit({ config });
    await call("read", { arguments: { path: "notes.txt" } });
    expect(rows[0]).toMatchObject({ agentId: "ada", reason: "tool_denied" });
  });
});

describe("another provider", () => {
  const config = { tools: { byProvider: { google: { deny: ["write"] } } } };
  const names = (schemas: readonly { readonly name: string }[]) => schemas.map(({ name }) => name);

  it("is shown what its own rules leave", () => {
    const { toolkit } = startToolkit({ config, provider: "openai" });
    expect(names(toolkit.schemas())).toContain("write");
    expect(names(toolkit.schemas({ provider: "google" }))).not.toContain("write");
    expect(toolkit.explain("write", { provider: "google" })).toMatchObject({
      code: "denied",
      rule: 'tools.byProvider.google.deny[0] "write"',
    });
    expect(toolkit.explain("write").status).toBe("present");
  });

  it("does not change what the toolkit itself lets run", async () => {
    const { toolkit, call } = startToolkit({ config, provider: "openai" });
    toolkit.schemas({ provider: "google" });
    expect((await call("write", { arguments: { path: "a", content: "b" } })).isError).toBe(false);
    const google = startToolkit({ config, provider: "google" });
    expect((await google.call("write", { arguments: { path: "a", content: "b" } })).isError).toBe(
      true,
    );
  });

  it("that is mistyped, as an option or in a rule, is told with the nearest", () => {
    const slip = { tools: { byProvider: { "opnai/gpt-5.2": { deny: ["write"] } } } };
    expect(doubts({ config: slip, provider: "opneai" })).toEqual([
      'warning provider: "opneai" is not a known provider; did you mean "openai"?',
      'warning tools.byProvider: "opnai/gpt-5.2" is not a known provider; did you mean "openai"?',
    ]);
    expect(doubts({ provider: "my-own-proxy" })).toEqual([]);
  });

  it("and yet another are each compiled, however many are asked for", () => {
    const { toolkit } = startToolkit({ config });
    for (let index = 0; index < 40; index++) toolkit.schemas({ provider: `maker${index}` });
    expect(names(toolkit.schemas({ provider: "google" }))).not.toContain("write");
    expect(names(toolkit.schemas({ provider: "maker1" }))).toContain("write");
  });
});
