// Allow lists, deny lists and what is added to them: unknown names, slips, patterns, empty lists.
import { describe, expect, it } from "vitest";
import type { PolicyWarning } from "../../src/core/policy/found.js";
import { compilePolicy } from "../../src/toolkit/catalog.js";
import {
  all,
  CODING,
  leftBy,
  MESSAGING,
  type PolicyCase,
  plugin,
  policyOf,
  server,
} from "./policy-of.js";

type Tools = Record<string, unknown>;

const left = (tools: Tools, rest: Omit<PolicyCase, "config"> = {}) =>
  leftBy({ config: { tools }, ...rest });
const warningsOf = (tools: Tools, rest: Omit<PolicyCase, "config"> = {}) =>
  policyOf({ config: { tools }, ...rest }).warnings;
const brief = (warnings: readonly PolicyWarning[]) =>
  warnings.map(({ severity, code, path, nearest }) =>
    [severity, code, path, ...(nearest ? [nearest] : [])].join(" "),
  );
const inOrder = (names: readonly string[]) => all().filter((name) => names.includes(name));

describe("an allow list of unknown names", () => {
  it.each([["weather"], ["slack"], ["slack", "weather"], ["my-plugin", "my-plugin-tool"]])(
    "is left out of account: %j",
    (...allow) => {
      expect(left({ allow })).toEqual(all());
      expect(brief(warningsOf({ allow }))).toEqual(["warning allow_ignored tools.allow"]);
    },
  );

  it("is in force as soon as one name is known, and tells of the others", () => {
    expect(left({ allow: ["read", "weather", "slack"] })).toEqual(["read"]);
    expect(brief(warningsOf({ allow: ["read", "weather", "slack"] }))).toEqual([
      "warning unknown_name tools.allow[1]",
      "warning not_loaded tools.allow[2]",
    ]);
  });

  it('fails closed with tools.unknownAllow: "deny"', () => {
    expect(left({ allow: ["weather"], unknownAllow: "deny" })).toEqual([]);
    expect(left({ allow: ["slack"], profile: "messaging", unknownAllow: "deny" })).toEqual([]);
  });

  it("fails closed when unknownAllow itself is no known word", () => {
    expect(left({ allow: ["weather"], unknownAllow: "yes" })).toEqual([]);
    expect(brief(warningsOf({ unknownAllow: 1 }))).toEqual(["error malformed tools.unknownAllow"]);
  });

  it("does not open the layers of groups, senders, sandboxes, sub-agents and callers", () => {
    const lists = { allow: ["weather"] };
    const chat = { channel: "slack", groupId: "C01", sender: { id: "U1" } };
    const groups = { C01: { tools: lists } };
    expect(leftBy({ config: { channels: { slack: { groups } } }, request: chat })).toEqual([]);
    expect(left({ toolsBySender: { "id:u1": lists } }, { request: chat })).toEqual([]);
    expect(left({ sandbox: { tools: lists } }, { request: { sandboxed: true } })).toEqual([]);
    expect(left({ subagents: { tools: lists } }, { request: { subagent: "leaf" } })).toEqual([]);
    expect(left({}, { request: { toolsAllow: ["weather"] } })).toEqual([]);
  });

  it("keeps a built-in tool in mind that is not loaded, so that its list stays in force", () => {
    const policy = compilePolicy({
      config: { tools: { allow: ["browser"] } },
      tools: [{ name: "read", origin: "core" }],
      request: {},
    });
    expect(policy.allows("read")).toBe(false);
    expect(policy.warnings).toEqual([]);
  });
});

describe("a slip of two letters", () => {
  it.each([
    ["raed", "read"],
    ["reed", "read"],
    ["exce", "exec"],
    ["webfetch", "web_fetch"],
    ["sesion_list", "sessions_list"],
    ["grop:fs", "group:fs"],
    ["group:runtimes", "group:runtime"],
    ["slakc", "slack"],
    ["teams", "msteams"],
    ["githbu", "github"],
    ["voice_cal", "voice_call"],
  ])("%s never opens anything: it is an error that names %s", (slip, nearest) => {
    const more = [...plugin("voice", "voice_call"), ...server("github", "list_issues")];
    expect(left({ allow: [slip] }, { more })).toEqual([]);
    expect(brief(warningsOf({ allow: [slip] }, { more }))).toEqual([
      `error typo tools.allow[0] ${nearest}`,
    ]);
    expect(left({ allow: [slip, "write"] }, { more })).toEqual(["write"]);
    expect(left({ allow: [slip, "slack"], profile: "coding" }, { more })).toEqual([]);
  });

  it.each([
    ["raed", "read", ["read"]],
    ["group:fss", "group:fs", ["read", "write", "edit", "apply_patch", "grep", "find", "ls"]],
    ["r\u0435\u0430d", "read", ["read"]],
    ["\u0435\u0445\u0435\u0441", "exec", ["exec"]],
  ])(
    "%j in a deny list is an error too, and denies %s until it is mended",
    (slip, nearest, gone) => {
      expect(left({ deny: [slip] })).toEqual(all(...gone));
      expect(brief(warningsOf({ deny: [slip] }))).toEqual([`error typo tools.deny[0] ${nearest}`]);
    },
  );

  it("is none when a denied name is simply unknown: that is a warning", () => {
    expect(left({ deny: ["weather"] })).toEqual(all());
    expect(brief(warningsOf({ deny: ["weather"] }))).toEqual([
      "warning unknown_name tools.deny[0]",
    ]);
  });

  it("is an error where names are added", () => {
    expect(brief(warningsOf({ profile: "minimal", alsoAllow: ["raed"] }))).toEqual([
      "error typo tools.alsoAllow[0] read",
    ]);
  });

  it("is no slip when three letters differ, or when the name is known", () => {
    expect(left({ allow: ["readxyz"] })).toEqual(all());
    expect(left({ allow: ["reads"] }, { more: plugin("p", "reads") })).toEqual(["reads"]);
  });
});

