// Random schemas for every target: what fitted still fits, the linter is content, and what a strict
// model sends comes back to valid arguments.
import { expect, it } from "vitest";
import { createPrepare } from "../../src/core/invoke/prepare.js";
import { compileValidator } from "../../src/core/schema/standard.js";
import type { CompiledSchema } from "../../src/core/schema/targets/compile-schema.js";
import { compileTools } from "../../src/core/schema/targets/compiler.js";
import { readCallSchema } from "../../src/core/schema/targets/read-parameters.js";
import { SCHEMA_TARGETS } from "../../src/core/schema/targets/target.js";
import type { Validator } from "../../src/core/schema/validator.js";
import { createTimeGuard } from "../../src/drivers/time-guard.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { createSampler } from "./random-schemas.js";
import { fillWithNull, findMisfit, isValidSchema } from "./reader.js";

const SCHEMAS = campaignSize({ slice: 25, campaign: 20_000 });
const TIMEOUT_MS = campaignSize({ slice: 240_000, campaign: 3_600_000 });
const DEPTH = 4;
const TITLE = "f7 · random schemas lose no valid sample for any target";

const guard = createTimeGuard();

it(
  TITLE,
  async () => {
    const drawParameters = createSampler(seededRandom(campaignSeed()));
    let tried = 0;
    for (let index = 0; index < SCHEMAS; index += 1) {
      const { schema: parameters, value } = drawParameters(DEPTH);
      const validator = await compileValidator(parameters, { guard });
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      if (!isObject || !validator.check(value).ok) continue;
      tried += 1;
      const door = await readDoor(parameters, validator);
      expect(door.validator.check(value).ok, JSON.stringify({ parameters, value })).toBe(true);
      for (const target of SCHEMA_TARGETS) {
        const tool = { name: "tool", description: "Does it.", parameters };
        const { compiled, quarantined } = compileTools([tool], target);
        const context = JSON.stringify({ target, parameters, value });
        expect(
          quarantined.map(({ reason }) => reason),
          context,
        ).toEqual([]);
        for (const schema of compiled) {
          const sent = schema.strict ? fillWithNull(value, schema.schema) : value;
          expect(isValidSchema(schema.schema), context).toBe(true);
          expect(
            findMisfit({ schema: schema.schema, value: sent, target }),
            context,
          ).toBeUndefined();
          expect(comesBack({ schema, sent, ...door }), context).toBe(true);
        }
      }
    }
    expect(tried).toBeGreaterThan(SCHEMAS / 2);
    reportCampaign({ title: TITLE, size: tried * SCHEMA_TARGETS.length });
  },
  TIMEOUT_MS,
);

interface Door {
  readonly parameters: Record<string, unknown>;
  readonly validator: Validator;
}

interface Answer extends Door {
  readonly schema: CompiledSchema;
  readonly sent: unknown;
}

/** What a call is held to, which may be wider than what was written. */
async function readDoor(written: Record<string, unknown>, known: Validator): Promise<Door> {
  const parameters = readCallSchema(written);
  const validator = parameters === written ? known : await compileValidator(parameters, { guard });
  return { parameters, validator };
}

/** Whether the arguments of a strict call are valid once they are prepared. */
function comesBack({ schema, sent, parameters, validator }: Answer): boolean {
  if (schema.strict !== true) return true;
  const prepare = createPrepare({ parameters, aliases: {}, maxArgumentChars: undefined });
  return validator.check(prepare(sent)).ok;
}
