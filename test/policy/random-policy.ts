// Random configs and requests that reach every layer, group, alias and kind of entry.
import { ORIGIN_GROUPS, TOOL_GROUPS } from "../../src/core/policy/names/groups.js";
import { CHANNEL_IDS } from "../../src/core/policy/names/normalize.js";
import type { PolicyTool } from "../../src/core/policy/names/tool-index.js";
import type { PolicyRequest } from "../../src/core/policy/request.js";
import { BUILT_IN, plugin, server } from "./policy-of.js";

export type Config = Record<string, unknown>;

export const TOOLS: readonly PolicyTool[] = [
  ...BUILT_IN,
  ...plugin("voice-call", "voice_call", "Voice_Stop"),
  ...plugin("Weather", "forecast"),
  ...plugin("slack", "slack"),
  ...server("github", "listIssues", "create_issue"),
  { name: "house_lights", origin: "custom", alsoKnownAs: ["lamp-switch"] },
  { name: "open_safe", origin: "custom", ownerOnly: true },
];

export const GROUPS = [...TOOL_GROUPS.keys(), ...ORIGIN_GROUPS.keys()];
export const ALIASES = ["bash", "apply-patch", "lamp-switch"];
export const PATTERNS = ["*", "web_*", "*_search", "s*s*", "*issue*", "nothing_*"];
const IDS = ["voice-call", "weather", "github", "slack"];
const UNKNOWN = [
  "absent_plugin",
  ...[...CHANNEL_IDS].slice(1),
  "raed",
  "group:fss",
  "",
  "group:none",
];
const PROFILES = ["minimal", "coding", "messaging", "full"];
const PROVIDERS = ["openai", "anthropic", "google-antigravity"];
const MODELS = ["gpt-5.2", "claude-opus-4-6"];
const CHANNELS = ["slack", "telegram"];
const GROUP_IDS = ["C01", "-100200"];
const AGENT_IDS = ["ada", "support"];

export function createDice(random: () => number) {
  const whole = (below: number) => Math.floor(random() * below);
  const chance = (share: number) => random() < share;
  function pick<T>(choices: readonly T[]): T {
    for (const choice of choices.slice(whole(choices.length))) return choice;
    throw new Error("nothing to pick from");
  }
  const times = <T>(most: number, make: () => T) => Array.from({ length: whole(most + 1) }, make);
  return { whole, chance, pick, times };
}
export type Dice = ReturnType<typeof createDice>;

function makeEntry(dice: Dice): string {
  const kind = dice.whole(12);
  if (kind < 5) return dice.pick(TOOLS).name;
  if (kind < 8) return dice.pick(GROUPS);
  if (kind < 9) return dice.pick(ALIASES);
  if (kind < 10) return dice.pick(PATTERNS);
  return dice.pick(kind === 10 ? IDS : UNKNOWN);
}

const entries = (dice: Dice, most: number) => dice.times(most, () => makeEntry(dice));

/** Keeps the parts that chance chose. */
function some(dice: Dice, parts: Record<string, { share: number; make: () => unknown }>): Config {
  const kept = Object.entries(parts).filter(([, { share }]) => dice.chance(share));
  return Object.fromEntries(kept.map(([key, { make }]) => [key, make()]));
}

function makeLists(dice: Dice): Config {
  return some(dice, {
    allow: {
      share: 0.25,
      make: () => [...entries(dice, 8), "group:openclaw"].slice(dice.whole(2)),
    },
    alsoAllow: { share: 0.2, make: () => entries(dice, 4) },
    deny: { share: 0.5, make: () => entries(dice, 3) },
  });
}

function makeProfiled(dice: Dice): Config {
  const profile = { share: 0.3, make: () => dice.pick(PROFILES) };
  return { ...some(dice, { profile }), ...makeLists(dice) };
}

function makeByProvider(dice: Dice): Config {
  const keys = [...PROVIDERS, "openai/gpt-5.2", "anthropic/claude-opus-4-6"];
  return some(
    dice,
    Object.fromEntries(keys.map((key) => [key, { share: 0.5, make: () => makeProfiled(dice) }])),
  );
}

