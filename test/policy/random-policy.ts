// Random tools, configs and requests that reach every layer, group, alias and kind of entry.

import { CHANNEL_IDS, ORIGIN_GROUPS } from "../../src/core/policy/names.js";
import type { PolicyRequest, PolicyTool } from "../../src/core/policy/tools.js";
import { BUILT_INS } from "../../src/toolkit/catalog.js";
import { BUILT_IN, plugin, server } from "./policy-of.js";

export type Config = Record<string, unknown>;

/** Their names, ids and other names are all different, but for those that must not count. */
export const ORDINARY: readonly PolicyTool[] = [
  ...BUILT_IN,
  ...plugin("voice-call", "voice_call", "Voice_Stop"),
  ...plugin("Weather", "forecast"),
  ...plugin("slack", "slack"),
  ...server("github", "listIssues", "create_issue"),
  { name: "house_lights", origin: "custom", alsoKnownAs: ["lamp-switch", "read", "bash"] },
  { name: "open_safe", origin: "custom", ownerOnly: true },
];

/** Tools with a name or an id that belongs to another one too. */
const BORROWERS: readonly PolicyTool[] = [
  ...plugin("read", "page_reader"),
  ...plugin("lobster", "lobster_pot"),
  ...plugin("shell", "bash"),
  ...plugin("pager", "pager", "pager_off"),
  ...server("studio", "IMAGE", "Exec"),
  { name: "Forecast", origin: "custom", alsoKnownAs: ["lamp-switch"] },
  { name: "no_server", origin: "mcp" },
];

export const GROUPS = [...BUILT_INS.groups.keys(), ...ORIGIN_GROUPS.keys()];
/** Other names, and the tool each of them stands for. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bash", "exec"],
  ["apply-patch", "apply_patch"],
  ["lamp-switch", "house_lights"],
]);
export const PATTERNS = ["*", "web_*", "*_search", "s*s*", "*issue*", "nothing_*"];
export const IDS = ["voice-call", "weather", "github", "slack", "pager", "read", "lobster"];
const UNKNOWN = ["absent_plugin", ...CHANNEL_IDS, "raed", "group:fss", "", "group:nowhere"];
const PROFILES = ["minimal", "coding", "messaging", "full"];
const PROVIDERS = ["openai", "anthropic", "google-antigravity", "openrouter"];
export const PROVIDER_KEYS = [
  ...PROVIDERS,
  "openai/gpt-5.2",
  "anthropic/claude-opus-4-6",
  "openrouter/openai/gpt-5.2",
];
const MODELS = ["gpt-5.2", "claude-opus-4-6", "openai/gpt-5.2"];
export const SENDER_KEYS = [
  ...["id:u1", "channel:slack:u1", "channel:telegram:u2", "u2", "e164:+49"],
  ...["username:eve", "username:@bob", "name:Eve", "*"],
];
const CHANNELS = ["slack", "telegram"];
const GROUP_IDS = ["C01", "team"];
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

/** In most cases the ordinary ones; else some are missing, and some borrow names. */
export function makeTools(dice: Dice): readonly PolicyTool[] {
  if (dice.chance(0.6)) return ORDINARY;
  const present = ORDINARY.filter(() => dice.chance(0.85));
  return [...present, ...BORROWERS.filter(() => dice.chance(0.5))];
}

function makeEntry(dice: Dice): string {
  const kind = dice.whole(12);
  if (kind < 5) return dice.pick(dice.chance(0.9) ? ORDINARY : BORROWERS).name;
  if (kind < 8) return dice.pick(GROUPS);
  if (kind < 9) return dice.pick([...ALIASES.keys()]);
  if (kind < 10) return dice.pick(PATTERNS);
  return dice.pick(kind === 10 ? IDS : UNKNOWN);
}

const entries = (dice: Dice, most: number) => dice.times(most, () => makeEntry(dice));

/** A list without a built-in name, which beside a profile adds and alone may not count. */
function optionalEntries(dice: Dice): string[] {
  const names = ["absent_plugin", "another_one", ...CHANNEL_IDS];
  const here = [...IDS.slice(0, 4), "forecast", "group:mcp", "house_lights"];
  return [dice.pick(names), ...dice.times(2, () => dice.pick(dice.chance(0.7) ? names : here))];
}