describe("entries that mean nothing", () => {
  it("a pattern that fits no tool keeps the list in force", () => {
    expect(left({ allow: ["slack_*"] })).toEqual([]);
    expect(left({ allow: ["group:*"] })).toEqual([]);
    expect(brief(warningsOf({ allow: ["slack_*"] }))).toEqual([
      "warning pattern_unmatched tools.allow[0]",
    ]);
  });

  it("a group that does not exist keeps the list in force", () => {
    expect(left({ allow: ["group:filesystem"] })).toEqual([]);
    expect(brief(warningsOf({ allow: ["group:filesystem"] }))).toEqual([
      "error unknown_group tools.allow[0]",
    ]);
  });

  it("an empty text keeps the list in force", () => {
    expect(left({ allow: [" "] })).toEqual([]);
    expect(brief(warningsOf({ allow: [""], deny: [""] }))).toEqual([
      "error blank_entry tools.allow[0]",
      "error blank_entry tools.deny[0]",
    ]);
  });

  it("an empty allow list allows nothing and says so; an empty deny list denies nothing", () => {
    expect(left({ allow: [] })).toEqual([]);
    expect(brief(warningsOf({ allow: [] }))).toEqual(["warning empty_allow tools.allow"]);
    expect(left({ deny: [] })).toEqual(all());
    expect(warningsOf({ deny: [] })).toEqual([]);
  });
});

describe("a list of optional tools", () => {
  const more = [...plugin("voice", "voice_call", "voice_stop"), ...server("github", "list_issues")];

  it("adds to the profile beside it", () => {
    const config = { profile: "messaging", allow: ["github", "telegram"] };
    expect(left(config, { more })).toEqual([...inOrder(MESSAGING), "list_issues"]);
    expect(left({ profile: "coding", allow: ["voice_call"] }, { more })).toEqual([
      ...inOrder(CODING),
      "voice_call",
    ]);
  });

  it("is a filter where no profile restricts", () => {
    expect(left({ allow: ["github"] }, { more })).toEqual(["list_issues"]);
    expect(left({ allow: ["github"], profile: "full" }, { more })).toEqual(["list_issues"]);
  });

  it("is a filter as soon as it names a built-in tool", () => {
    const config = { profile: "coding", allow: ["github", "read"] };
    expect(left(config, { more })).toEqual(["read"]);
  });

  it("of an agent adds to the global profile when the agent has none", () => {
    const agents = { list: [{ id: "ada", tools: { allow: ["github"] } }] };
    const config = { tools: { profile: "minimal" }, agents };
    expect(leftBy({ config, request: { agentId: "ada" }, more })).toEqual([
      "session_status",
      "list_issues",
    ]);
  });

  it("next to the global profile does not reach an agent with a profile of its own", () => {
    const agents = { list: [{ id: "ada", tools: { profile: "minimal" } }] };
    const config = { tools: { profile: "coding", allow: ["github"] }, agents };
    expect(leftBy({ config, request: { agentId: "ada" }, more })).toEqual(["session_status"]);
    expect(leftBy({ config, more })).toEqual([...inOrder(CODING), "list_issues"]);
  });
});

describe("alsoAllow", () => {
  it("adds to a profile", () => {
    expect(left({ profile: "minimal", alsoAllow: ["read", "group:web"] })).toEqual(
      inOrder(["session_status", "read", "web_search", "web_fetch"]),
    );
  });

  it("alone removes nothing", () => {
    expect(left({ alsoAllow: ["read"] })).toEqual(all());
  });

  it("beside allow and a profile adds to both", () => {
    const config = { profile: "coding", allow: ["read"], alsoAllow: ["browser"] };
    expect(left(config)).toEqual(["read", "browser"]);
    expect(warningsOf(config)).toEqual([]);
  });

  it("beside allow without a profile is read as one list, with a warning", () => {
    const config = { allow: ["read"], alsoAllow: ["exec"] };
    expect(left(config)).toEqual(["read", "exec"]);
    expect(brief(warningsOf(config))).toEqual(["warning allow_conflict tools"]);
  });

  it("loses against deny", () => {
    expect(left({ profile: "minimal", alsoAllow: ["read"], deny: ["read"] })).toEqual([
      "session_status",
    ]);
  });

  it("of the agent adds to the global profile; the global one not to the agent's", () => {
    const agents = (tools: Tools) => ({ list: [{ id: "ada", tools }] });
    const leftFor = (global: Tools, own: Tools) =>
      leftBy({ config: { tools: global, agents: agents(own) }, request: { agentId: "ada" } });
    expect(leftFor({ profile: "minimal" }, { alsoAllow: ["read"] })).toEqual([
      "read",
      "session_status",
    ]);
    const global = { profile: "coding", alsoAllow: ["browser"] };
    expect(leftFor(global, { profile: "minimal" })).toEqual(["session_status"]);
  });

  it("adds to a provider's profile", () => {
    const byProvider = { google: { profile: "minimal", alsoAllow: ["read", "browser"] } };
    const config = { profile: "coding", byProvider };
    expect(left(config, { request: { provider: "google" } })).toEqual(["read", "session_status"]);
  });
});
