// Properties of the policy over random configs and requests. Each removing layer, group, alias and
// kind of entry must have been seen, or the run proves nothing.
import { afterAll, describe, expect, it } from "vitest";
import { compilePolicy, filterToolsByPolicy } from "../../src/core/policy/compile.js";
import { LAYER_IDS } from "../../src/core/policy/layer.js";
import type { PolicyRequest } from "../../src/core/policy/request.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { mergeConfig } from "./merge-config.js";
import {
  ALIASES,
  type Config,
  changeCase,
  createDice,
  type Dice,
  GROUPS,
  makeConfig,
  makeRequest,
  PATTERNS,
  TOOLS,
} from "./random-policy.js";

const ROUNDS = campaignSize({ slice: 400, campaign: 20_000 });
const TIMEOUT_MS = campaignSize({ slice: 20_000, campaign: 1_800_000 });
const RESTORES_EACH = 4;

interface Case {
  readonly config: Config;
  readonly request: PolicyRequest;
  readonly dice: Dice;
}

/** The same cases for every property, one after the other. */
function* cases(): Iterable<Case> {
  const dice = createDice(seededRandom(campaignSeed()));
  for (let round = 0; round < ROUNDS; round++) {
    const config = makeConfig(dice);
    const request = makeRequest(dice);
    const own = createDice(seededRandom(campaignSeed() * ROUNDS + round));
    yield { config, request, dice: own };
  }
}

const compile = (config: Config, request: PolicyRequest) =>
  compilePolicy({ config, request, tools: TOOLS });

function left(config: Config, request: PolicyRequest): string[] {
  const policy = compile(config, request);
  return TOOLS.map(({ name }) => name).filter((name) => policy.allows(name));
}

/** What `more` has beyond `less`, with the case that shows it. */
function added(less: readonly string[], more: readonly string[]): string[] {
  return more.filter((name) => !less.includes(name));
}

const show = (config: Config, request: PolicyRequest) => JSON.stringify({ config, request });

/** Every list of the given name in a config, wherever it stands. */
function listsOf(value: unknown, key: string): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name === key && Array.isArray(item) ? [item] : listsOf(item, key),
  );
}

/** Places of a config: the holder and the key of each value in it. */
function placesOf(value: unknown): { holder: object; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    { holder: value, key },
    ...placesOf(item),
  ]);
}

const TITLES = {
  agree: "decide, allows and filter agree for every tool, by every name",
  deny: "a further denial never adds a tool",
  layers: "each layer only removes",
  restore: "the restoring patch restores, and brings nothing else",
  spelling: "letter case changes nothing",
  strangers: "keys of unknown providers, agents and channels change nothing",
  faults: "a malformed value never adds a tool",
};

