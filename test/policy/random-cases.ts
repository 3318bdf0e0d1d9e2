// The random cases of the policy's properties, and how a case is asked and shown.

import type { PolicyRequest, PolicyTool } from "../../src/core/policy/tools.js";
import { compilePolicy } from "../../src/toolkit/catalog.js";
import { campaignSeed, campaignSize, seededRandom } from "../fakes/campaign.js";
import {
  type Config,
  createDice,
  type Dice,
  makeConfig,
  makeRequest,
  makeTools,
  ORDINARY,
} from "./random-policy.js";

export const ROUNDS = campaignSize({ slice: 400, campaign: 20_000 });
export const TIMEOUT_MS = campaignSize({ slice: 240_000, campaign: 1_800_000 });

const SALT_STEP = 7_919;

export interface Situation {
  readonly tools: readonly PolicyTool[];
  readonly config: Config;
  readonly request: PolicyRequest;
}

export interface Case extends Situation {
  /** Of this case alone, so that no property changes the cases of another. */
  readonly dice: Dice;
}

/** The same cases for every property, one after the other; `salt` gives each case other dice. */
export function* cases({ salt = 0 } = {}): Iterable<Case> {
  const dice = createDice(seededRandom(campaignSeed()));
  for (let round = 0; round < ROUNDS; round++) {
    const tools = makeTools(dice);
    const config = makeConfig(dice);
    const request = makeRequest(dice);
    const own = createDice(seededRandom((campaignSeed() + salt * SALT_STEP) * ROUNDS + round));
    yield { tools, config, request, dice: own };
  }
}

/** The names of the tools that are left, in their order. */
export function left(situation: Situation): string[] {
  const policy = compilePolicy(situation);
  return situation.tools.map(({ name }) => name).filter((name) => policy.allows(name));
}

/** What `more` has beyond `less`. */
export function added(less: readonly string[], more: readonly string[]): string[] {
  return more.filter((name) => !less.includes(name));
}

export function show({ tools, config, request }: Situation): string {
  return JSON.stringify({ config, request, tools: tools === ORDINARY ? "ordinary" : tools });
}