type Parts = Record<string, { share: number; make: () => unknown }>;

/** Keeps the parts that chance chose. */
function some(dice: Dice, parts: Parts): Config {
  const kept = Object.entries(parts).filter(([, { share }]) => dice.chance(share));
  return Object.fromEntries(kept.map(([key, { make }]) => [key, make()]));
}

/** Keeps each of the keys with the same chance. */
function someOf(dice: Dice, { keys, share, make }: { keys: string[] } & Parts[string]): Config {
  return some(dice, Object.fromEntries(keys.map((key) => [key, { share, make }])));
}

function makeLists(dice: Dice): Config {
  const wide = () => [...entries(dice, 8), "group:openclaw"].slice(dice.whole(2));
  return some(dice, {
    allow: { share: 0.3, make: () => (dice.chance(0.3) ? optionalEntries(dice) : wide()) },
    alsoAllow: { share: 0.2, make: () => entries(dice, 4) },
    deny: { share: 0.5, make: () => entries(dice, 3) },
  });
}

function makeProfiled(dice: Dice): Config {
  const profile = { share: 0.3, make: () => dice.pick(PROFILES) };
  return { ...some(dice, { profile }), ...makeLists(dice) };
}

const makeByProvider = (dice: Dice) =>
  someOf(dice, { keys: PROVIDER_KEYS, share: 0.4, make: () => makeProfiled(dice) });

const makeBySender = (dice: Dice) =>
  someOf(dice, { keys: SENDER_KEYS, share: 0.3, make: () => makeLists(dice) });

function makeToolsSection(dice: Dice): Config {
  const applyPatch = () =>
    some(dice, {
      enabled: { share: 0.4, make: () => dice.chance(0.5) },
      allowModels: { share: 0.3, make: () => [dice.pick([...MODELS, "openai/*", ""])] },
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
  const group = () =>
    some(dice, {
      tools: { share: 0.6, make: () => makeLists(dice) },
      toolsBySender: { share: 0.3, make: () => makeBySender(dice) },
    });
  const channel = () => ({
    groups: someOf(dice, { keys: [...GROUP_IDS, "*"], share: 0.6, make: group }),
  });
  return {
    tools: {
      ...makeToolsSection(dice),
      ...some(dice, {
        subagents: { share: 0.4, make: () => ({ tools: makeLists(dice) }) },
        unknownAllow: { share: 0.2, make: () => dice.pick(["deny", "ignore"]) },
      }),
    },
    ...some(dice, {
      agents: {
        share: 0.9,
        make: () => ({ list: AGENT_IDS.map((id) => ({ id, tools: makeToolsSection(dice) })) }),
      },
      channels: {
        share: 0.9,
        make: () => someOf(dice, { keys: CHANNELS, share: 0.85, make: channel }),
      },
    }),
  };
}

export function makeRequest(dice: Dice): PolicyRequest {
  const sender = () =>
    some(dice, {
      id: { share: 0.6, make: () => dice.pick(["u1", "u2", "u3", "*", "name:Eve"]) },
      e164: { share: 0.3, make: () => "+49" },
      username: { share: 0.4, make: () => dice.pick(["eve", "@Eve", "bob"]) },
      name: { share: 0.4, make: () => "Eve" },
    });
  return some(dice, {
    agentId: { share: 0.5, make: () => dice.pick([...AGENT_IDS, "nobody"]) },
    provider: { share: 0.6, make: () => dice.pick(PROVIDERS) },
    model: { share: 0.6, make: () => dice.pick(MODELS) },
    channel: { share: 0.5, make: () => dice.pick([...CHANNELS, "elsewhere"]) },
    groupId: { share: 0.6, make: () => dice.pick([...GROUP_IDS, "other", "*"]) },
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
export const SETTING_KEYS: ReadonlySet<string> = new Set([
  ...["tools", "agents", "channels", "list", "id", "groups", "toolsBySender", "byProvider"],
  ...["profile", "allow", "alsoAllow", "deny", "sandbox", "subagents", "exec", "applyPatch"],
  ...["enabled", "allowModels", "unknownAllow", "agentId", "provider", "model", "channel"],
  ...["groupId", "sender", "e164", "username", "name", "toolsAllow", "owner", "sandboxed"],
]);
