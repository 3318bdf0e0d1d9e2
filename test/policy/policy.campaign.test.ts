// Properties of the policy over random tools, configs and requests. Each removing layer, group, alias,
// kind of entry and kind of warning must have been seen, or the run proves nothing; that the cases
// also reach the branches of the code is measured by `npm run check`.
import { describe, expect, it } from "vitest";
import { filterToolsByPolicy, type ToolPolicy } from "../../src/core/policy/compile.js";
import type { PolicyWarningCode } from "../../src/core/policy/found.js";
import { LAYER_IDS } from "../../src/core/policy/layer.js";
import type { PolicyTool } from "../../src/core/policy/tools.js";
import { compilePolicy } from "../../src/toolkit/catalog.js";
import { reportCampaign } from "../fakes/campaign.js";
import { changeNamedRule } from "./change-rule.js";
import { isObject, mergeConfig } from "./merge-config.js";
import { passes } from "./plain-reader.js";
import { added, cases, left, ROUNDS, type Situation, show, TIMEOUT_MS } from "./random-cases.js";
import { breakConfig, breakRequest, placesOf } from "./random-faults.js";
import {
  ALIASES,
  type Config,
  changeCase,
  GROUPS,
  IDS,
  ORDINARY,
  PATTERNS,
  PROVIDER_KEYS,
  SENDER_KEYS,
} from "./random-policy.js";

const NAMES = ORDINARY.map(({ name }) => name);
const ENTRIES = [...NAMES, ...GROUPS, ...ALIASES.keys(), ...PATTERNS, ...IDS];
const CODES = {
  malformed: true,
  typo: true,
  unknown_name: true,
  unknown_group: true,
  not_loaded: true,
  pattern_unmatched: true,
  blank_entry: true,
  empty_allow: true,
  allow_ignored: true,
  allow_conflict: true,
  mutable_sender: true,
} satisfies Record<PolicyWarningCode, true>;

const FAULTS_EACH = 6;
const LIST_KEYS = ["allow", "alsoAllow", "deny"];
/** What of a request puts a layer in force, and can be left away without choosing other rules. */
const LAYER_FACTS: readonly (readonly string[])[] = [
  ["provider", "model"],
  ["groupId"],
  ["channel", "groupId", "sender"],
  ["sandboxed"],
  ["owner"],
  ["subagent"],
  ["toolsAllow"],
];

const fold = (name: string) => name.toLowerCase();

interface Asked extends Situation {
  readonly policy: ToolPolicy;
}

/** By its own name, by the filter, in capitals: one answer, and for namesakes the stricter one. */
function isAnsweredAlike(tool: PolicyTool, { tools, policy }: Asked): boolean {
  const { allowed } = policy.decide(tool.name);
  const namesakes = tools.filter(({ name }) => fold(name) === fold(tool.name));
  const isOne = policy.allows(tool.name) === allowed;
  const isKept = filterToolsByPolicy([tool], policy).includes(tool) === allowed;
  const isLoudToo =
    policy.allows(` ${tool.name.toUpperCase()}`) ===
    namesakes.every(({ name }) => policy.allows(name));
  return isOne && isKept && isLoudToo;
}

/**
 * An other name answers as its tool does, unless a tool is called so, whoever else lays claim to it;
 * and nobody answers to the name of a built-in tool that is not here.
 */
function isAliasAlike([alias, target]: [string, string], { tools, policy }: Asked): boolean {
  const isHere = (wanted: string) => tools.some(({ name }) => fold(name) === wanted);
  if (!isHere("read") && policy.allows("read")) return false;
  if (isHere(alias) || !tools.some(({ name }) => name === target)) return true;
  return policy.allows(alias.toUpperCase()) === policy.allows(target.toUpperCase());
}

