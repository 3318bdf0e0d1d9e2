// One thing wrong in a config or a request: a value of the wrong kind, a slip in a profile, two keys
// that differ in case alone, two agents with one id.
import type { PolicyRequest } from "../../src/core/policy/tools.js";
import {
  type Config,
  type Dice,
  PROVIDER_KEYS,
  SENDER_KEYS,
  SETTING_KEYS,
} from "./random-policy.js";

/** The holder and the key of a value in a config. */
export interface Place {
  readonly holder: object;
  readonly key: string;
}

export function placesOf(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    { holder: value, key },
    ...placesOf(item),
  ]);
}

export interface Broken {
  readonly config: Config;
  /** No patch can put it right: it could not take a key or an agent away. */
  readonly isBeyondPatching: boolean;
}

/** A copy with one fault; the config itself may be what is wrong. */
export function breakConfig(config: Config, dice: Dice): Broken {
  if (dice.chance(0.03)) return { config: notAnObject(dice), isBeyondPatching: false };
  const broken = structuredClone(config);
  const places = placesOf(broken);
  if (dice.chance(0.1)) return { config: doubleAgent(broken, places), isBeyondPatching: true };
  const named = places.filter(({ key }) => TWIN_KEYS.includes(key));
  if (named.length > 0 && dice.chance(0.2)) {
    splitKey(dice.pick(named));
    return { config: broken, isBeyondPatching: true };
  }
  const kind = dice.pick([...new Set(places.map(kindOfPlace))]);
  const place = dice.pick(places.filter((candidate) => kindOfPlace(candidate) === kind));
  Reflect.set(place.holder, place.key, wrongValue(place, dice));
  return { config: broken, isBeyondPatching: hasNamelessAgent(broken) };
}

/** A copy whose cap is no list of names, or whose kind of sub-agent nobody knows. */
export function breakRequest(request: PolicyRequest, dice: Dice): PolicyRequest {
  const wrong: Config = dice.pick([
    { toolsAllow: "read" },
    { toolsAllow: ["read", 5] },
    { toolsAllow: null },
    { subagent: "chief" },
  ]);
  return { ...request, ...wrong };
}

const KINDS: readonly unknown[] = [5, null, "codign", true, [], {}, [5]];
const TWIN_KEYS = [...PROVIDER_KEYS, ...SENDER_KEYS, "slack", "telegram", "team"].filter(
  (key) => key.toUpperCase() !== key,
);

function hasNamelessAgent(config: Config): boolean {
  const list = placesOf(config).find(({ key }) => key === "list");
  const agents: unknown = list && Reflect.get(list.holder, list.key);
  return Array.isArray(agents) && agents.some((agent) => typeof agent?.id !== "string");
}

/** So that a place of which there is one is as likely as one of the many entries of lists. */
function kindOfPlace({ holder, key }: Place): string {
  if (Array.isArray(holder)) return "entry";
  return SETTING_KEYS.has(key) ? key : "name";
}

/** Nothing that would be right there. */
function wrongValue({ holder, key }: Place, dice: Dice): unknown {
  const before: unknown = Reflect.get(holder, key);
  const isName = typeof before === "string" && (Array.isArray(holder) || key === "id");
  const fitting = KINDS.filter((kind) => {
    if (Array.isArray(before)) return !Array.isArray(kind) || kind.length > 0;
    if (isName) return typeof kind !== "string";
    return typeof before === "string" || kindOf(kind) !== kindOf(before);
  });
  return dice.pick(fitting);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** What no type allows and a program without types can send all the same. */
function notAnObject(dice: Dice): Config {
  const holder = { config: dice.pick(KINDS.filter((kind) => kindOf(kind) !== "object")) };
  return JSON.parse(JSON.stringify(holder)).config;
}

/** Neither of the two is spelled as it will be asked for. */
function splitKey({ holder, key }: Place): void {
  const value: unknown = Reflect.get(holder, key);
  Reflect.deleteProperty(holder, key);
  Reflect.set(holder, key.toUpperCase(), value);
  Reflect.set(holder, ` ${key}`, structuredClone(value));
}

function doubleAgent(config: Config, places: readonly Place[]): Config {
  for (const { holder, key } of places.filter((place) => place.key === "list")) {
    const agents: unknown[] = Reflect.get(holder, key);
    Reflect.set(holder, key, [...agents, structuredClone(agents[0])]);
  }
  return config;
}
