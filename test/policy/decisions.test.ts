// The cases that docs/policy.md leaves to the code, one each; what other tests hold in
// more depth (groups, senders, borrowed names) is not repeated.
import { describe, expect, it } from "vitest";
import type { PolicyRequest } from "../../src/core/policy/tools.js";
import { compilePolicy } from "../../src/toolkit/catalog.js";
import { all, leftBy, MESSAGING, plugin, policyOf } from "./policy-of.js";

const agent = (tools: Record<string, unknown>) => ({ list: [{ id: "ada", tools }] });

/** What no type allows and a program without types can send all the same. */
const untyped = (request: Record<string, unknown>): PolicyRequest => request;

describe("whose rules hold", () => {
  it("an agent that is not listed has those for all", () => {
    const config = { tools: { profile: "minimal" }, agents: agent({ profile: "full" }) };
    expect(leftBy({ config, request: { agentId: "bob" } })).toEqual(["session_status"]);
  });

  it("an agent's profile stands for the global one and for what was added to it", () => {
    const tools = { profile: "coding", alsoAllow: ["tts"], deny: ["cron"] };
    const config = { tools, agents: agent({ profile: "minimal", alsoAllow: ["cron", "image"] }) };
    expect(leftBy({ config, request: { agentId: "ada" } })).toEqual(["session_status", "image"]);
  });

  it("an agent without a profile adds to the global one", () => {
    const tools = { profile: "minimal", alsoAllow: ["tts"] };
    const config = { tools, agents: agent({ alsoAllow: ["cron"] }) };
    const left = leftBy({ config, request: { agentId: "ada" } });
    expect(left).toEqual(["session_status", "cron", "tts"]);
  });

  it("an agent's profile for a provider stands for the global one", () => {
    const tools = { byProvider: { openai: { profile: "coding" } } };
    const config = { tools, agents: agent({ byProvider: { openai: { profile: "messaging" } } }) };
    expect(leftBy({ config, request: { agentId: "ada", provider: "openai" } })).toEqual(MESSAGING);
  });

  it("an allow list beside the profile full stands alone", () => {
    const config = { tools: { profile: "full", allow: ["slack"] } };
    expect(leftBy({ config })).toEqual(all());
    expect(policyOf({ config }).warnings).toMatchObject([{ code: "allow_ignored" }]);
  });
});

describe("which model is meant", () => {
  const byProvider = (key: string) => ({ tools: { byProvider: { [key]: { allow: ["read"] } } } });
  const elsewhere = { provider: "openrouter", model: "openai/gpt-5.2" };

  it.each<[key: string, request: PolicyRequest, left: string[]]>([
    ["openai", { model: "openai/gpt-5.2" }, ["read"]],
    ["openai/gpt-5.2", { model: "openai/gpt-5.2" }, ["read"]],
    ["openrouter/openai/gpt-5.2", elsewhere, ["read"]],
    ["openai/gpt-5.2", elsewhere, ["read"]],
    ["openrouter", elsewhere, ["read"]],
    ["openai", elsewhere, all()],
  ])("the key %s for %j", (key, request, left) => {
    expect(leftBy({ config: byProvider(key), request })).toEqual(left);
  });

  it("of three keys the most exact one is taken", () => {
    const keys = {
      "openrouter/openai/gpt-5.2": "read",
      "openai/gpt-5.2": "edit",
      openrouter: "tts",
    };
    const table = Object.entries(keys).map(([key, name]) => [key, { allow: [name] }]);
    const left = (from: number) =>
      leftBy({
        config: { tools: { byProvider: Object.fromEntries(table.slice(from)) } },
        request: elsewhere,
      });
    expect([left(0), left(1), left(2)]).toEqual([["read"], ["edit"], ["tts"]]);
  });

  it.each(["openai", "openai-codex", "azure-openai", "azure-openai-responses"])(
    "%s is offered apply_patch",
    (provider) => {
      expect(leftBy({ request: { provider } })).toEqual(all());
      expect(leftBy({ request: { provider: `${provider}-like` } })).toEqual(all("apply_patch"));
    },
  );
});

describe("what an entry is held against", () => {
  it("a pattern fits names, not other names and ids", () => {
    const more = plugin("voice-call", "talk");
    expect(leftBy({ config: { tools: { allow: ["bas*"] } } })).toEqual([]);
    expect(leftBy({ config: { tools: { deny: ["voice-*"] } }, more })).toEqual([...all(), "talk"]);
  });

  it("group:plugins is a known name without a plugin", () => {
    const config = { tools: { allow: ["group:plugins"] } };
    expect(leftBy({ config })).toEqual([]);
    expect(policyOf({ config }).warnings).toEqual([]);
  });
});

describe("who asks", () => {
  const channels = { slack: { groups: { "*": { tools: { allow: ["read"] } } } } };

  it("a group rule needs both a channel and a group", () => {
    expect(leftBy({ config: { channels }, request: { groupId: "C01" } })).toEqual(all());
    expect(leftBy({ config: { channels }, request: { channel: "slack" } })).toEqual(all());
    const request = { channel: "slack", groupId: "C01" };
    expect(leftBy({ config: { channels }, request })).toEqual(["read"]);
  });

  it("the sender * is everybody in a channel", () => {
    const config = { tools: { toolsBySender: { "*": { allow: ["read"] } } } };
    expect(leftBy({ config, request: { channel: "slack" } })).toEqual(["read"]);
    expect(leftBy({ config })).toEqual(all());
  });

  it("an unknown kind of sub-agent is a leaf", () => {
    const leaf = leftBy({ request: { subagent: "leaf" } });
    expect(leftBy({ request: untyped({ subagent: "chief" }) })).toEqual(leaf);
  });

  it.each([["read"], [5], [null], [{ read: true }], [["read", 5]]])(
    "toolsAllow %j is no list of texts and allows nothing",
    (toolsAllow) => {
      expect(leftBy({ request: untyped({ toolsAllow }) })).toEqual([]);
    },
  );

  it("an unknownAllow that is no choice is read as deny", () => {
    const config = { tools: { allow: ["slack"], unknownAllow: "dney" } };
    expect(leftBy({ config })).toEqual([]);
    expect(leftBy({ config: { tools: { allow: ["slack"] } } })).toEqual(all());
  });
});

describe("keys that differ in case alone", () => {
  const scopes = { openai: { allow: ["read"] }, OpenAI: { allow: ["edit"] } };

  it("the provider in small letters counts", () => {
    const config = { tools: { byProvider: scopes } };
    expect(leftBy({ config, request: { provider: "OpenAI" } })).toEqual(["read"]);
  });

  it("the group as the request has it counts", () => {
    const group = (name: string) => ({ tools: { allow: [name] } });
    const config = {
      channels: { slack: { groups: { team: group("read"), Team: group("edit") } } },
    };
    const left = (groupId: string) => leftBy({ config, request: { channel: "slack", groupId } });
    expect([left("team"), left("Team"), left("TEAM")]).toEqual([["read"], ["edit"], []]);
  });
});

describe("a policy without a request", () => {
  it("is that of a caller of whom nothing is known", () => {
    const tools = [{ name: "read", origin: "core" }] as const;
    expect(compilePolicy({ config: {}, tools }).allows("read")).toBe(true);
    expect(compilePolicy({ config: { tools: { deny: ["read"] } }, tools }).allows("read")).toBe(
      false,
    );
  });
});