/** The layer that is named is in force, and the rule that is named is the one that removed the tool. */
function findFaultOfReason({ name }: PolicyTool, asked: Asked): string | undefined {
  const decision = asked.policy.decide(name);
  if (decision.allowed) return undefined;
  const { layer, rule, reason } = decision;
  if (!asked.policy.layers.some(({ id }) => id === layer)) return `${layer} is not in force`;
  if (reason === "") return "no reason";
  const changed = changeNamedRule({ config: asked.config, rule, name });
  if (!changed) return undefined;
  const { mended, alone } = changed;
  if (ruleOf(name, { ...asked, config: mended }) === rule) return `not by ${rule}`;
  const isProven = !alone || ruleOf(name, { ...asked, config: alone.config }) === alone.rule;
  return isProven ? undefined : `not by ${rule} alone`;
}

function ruleOf(name: string, situation: Situation): string | undefined {
  const decision = compilePolicy(situation).decide(name);
  return decision.allowed ? undefined : decision.rule;
}

describe("policy over random configs", () => {
  const agreeTitle = "decision, filter and explanation agree for every tool, by every name";
  it(
    agreeTitle,
    () => {
      let size = 0;
      for (const one of cases()) {
        const asked = { ...one, policy: compilePolicy(one) };
        for (const tool of one.tools) {
          if (!isAnsweredAlike(tool, asked)) expect.fail(`${tool.name}: ${show(one)}`);
          const fault = findFaultOfReason(tool, asked);
          if (fault) expect.fail(`${tool.name}, ${fault}: ${show(one)}`);
          size++;
        }
        for (const alias of ALIASES) {
          if (!isAliasAlike(alias, asked)) expect.fail(`${alias}: ${show(one)}`);
        }
        const unknown = asked.policy.decide("no_such_tool");
        expect(unknown).toMatchObject({ allowed: false, layer: "catalog" });
      }
      reportCampaign({ title: agreeTitle, size });
    },
    TIMEOUT_MS,
  );

  const reachTitle = "the cases reach every layer, group, alias, pattern, id, key and warning";
  it(
    reachTitle,
    () => {
      const removals = new Map<string, number>([["catalog", 0]]);
      const seen = new Set<string>();
      for (const one of cases({ salt: 2 })) {
        for (const { holder, key } of placesOf(one.config)) {
          seen.add(Array.isArray(holder) ? String(Reflect.get(holder, key)) : key);
        }
        const policy = compilePolicy(one);
        for (const name of [...one.tools.map((tool) => tool.name), "no_such_tool"]) {
          const decision = policy.decide(name);
          if (decision.allowed) continue;
          removals.set(decision.layer, (removals.get(decision.layer) ?? 0) + 1);
        }
        const broken = compilePolicy({ ...one, config: breakConfig(one.config, one.dice).config });
        for (const { code } of [...policy.warnings, ...broken.warnings]) seen.add(code);
      }
      const table = LAYER_IDS.map((id) => [id, removals.get(id) ?? 0] as const);
      expect(table.filter(([, count]) => count === 0)).toEqual([]);
      const wanted = [...ENTRIES, ...PROVIDER_KEYS, ...SENDER_KEYS, ...Object.keys(CODES)];
      expect(wanted.filter((word) => !seen.has(word))).toEqual([]);
      const detail = table.map(([id, count]) => `${id} ${count}`).join(", ");
      reportCampaign({ title: reachTitle, size: ROUNDS, detail });
    },
    TIMEOUT_MS,
  );

  const denyTitle = "a further denial never adds a tool";
  it(
    denyTitle,
    () => {
      let size = 0;
      for (const one of cases()) {
        const { dice } = one;
        const config = structuredClone(one.config);
        const scopes: Config[] = placesOf(config)
          .map(({ holder, key }) => Reflect.get(holder, key))
          .filter((value) => isObject(value) && LIST_KEYS.some((key) => key in value));
        if (scopes.length === 0) continue;
        const denied = dice.pick(ENTRIES);
        const scope = dice.pick(scopes);
        const before = Array.isArray(scope.deny) ? scope.deny : [];
        scope.deny = dice.chance(0.5) ? [denied, ...before] : [...before, denied];
        const extra = added(left(one), left({ ...one, config }));
        if (extra.length > 0) expect.fail(`${denied} added ${extra}: ${show(one)}`);
        size++;
      }
      expect(size).toBeGreaterThan(ROUNDS / 2);
      reportCampaign({ title: denyTitle, size });
    },
    TIMEOUT_MS,
  );

  const layersTitle = "each layer only removes";
  it(
    layersTitle,
    () => {
      let size = 0;
      for (const one of cases()) {
        const narrow = left(one);
        for (const facts of LAYER_FACTS) {
          const rest = Object.entries(one.request).filter(([key]) => !facts.includes(key));
          const extra = added(left({ ...one, request: Object.fromEntries(rest) }), narrow);
          if (extra.length > 0) expect.fail(`${facts} added ${extra}: ${show(one)}`);
          size++;
        }
      }
      expect(size).toBeGreaterThanOrEqual(ROUNDS * LAYER_FACTS.length);
      reportCampaign({ title: layersTitle, size });
    },
    TIMEOUT_MS,
  );

  const listedTitle = "the layers as they are listed leave what the policy leaves";
  it(
    listedTitle,
    () => {
      let size = 0;
      for (const one of cases()) {
        // A borrowed name means less in an allow list than it says.
        if (one.tools !== ORDINARY) continue;
        const { layers } = compilePolicy(one);
        const order = layers.map(({ id }) => LAYER_IDS.indexOf(id));
        expect(order).toEqual(order.toSorted((first, second) => first - second));
        const passed = one.tools.filter((tool) => layers.every((layer) => passes(tool, layer)));
        expect(
          passed.map(({ name }) => name),
          show(one),
        ).toEqual(left(one));
        size++;
      }
      expect(size).toBeGreaterThan(ROUNDS / 2);
      reportCampaign({ title: listedTitle, size });
    },
    TIMEOUT_MS,
  );

  const spellingTitle = "letter case changes nothing";
  it(
    spellingTitle,
    () => {
      for (const one of cases()) {
        const config = mergeConfig({}, toConfig(changeCase(one.config, one.dice)));
        const { subagent, ...names } = one.request;
        const loud = toConfig(changeCase(names, one.dice));
        const request = { ...loud, ...(subagent ? { subagent } : {}) };
        expect(left({ ...one, config, request }), show(one)).toEqual(left(one));
      }
      reportCampaign({ title: spellingTitle, size: ROUNDS });
    },
    TIMEOUT_MS,
  );

  const strangersTitle = "keys of unknown providers, agents and channels change nothing";
  it(
    strangersTitle,
    () => {
      const deny = { deny: ["*"] };
      const providers = { "nobody/none": deny, nobody: { profile: "minimal" } };
      for (const one of cases()) {
        const crowded = structuredClone(one.config);
        for (const { holder, key } of placesOf(crowded)) {
          const value = Reflect.get(holder, key);
          if (key === "byProvider") Object.assign(value, providers);
          if (key === "list") value.push({ id: "stranger", tools: deny });
        }
        const nowhere = { groups: { "*": { tools: deny } } };
        const channels = { ...toConfig(crowded.channels ?? {}), nowhere };
        const config = { ...crowded, channels };
        expect(left({ ...one, config }), show(one)).toEqual(left(one));
      }
      reportCampaign({ title: strangersTitle, size: ROUNDS });
    },
    TIMEOUT_MS,
  );

  const faultsTitle = "a malformed value never adds a tool";
  it(
    faultsTitle,
    () => {
      let size = 0;
      for (const one of cases()) {
        const before = left(one);
        const { config, request, dice } = one;
        const faults = Array.from({ length: FAULTS_EACH }, () => breakConfig(config, dice));
        const wrongs = [
          ...faults.map((fault) => ({ ...one, config: fault.config })),
          { ...one, request: breakRequest(request, dice) },
        ];
        for (const wrong of wrongs) {
          const extra = added(before, left(wrong));
          if (extra.length > 0) expect.fail(`added ${extra}: ${show(wrong)}`);
          size++;
        }
      }
      expect(size).toBe(ROUNDS * (FAULTS_EACH + 1));
      reportCampaign({ title: faultsTitle, size });
    },
    TIMEOUT_MS,
  );
});

function toConfig(value: unknown): Config {
  if (typeof value !== "object" || value === null) throw new Error("no config");
  return { ...value };
}