function makeBySender(dice: Dice): Config {
  const keys = ["id:u1", "channel:slack:u1", "u2", "e164:+49", "username:eve", "name:Eve", "*"];
  return some(
    dice,
    Object.fromEntries(keys.map((key) => [key, { share: 0.3, make: () => makeLists(dice) }])),
  );
}

function makeTools(dice: Dice): Config {
  const applyPatch = () =>
    some(dice, {
      enabled: { share: 0.4, make: () => dice.chance(0.5) },
      allowModels: { share: 0.3, make: () => [dice.pick([...MODELS, "openai/*"])] },
    });
  return {
    ...makeProfiled(dice),
    ...some(dice, {
      byProvider: { share: 0.5, make: () => makeByProvider(dice) },
      toolsBySender: { share: 0.4, make: () => makeBySender(dice) },
      sandbox: { share: 0.4, make: () => ({ tools: makeLists(dice) }) },
      exec: { share: 0.3, make: () => ({ applyPatch: applyPatch() }) },
    }),
  };
}

/** Always well formed, though names in it may be unknown or mistyped. */
export function makeConfig(dice: Dice): Config {
  const groups = () =>
    some(
      dice,
      Object.fromEntries(
        [...GROUP_IDS, "*"].map((id) => [
          id,
          {
            share: 0.6,
            make: () =>
              some(dice, {
                tools: { share: 0.6, make: () => makeLists(dice) },
                toolsBySender: { share: 0.3, make: () => makeBySender(dice) },
              }),
          },
        ]),
      ),
    );
  return {
    tools: {
      ...makeTools(dice),
      ...some(dice, {
        subagents: { share: 0.4, make: () => ({ tools: makeLists(dice) }) },
        unknownAllow: { share: 0.2, make: () => dice.pick(["deny", "ignore"]) },
      }),
    },
    agents: { list: AGENT_IDS.map((id) => ({ id, tools: makeTools(dice) })) },
    channels: Object.fromEntries(CHANNELS.map((channel) => [channel, { groups: groups() }])),
  };
}

export function makeRequest(dice: Dice): PolicyRequest {
  const sender = () =>
    some(dice, {
      id: { share: 0.6, make: () => dice.pick(["u1", "u2", "u3"]) },
      e164: { share: 0.3, make: () => "+49" },
      username: { share: 0.4, make: () => dice.pick(["eve", "@Eve", "bob"]) },
      name: { share: 0.4, make: () => "Eve" },
    });
  return some(dice, {
    agentId: { share: 0.5, make: () => dice.pick([...AGENT_IDS, "nobody"]) },
    provider: { share: 0.6, make: () => dice.pick(PROVIDERS) },
    model: { share: 0.6, make: () => dice.pick(MODELS) },
    channel: { share: 0.5, make: () => dice.pick(CHANNELS) },
    groupId: { share: 0.6, make: () => dice.pick([...GROUP_IDS, "other"]) },
    sender: { share: 0.5, make: sender },
    sandboxed: { share: 0.3, make: () => true },
    owner: { share: 0.3, make: () => dice.chance(0.3) },
    subagent: { share: 0.3, make: () => dice.pick(["leaf", "orchestrator"]) },
    toolsAllow: { share: 0.1, make: () => [...entries(dice, 4), "group:openclaw"] },
  });
}

/** Every name in a value, text or key, in another case. */
export function changeCase(value: unknown, dice: Dice): unknown {
  const recase = (text: string) =>
    [...text].map((letter) => (dice.chance(0.5) ? letter.toUpperCase() : letter)).join("");
  if (typeof value === "string") return recase(value);
  if (Array.isArray(value)) return value.map((item) => changeCase(item, dice));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      SETTING_KEYS.has(key) ? key : recase(key),
      key === "unknownAllow" ? item : changeCase(item, dice),
    ]),
  );
}

/** Keys that are words of the config or of a request, and no names. */
const SETTING_KEYS = new Set([
  ...["tools", "agents", "channels", "list", "id", "groups", "toolsBySender", "byProvider"],
  ...["profile", "allow", "alsoAllow", "deny", "sandbox", "subagents", "exec", "applyPatch"],
  ...["enabled", "allowModels", "unknownAllow", "agentId", "provider", "model", "channel"],
  ...["groupId", "sender", "e164", "username", "name", "toolsAllow", "owner", "sandboxed"],
]);