describe("policy over random configs", () => {
  const removals = new Map<string, number>();
  const entriesSeen = new Set<string>();
  let checked = 0;

  it(
    TITLES.agree,
    () => {
      for (const { config, request } of cases()) {
        for (const list of ["allow", "alsoAllow", "deny"].flatMap((key) => listsOf(config, key))) {
          for (const entry of list) entriesSeen.add(entry);
        }
        const policy = compile(config, request);
        const kept = new Set(filterToolsByPolicy(TOOLS, policy));
        for (const tool of TOOLS) {
          const decision = policy.decide(tool.name);
          const answers = [tool.name.toUpperCase(), ...(tool.alsoKnownAs ?? [])].map(policy.allows);
          const isOne = [policy.allows(tool.name), kept.has(tool), ...answers].every(
            (answer) => answer === decision.allowed,
          );
          if (!isOne) expect.fail(`${tool.name}: ${show(config, request)}`);
          if (decision.allowed) continue;
          removals.set(decision.layer, (removals.get(decision.layer) ?? 0) + 1);
          expect(decision.reason.length).toBeGreaterThan(0);
        }
        if (policy.allows("no_such_tool")) expect.fail("an unknown name passed");
        removals.set("catalog", (removals.get("catalog") ?? 0) + 1);
        checked++;
      }
      reportCampaign({ title: TITLES.agree, size: checked * TOOLS.length });
    },
    TIMEOUT_MS,
  );

  it("the cases reach every layer as the removing one, every group, alias and pattern", () => {
    const table = LAYER_IDS.map((id) => [id, removals.get(id) ?? 0] as const);
    expect(table.filter(([, count]) => count === 0)).toEqual([]);
    const wanted = [...GROUPS, ...ALIASES, ...PATTERNS, ...TOOLS.map(({ name }) => name)];
    expect(wanted.filter((entry) => !entriesSeen.has(entry))).toEqual([]);
    const title = "the cases reach every layer as the removing one, every group, alias and pattern";
    const detail = table.map(([id, count]) => `${id} ${count}`).join(", ");
    reportCampaign({ title, size: checked, detail });
  });

  it(
    TITLES.deny,
    () => {
      let size = 0;
      for (const { config, request, dice } of cases()) {
        const before = left(config, request);
        const more = structuredClone(config);
        const lists = listsOf(more, "deny");
        if (lists.length === 0) continue;
        const denied = dice.pick([...TOOLS.map(({ name }) => name), ...GROUPS, ...PATTERNS]);
        dice.pick(lists).unshift(denied);
        const extra = added(before, left(more, request));
        if (extra.length > 0) expect.fail(`${denied} added ${extra}: ${show(config, request)}`);
        size++;
      }
      expect(size).toBeGreaterThan(ROUNDS / 2);
      reportCampaign({ title: TITLES.deny, size });
    },
    TIMEOUT_MS,
  );

  it(
    TITLES.layers,
    () => {
      const facts = [
        ["provider", "model"],
        ["groupId"],
        ["channel", "groupId", "sender"],
        ["sandboxed"],
        ["owner"],
        ["subagent"],
        ["toolsAllow"],
      ];
      let size = 0;
      for (const { config, request } of cases()) {
        const narrow = left(config, request);
        for (const fact of facts) {
          const entries = Object.entries(request).filter(([key]) => !fact.includes(key));
          const extra = added(left(config, Object.fromEntries(entries)), narrow);
          if (extra.length > 0) expect.fail(`${fact} added ${extra}: ${show(config, request)}`);
          size++;
        }
      }
      reportCampaign({ title: TITLES.layers, size });
    },
    TIMEOUT_MS,
  );

  it(
    TITLES.restore,
    () => {
      let size = 0;
      for (const { config, request, dice } of cases()) {
        const policy = compile(config, request);
        const before = left(config, request);
        const absent = TOOLS.filter(({ name }) => !before.includes(name));
        if (absent.length === 0) continue;
        for (const { name, ownerOnly } of dice.times(RESTORES_EACH, () => dice.pick(absent))) {
          const decision = policy.decide(name);
          if (decision.allowed) continue;
          const isBeyond =
            (ownerOnly && request.owner === false) ||
            (request.toolsAllow && !left({}, { toolsAllow: request.toolsAllow }).includes(name));
          if (isBeyond) {
            expect(decision.restore).toBeUndefined();
            continue;
          }
          if (!decision.restore) expect.fail(`no patch for ${name}: ${show(config, request)}`);
          const patched = mergeConfig(config, decision.restore);
          const extra = added(before, left(patched, request));
          if (extra.join() !== name) expect.fail(`${name} got ${extra}: ${show(config, request)}`);
          const errors = countErrors(patched, request) - countErrors(config, request);
          if (errors > 0) expect.fail(`${name} brought errors: ${show(config, request)}`);
          size++;
        }
      }
      expect(size).toBeGreaterThan(ROUNDS / 2);
      reportCampaign({ title: TITLES.restore, size });
    },
    TIMEOUT_MS,
  );

  it(
    TITLES.spelling,
    () => {
      for (const { config, request, dice } of cases()) {
        const loud = mergeConfig({}, toConfig(changeCase(config, dice)));
        const { subagent, ...names } = request;
        const same = { ...toConfig(changeCase(names, dice)), ...(subagent ? { subagent } : {}) };
        expect(left(loud, same), show(config, request)).toEqual(left(config, request));
      }
      reportCampaign({ title: TITLES.spelling, size: ROUNDS });
    },
    TIMEOUT_MS,
  );

  it(
    TITLES.strangers,
    () => {
      const deny = { deny: ["*"] };
      for (const { config, request } of cases()) {
        const crowded = structuredClone(config);
        for (const tools of placesOf(crowded).filter(({ key }) => key === "byProvider")) {
          const table: Config = Reflect.get(tools.holder, tools.key);
          table["nobody/none"] = deny;
          table.nobody = { profile: "minimal" };
        }
        for (const { holder } of placesOf(crowded).filter(({ key }) => key === "list")) {
          Reflect.get(holder, "list").push({ id: "stranger", tools: deny });
        }
        const channels: Config = {
          ...toConfig(crowded.channels),
          elsewhere: { groups: { "*": { tools: deny } } },
        };
        const wider = { ...crowded, channels };
        expect(left(wider, request), show(config, request)).toEqual(left(config, request));
      }
      reportCampaign({ title: TITLES.strangers, size: ROUNDS });
    },
    TIMEOUT_MS,
  );

  it(
    TITLES.faults,
    () => {
      for (const { config, request, dice } of cases()) {
        const broken = structuredClone(config);
        const { holder, key } = dice.pick(placesOf(broken));
        Reflect.set(holder, key, dice.pick([5, null]));
        const extra = added(left(config, request), left(broken, request));
        if (extra.length > 0) expect.fail(`${key} added ${extra}: ${show(broken, request)}`);
      }
      reportCampaign({ title: TITLES.faults, size: ROUNDS });
    },
    TIMEOUT_MS,
  );

  afterAll(() => {
    expect(checked).toBe(ROUNDS);
  });
});

function countErrors(config: Config, request: PolicyRequest): number {
  return compile(config, request).warnings.filter(({ severity }) => severity === "error").length;
}

function toConfig(value: unknown): Config {
  if (typeof value !== "object" || value === null) throw new Error("no config");
  return { ...value };
}
