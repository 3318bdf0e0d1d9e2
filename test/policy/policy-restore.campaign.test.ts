// The restoring patches of the policy over random tools, configs and requests: each is applied, and
// the tool is there.
import { expect, it } from "vitest";
import type { PolicyTool } from "../../src/core/policy/tools.js";
import { compilePolicy } from "../../src/toolkit/catalog.js";
import { reportCampaign } from "../fakes/campaign.js";
import { isObject, mergeConfig } from "./merge-config.js";
import {
  added,
  type Case,
  cases,
  left,
  ROUNDS,
  type Situation,
  show,
  TIMEOUT_MS,
} from "./random-cases.js";
import { breakConfig } from "./random-faults.js";
import type { Config } from "./random-policy.js";

const RESTORES_EACH = 4;
const RESTORE_TITLE = "the restoring patch restores, and brings nothing else";
const MEND_TITLE = "the restoring patch restores where the config is malformed";

function someAbsent({ dice, ...situation }: Case): PolicyTool[] {
  const present = left(situation);
  const absent = situation.tools.filter(({ name }) => !present.includes(name));
  return absent.length === 0 ? [] : dice.times(RESTORES_EACH, () => dice.pick(absent));
}

function restoreOf({ name }: PolicyTool, situation: Situation): Config | undefined {
  const decision = compilePolicy(situation).decide(name);
  return decision.allowed ? undefined : decision.restore;
}

/** Whether the caller itself keeps the tool out, so that no config can bring it. */
function isBeyondConfig({ name, ownerOnly }: PolicyTool, { tools, request }: Situation): boolean {
  const { owner, toolsAllow } = request;
  if (ownerOnly && owner === false) return true;
  if (toolsAllow === undefined) return false;
  return !left({ tools, config: {}, request: { toolsAllow } }).includes(name);
}

function countErrors(situation: Situation): number {
  const { warnings } = compilePolicy(situation);
  return warnings.filter(({ severity }) => severity === "error").length;
}

/** Whether no entry of a list speaks of one tool without the other. */
function areBound(name: string, { other, tools }: { other: string; tools: Case["tools"] }) {
  const by = (lists: Config) => left({ tools, config: { tools: lists }, request: {} });
  return !by({ deny: [other] }).includes(name) || by({ allow: [name] }).includes(other);
}

it(
  RESTORE_TITLE,
  () => {
    let size = 0;
    for (const one of cases()) {
      const { tools, config } = one;
      for (const tool of someAbsent(one)) {
        const { name } = tool;
        const restore = restoreOf(tool, one);
        const isBeyond = isBeyondConfig(tool, one);
        if (isBeyond !== (restore === undefined)) expect.fail(`patch for ${name}: ${show(one)}`);
        if (!restore) continue;
        const patched = { ...one, config: mergeConfig(config, restore) };
        const extra = added(left(one), left(patched));
        const others = extra.filter((other) => other !== name && !areBound(name, { other, tools }));
        const isRight = extra.includes(name) && others.length === 0;
        if (!isRight) expect.fail(`${name} got ${extra}: ${show(one)}`);
        if (countErrors(patched) > countErrors(one)) expect.fail(`${name} errs: ${show(one)}`);
        size++;
      }
    }
    expect(size).toBeGreaterThan(ROUNDS / 2);
    reportCampaign({ title: RESTORE_TITLE, size });
  },
  TIMEOUT_MS,
);

it(
  MEND_TITLE,
  () => {
    let size = 0;
    for (const sound of cases({ salt: 1 })) {
      const { config, isBeyondPatching } = breakConfig(sound.config, sound.dice);
      const one = { ...sound, config };
      for (const tool of someAbsent(one)) {
        const { name } = tool;
        const restore = restoreOf(tool, one);
        const isDue = !isBeyondPatching && !isBeyondConfig(tool, one);
        if (isDue && !restore) expect.fail(`no patch for ${name}: ${show(one)}`);
        if (!restore) continue;
        const patched = { ...one, config: mergeConfig(isObject(config) ? config : {}, restore) };
        if (!left(patched).includes(name)) expect.fail(`${name} is not back: ${show(one)}`);
        size++;
      }
    }
    expect(size).toBeGreaterThan(ROUNDS / 2);
    reportCampaign({ title: MEND_TITLE, size });
  },
  TIMEOUT_MS,
);
