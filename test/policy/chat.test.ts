// Rules for groups of a channel and for single senders.
import { describe, expect, it } from "vitest";
import type { PolicyRequest, PolicySender } from "../../src/core/policy/tools.js";
import { all, leftBy, policyOf } from "./policy-of.js";

const only = (...allow: string[]) => ({ allow });
const groups = (value: Record<string, unknown>) => ({ channels: { telegram: { groups: value } } });
const inGroup = (groupId: string, sender: PolicySender = { id: "7" }): PolicyRequest => ({
  channel: "telegram",
  groupId,
  sender,
});

describe("a group", () => {
  const config = groups({
    "*": { tools: only("read", "message") },
    "-100": { tools: only("message") },
    "-200": { requireMention: true },
  });

  it.each([
    ["-100", ["message"]],
    ["-200", ["read", "message"]],
    ["-300", ["read", "message"]],
    ["", ["read", "message"]],
    ["__proto__", ["read", "message"]],
    ["constructor", ["read", "message"]],
  ])("%j has the rules of its own, else those of the group *", (groupId, left) => {
    expect(leftBy({ config, request: inGroup(groupId) })).toEqual(left);
  });

  it("is found whatever the case of its channel and id", () => {
    const cased = { channels: { Slack: { groups: { C0Ab: { tools: only("read") } } } } };
    expect(leftBy({ config: cased, request: { channel: "slack", groupId: "c0aB" } })).toEqual([
      "read",
    ]);
  });

  it("as it is written wins over one that differs in case alone", () => {
    const twins = groups({ "!Ab": { tools: only("read") }, "!ab": { tools: only("write") } });
    expect(leftBy({ config: twins, request: inGroup("!ab") })).toEqual(["write"]);
    expect(leftBy({ config: twins, request: inGroup("!AB") })).toEqual([]);
  });

  it("changes nothing for other channels and for requests without a group", () => {
    expect(leftBy({ config, request: { channel: "slack", groupId: "-100" } })).toEqual(all());
    expect(leftBy({ config, request: { channel: "telegram" } })).toEqual(all());
    expect(leftBy({ config })).toEqual(all());
  });

  it("only removes: it never brings back what an earlier layer took", () => {
    const wide = { ...groups({ "-100": { tools: only("*") } }), tools: { deny: ["exec"] } };
    expect(leftBy({ config: wide, request: inGroup("-100") })).toEqual(all("exec"));
  });

  it("names its place in the rule", () => {
    const denied = groups({ "-100": { tools: { deny: ["read"] } } });
    expect(policyOf({ config: denied, request: inGroup("-100") }).decide("read")).toMatchObject({
      layer: "group",
      rule: 'channels.telegram.groups["-100"].tools.deny[0] "read"',
    });
  });
});

describe("rules for a sender inside a group", () => {
  const config = groups({
    "*": { tools: only("tts") },
    "-100": {
      tools: only("message"),
      toolsBySender: { "id:7": only("read", "exec"), "username:ada": only("read", "message") },
    },
    "-200": { toolsBySender: { "id:7": only("write") } },
  });

  it.each([
    ["-100", { id: "7" }, ["read", "exec"]],
    ["-100", { id: "8" }, ["message"]],
    ["-200", { id: "7" }, ["write"]],
    ["-200", { id: "8" }, ["tts"]],
  ])("in %s for %j win over those for all", (groupId, sender, left) => {
    expect(leftBy({ config, request: inGroup(groupId, sender) })).toEqual(left);
  });

  it("that go by a user name only narrow", () => {
    const request = inGroup("-100", { id: "8", username: "@Ada" });
    expect(leftBy({ config, request })).toEqual(["message"]);
  });
});

describe("toolsBySender", () => {
  const table = {
    "channel:telegram:7": only("read"),
    "id:7": only("write"),
    "id:8": only("edit"),
    "9": only("exec"),
    "e164:+4930123": only("image"),
    "*": only("message", "tts", "read"),
  };
  const leftFor = (request: PolicyRequest) =>
    leftBy({ config: { tools: { toolsBySender: table } }, request });

  it.each<[who: string, request: PolicyRequest, left: string[]]>([
    ["channel and id", { channel: "telegram", sender: { id: "7" } }, ["read"]],
    ["id", { channel: "slack", sender: { id: "7" } }, ["write"]],
    ["id without a channel", { sender: { id: "8" } }, ["edit"]],
    ["an id without a prefix", { sender: { id: "9" } }, ["exec"]],
    ["phone number", { sender: { e164: "+4930123" } }, ["image"]],
    ["id before phone number", { sender: { id: "8", e164: "+4930123" } }, ["edit"]],
    ["anybody else", { sender: { id: "10" } }, ["read", "message", "tts"]],
    ["an empty sender", { sender: {} }, ["read", "message", "tts"]],
    ["an empty id", { sender: { id: "  " } }, ["read", "message", "tts"]],
    ["a chat without a sender", { channel: "telegram" }, ["read", "message", "tts"]],
    ["no chat", {}, all()],
  ])("picks the rule by %s", (_who, request, left) => {
    expect(leftFor(request)).toEqual(all().filter((name) => left.includes(name)));
  });

  it.each(["*", "__proto__", "toString", "id:7", "channel:telegram:7", "username:ada"])(
    "is not deceived by the id %j",
    (id) => {
      expect(leftFor({ channel: "telegram", sender: { id } })).toEqual(["read", "message", "tts"]);
    },
  );

  it("lets a name that anybody can take only narrow, and says so", () => {
    const toolsBySender = {
      "username:ada": only("read", "exec"),
      "name:Grace Hopper": { deny: ["tts"] },
      "*": only("read", "tts"),
    };
    const config = { tools: { toolsBySender } };
    const left = (sender: PolicySender) => leftBy({ config, request: { sender } });
    expect(left({ username: "@ADA" })).toEqual(["read"]);
    expect(left({ name: "grace hopper" })).toEqual(["read"]);
    expect(left({ name: "somebody" })).toEqual(["read", "tts"]);
    const { warnings } = policyOf({ config, request: { sender: { username: "ada" } } });
    expect(warnings).toMatchObject([
      { code: "mutable_sender", path: 'tools.toolsBySender["username:ada"]' },
    ]);
  });

  it("of the agent replaces the global one where it has a rule for the sender", () => {
    const agents = (toolsBySender: Record<string, unknown>) => ({
      list: [{ id: "ada", tools: { toolsBySender } }],
    });
    const tools = { toolsBySender: { "*": only("read") } };
    const left = (own: Record<string, unknown>, sender: PolicySender) =>
      leftBy({ config: { tools, agents: agents(own) }, request: { agentId: "ada", sender } });
    expect(left({ "id:7": only("write") }, { id: "7" })).toEqual(["write"]);
    expect(left({ "id:7": only("write") }, { id: "8" })).toEqual(["read"]);
    expect(left({ "*": only("edit") }, { id: "8" })).toEqual(["edit"]);
    expect(left({ "name:eve": only("read", "exec") }, { name: "Eve" })).toEqual(["read"]);
  });
});
