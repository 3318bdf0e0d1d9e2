// The eight config examples of the documents, as they are written there, with the exact tools that
// each leaves of the 30.
import { getToolCatalog } from "clawtools";
import JSON5 from "json5";
import { describe, expect, it } from "vitest";
import type { PolicyRequest } from "../../src/core/policy/tools.js";
import { all, BUILT_IN, CODING, leftBy, MESSAGING } from "../policy/policy-of.js";

const IDS = getToolCatalog()
  .map(({ id }) => id)
  .filter((id) => BUILT_IN.some(({ name }) => name === id));

/** In the order of the catalog, as tools are listed. */
const inOrder = (names: readonly string[]) => IDS.filter((id) => names.includes(id));

const read = (text: string): Record<string, unknown> => JSON5.parse(text);

const DENY_BROWSER = `{ tools: { deny: ["browser"] } }`;
const MESSAGING_AND_CHANNELS = `{
  tools: {
    profile: "messaging",
    allow: ["slack", "discord"],
  },
}`;
const CODING_WITHOUT_RUNTIME = `{
  tools: {
    profile: "coding",
    deny: ["group:runtime"],
  },
}`;
const SUPPORT_AGENT = `{
  tools: { profile: "coding" },
  agents: {
    list: [
      {
        id: "support",
        tools: { profile: "messaging", allow: ["slack"] },
      },
    ],
  },
}`;
const MINIMAL_FOR_ONE_PROVIDER = `{
  tools: {
    profile: "coding",
    byProvider: {
      "google-antigravity": { profile: "minimal" },
    },
  },
}`;
const LIST_FOR_ONE_MODEL = `{
  tools: {
    allow: ["group:fs", "group:runtime", "sessions_list"],
    byProvider: {
      "openai/gpt-5.2": { allow: ["group:fs", "sessions_list"] },
    },
  },
}`;
const AGENT_AND_PROVIDER = `{
  agents: {
    list: [
      {
        id: "support",
        tools: {
          byProvider: {
            "google-antigravity": { allow: ["message", "sessions_list"] },
          },
        },
      },
    ],
  },
}`;
const FILES_AND_BROWSER = `{
  tools: {
    allow: ["group:fs", "browser"],
  },
}`;

const FILES = ["read", "write", "edit", "apply_patch"];
const GOOGLE = { provider: "google-antigravity", model: "gemini-3-pro" };

interface Row {
  readonly example: string;
  readonly request: PolicyRequest;
  readonly left: readonly string[];
}

const ROWS: [title: string, row: Row][] = [
  ["deny browser", { example: DENY_BROWSER, request: {}, left: all("browser") }],
  [
    "195 · example: profile messaging + allow slack, discord = messaging *plus* those",
    { example: MESSAGING_AND_CHANNELS, request: {}, left: MESSAGING },
  ],
  [
    "196 · example: coding + deny group:runtime",
    {
      example: CODING_WITHOUT_RUNTIME,
      request: {},
      left: CODING.filter((name) => name !== "exec" && name !== "process"),
    },
  ],
  [
    "197 · example: global coding, support = messaging + slack",
    { example: SUPPORT_AGENT, request: { agentId: "support" }, left: MESSAGING },
  ],
  [
    "197 · the same config for every other agent",
    { example: SUPPORT_AGENT, request: { agentId: "main" }, left: CODING },
  ],
  [
    "202 · example: google-antigravity -> minimal",
    { example: MINIMAL_FOR_ONE_PROVIDER, request: GOOGLE, left: ["session_status"] },
  ],
  [
    "202 · the same config for another provider, which is no maker of apply_patch models",
    {
      example: MINIMAL_FOR_ONE_PROVIDER,
      request: { provider: "anthropic", model: "claude-opus-4-6" },
      left: CODING.filter((name) => name !== "apply_patch"),
    },
  ],
  [
    "203 · example: openai/gpt-5.2 allowlist",
    {
      example: LIST_FOR_ONE_MODEL,
      request: { provider: "openai", model: "gpt-5.2" },
      left: [...FILES, "sessions_list"],
    },
  ],
  [
    "203 · the same config for another model",
    {
      example: LIST_FOR_ONE_MODEL,
      request: { provider: "openai", model: "gpt-4.1" },
      left: [...FILES, "exec", "process", "sessions_list"],
    },
  ],
  [
    "204 · example: support agent + google-antigravity",
    {
      example: AGENT_AND_PROVIDER,
      request: { agentId: "support", ...GOOGLE },
      left: ["message", "sessions_list"],
    },
  ],
  [
    "204 · the same config for another agent of that provider",
    {
      example: AGENT_AND_PROVIDER,
      request: { agentId: "main", ...GOOGLE },
      left: all("apply_patch"),
    },
  ],
  [
    "211 · example: allow group:fs + browser",
    { example: FILES_AND_BROWSER, request: {}, left: [...FILES, "browser"] },
  ],
];

describe("the config examples of the documents", () => {
  it.each(ROWS)("%s", (_title, { example, request, left }) => {
    expect(leftBy({ config: read(example), request })).toEqual(inOrder(left));
  });

  it("speak of every documented tool", () => {
    expect(BUILT_IN.map(({ name }) => name)).toEqual(IDS);
    expect(IDS).toHaveLength(30);
  });

  it("195 · the channels are added to the profile as soon as their tools are there", () => {
    const more = [
      { name: "slack", origin: "plugin", originId: "slack" },
      { name: "discord_actions", origin: "plugin", originId: "discord" },
      { name: "telegram", origin: "plugin", originId: "telegram" },
    ] as const;
    expect(leftBy({ config: read(MESSAGING_AND_CHANNELS), more })).toEqual([
      ...inOrder(MESSAGING),
      "slack",
      "discord_actions",
    ]);
    expect(leftBy({ config: read(SUPPORT_AGENT), request: { agentId: "support" }, more })).toEqual([
      ...inOrder(MESSAGING),
      "slack",
    ]);
  });
});
