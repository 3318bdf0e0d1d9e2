// Claims 212 and 389 to 393: the config file and the keys that the documents name.

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  configJsonSchema,
  loadConfig,
  parseConfig,
  readConfigValue,
} from "../../src/config/index.js";
import { createTempFolder } from "../plugins/temp-folder.js";

/** The eight examples of the documents, in JSON5, and what they mean. */
const EXAMPLES: [name: string, text: string, config: unknown][] = [
  ["one tool is denied", `{ tools: { deny: ["browser"] }, }`, { tools: { deny: ["browser"] } }],
  [
    "messaging, and two channels",
    `{
      tools: {
        profile: "messaging",
        allow: ["slack", "discord"],
      },
    }`,
    { tools: { profile: "messaging", allow: ["slack", "discord"] } },
  ],
  [
    "coding without commands",
    `{ tools: { profile: 'coding', deny: ['group:runtime'] } } // nowhere`,
    { tools: { profile: "coding", deny: ["group:runtime"] } },
  ],
  [
    "coding for all, messaging for support",
    `{
      tools: { profile: "coding" },
      agents: { list: [{ id: "support", tools: { profile: "messaging", allow: ["slack"] } }] },
    }`,
    {
      tools: { profile: "coding" },
      agents: { list: [{ id: "support", tools: { profile: "messaging", allow: ["slack"] } }] },
    },
  ],
  [
    "one provider gets the least",
    `{ tools: { profile: "coding", byProvider: { "google-antigravity": { profile: "minimal" } } } }`,
    { tools: { profile: "coding", byProvider: { "google-antigravity": { profile: "minimal" } } } },
  ],
  [
    "one model gets less",
    `{
      tools: {
        allow: ["group:fs", "group:runtime", "sessions_list"],
        byProvider: { "openai/gpt-5.2": { allow: ["group:fs", "sessions_list"] } },
      },
    }`,
    {
      tools: {
        allow: ["group:fs", "group:runtime", "sessions_list"],
        byProvider: { "openai/gpt-5.2": { allow: ["group:fs", "sessions_list"] } },
      },
    },
  ],
  [
    "one agent with one provider",
    `{
      agents: {
        list: [
          {
            id: "support",
            tools: { byProvider: { "google-antigravity": { allow: ["message", "sessions_list"] } } },
          },
        ],
      },
    }`,
    {
      agents: {
        list: [
          {
            id: "support",
            tools: {
              byProvider: { "google-antigravity": { allow: ["message", "sessions_list"] } },
            },
          },
        ],
      },
    },
  ],
  [
    "files and the browser",
    `{ tools: { allow: ["group:fs", "browser"] } }`,
    { tools: { allow: ["group:fs", "browser"] } },
  ],
];

const validate = new Ajv2020({ strict: true }).compile(configJsonSchema());

describe.each(EXAMPLES)("the example: %s", (_name, text, config) => {
  it.each(["clawdbot.json", "openclaw.json", "clawtools.json"])(
    "212 · config in `clawdbot.json` / `openclaw.json`, JSON5: %s",
    async (file) => {
      const cwd = await createTempFolder({ [file]: text });
      const loaded = await loadConfig({ path: file, env: {}, homeDir: undefined, cwd });
      expect(loaded).toMatchObject({ ok: true, exists: true, problems: [] });
      expect(loaded.config).toEqual(config);
    },
  );

  it("212 · config in `clawdbot.json` / `openclaw.json`, JSON5: the JSON Schema takes it", () => {
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
  });
});

/** A key of the documents: values that it takes, and values that it does not. */
interface KeyClaim {
  readonly title: string;
  readonly path: string;
  readonly place: (value: unknown) => Record<string, unknown>;
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const KEYS: readonly KeyClaim[] = [
  {
    title: "389 · agents.defaults.imageModel",
    path: "agents.defaults.imageModel",
    place: (value) => ({ agents: { defaults: { imageModel: value } } }),
    right: ["openai/gpt-5-mini", { primary: "a/b" }, { primary: "a/b", fallbacks: ["c/d"] }],
    wrong: [1, "", ["a/b"], true],
  },
  {
    title: "390 · agents.list[].subagents.allowAgents",
    path: "agents.list[0].subagents.allowAgents",
    place: (value) => ({ agents: { list: [{ id: "a", subagents: { allowAgents: value } }] } }),
    right: [[], ["*"], ["b", "c"]],
    wrong: ["*", {}, null],
  },
  {
    title: "391 · session.agentToAgent.maxPingPongTurns",
    path: "session.agentToAgent.maxPingPongTurns",
    place: (value) => ({ session: { agentToAgent: { maxPingPongTurns: value } } }),
    right: [0, 1, 5],
    wrong: [-1, 6, 2.5, "5"],
  },
  {
    title: "392 · commands.restart",
    path: "commands.restart",
    place: (value) => ({ commands: { restart: value } }),
    right: [true, false],
    wrong: ["true", 1, null],
  },
  {
    title: "393 · tools.web.search.maxResults",
    path: "tools.web.search.maxResults",
    place: (value) => ({ tools: { web: { search: { maxResults: value } } } }),
    right: [1, 5, 10],
    wrong: [0, 11, "5"],
  },
];

describe.each(KEYS)("$title", ({ title, path, place, right, wrong }) => {
  it.each(right.map((value) => [value]))(`${title}: takes %j`, (value) => {
    const { config, problems } = parseConfig(place(value));
    expect(problems).toEqual([]);
    expect(readConfigValue(config, path)).toEqual(value);
    expect(validate(place(value))).toBe(true);
  });

  it.each(wrong.map((value) => [value]))(`${title}: refuses %j by its path`, (value) => {
    const { ok, problems } = parseConfig(place(value));
    expect(ok).toBe(false);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(validate(place(value))).toBe(false);
  });
});

describe("what holds when the key is left out", () => {
  const schemaAt = (path: string) =>
    readConfigValue(configJsonSchema(), path.replaceAll(/(^|\.)/g, "$1properties."));

  it.each([
    ["391 · session.agentToAgent.maxPingPongTurns: 5", "session.agentToAgent.maxPingPongTurns", 5],
    ["392 · commands.restart: off", "commands.restart", false],
    ["393 · tools.web.search.maxResults: 5", "tools.web.search.maxResults", 5],
  ])("%s", (_title, path, expected) => {
    expect(schemaAt(path)).toMatchObject({ default: expected });
  });
});
