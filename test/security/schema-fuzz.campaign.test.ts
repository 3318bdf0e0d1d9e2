// Random schemas and values through everything that reads schemas. Good ones get the same verdict as
// from another validator; hostile ones get an answer or a typed error, in time.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  cleanSchemaForGemini,
  compileValidator,
  extractToolSchemas,
  isToolError,
  normalizeSchema,
} from "../../src/core/index.js";
import { fits } from "../../src/core/schema/check/inspect.js";
import { linkSchema } from "../../src/core/schema/check/link.js";
import type { ValidationOutcome } from "../../src/core/schema/validator.js";
import { createTimeGuard } from "../../src/drivers/time-guard.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";

const GOOD_SCHEMAS = campaignSize({ slice: 120, campaign: 30_000 });
const VALUES_EACH = 8;
const HOSTILE_SCHEMAS = campaignSize({ slice: 400, campaign: 150_000 });
const CAMPAIGN_TIMEOUT_MS = campaignSize({ slice: 240_000, campaign: 1_800_000 });
/** A schema or a value may take 50 ms, with room for a busy machine. */
const MAX_MS = 50 * 10;
const GEMINI_KEYWORDS = new Set([
  "anyOf",
  "default",
  "description",
  "enum",
  "example",
  "items",
  "nullable",
  "properties",
  "required",
  "title",
  "type",
]);

type Schema = Record<string, unknown>;

/** Draws from a seeded sequence. */
function createDice(random: () => number) {
  const whole = (below: number) => Math.floor(random() * below);
  const chance = (share: number) => random() < share;
  function pick<T>(choices: readonly T[]): T {
    for (const choice of choices.slice(whole(choices.length))) return choice;
    throw new Error("nothing to pick from");
  }
  const times = <T>(most: number, make: () => T) => Array.from({ length: whole(most + 1) }, make);
  return { whole, chance, pick, times };
}
type Dice = ReturnType<typeof createDice>;

const NAMES = ["a", "b", "kind", "pattern", "constructor", "x-y", "ü"];
const TEXTS = ["", "a", "ab", "abc", "b", "😀", "😀😀", "2024-01-01", "A1"];
const LEAVES = [null, true, false, 0, 1, -1, 2, 3, 0.5, 100, ...TEXTS];
const PATTERNS = ["^a", "b$", "^[a-z]{1,2}$", "^\\d{4}", "😀", "^(a|b)$"];
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

function makeLeafKeywords(dice: Dice): Schema {
  const makers: (() => Schema)[] = [
    () => ({ type: dice.pick(TYPES) }),
    () => ({ type: dice.pick(TYPES) }),
    () => ({ type: [...new Set([dice.pick(TYPES), dice.pick(TYPES)])] }),
    () => ({ enum: [dice.pick(LEAVES), ...new Set(dice.times(3, () => dice.pick(LEAVES)))] }),
    () => ({ const: makeValue(dice, 1) }),
    () => ({ minLength: dice.whole(3) }),
    () => ({ maxLength: dice.whole(3) }),
    () => ({ pattern: dice.pick(PATTERNS) }),
    () => ({ minimum: dice.whole(3) - 1 }),
    () => ({ maximum: dice.whole(3) }),
    () => ({ exclusiveMinimum: dice.whole(3) - 1 }),
    () => ({ exclusiveMaximum: dice.whole(3) }),
    () => ({ multipleOf: 1 + dice.whole(3) }),
    () => ({ minItems: dice.whole(3) }),
    () => ({ maxItems: dice.whole(3) }),
    () => ({ uniqueItems: dice.chance(0.7) }),
    () => ({ minProperties: dice.whole(3) }),
    () => ({ maxProperties: dice.whole(3) }),
    () => ({ required: [...new Set(dice.times(2, () => dice.pick(NAMES)))] }),
    () => ({ dependentRequired: { [dice.pick(NAMES)]: [dice.pick(NAMES)] } }),
  ];
  return Object.assign({}, ...dice.times(3, () => dice.pick(makers)()));
}

/** Of keywords that every validator knows, and always well formed. */
function makeGoodSchema(dice: Dice, depth: number): Schema | boolean {
  if (dice.chance(0.04)) return dice.chance(0.5);
  const leaf = makeLeafKeywords(dice);
  if (depth <= 0) return leaf;
  const one = () => makeGoodSchema(dice, depth - 1);
  const some = () => [one(), ...dice.times(2, one)];
  const map = () => Object.fromEntries(dice.times(3, () => [dice.pick(NAMES), one()]));
  const makers: (() => Schema)[] = [
    () => ({ properties: map() }),
    () => ({ properties: map(), type: "object" }),
    () => ({ properties: map(), additionalProperties: dice.chance(0.6) ? false : one() }),
    () => ({ patternProperties: { [dice.pick(PATTERNS)]: one() }, additionalProperties: one() }),
    () => ({ propertyNames: one() }),
    () => ({ items: one() }),
    () => ({ items: one(), type: "array" }),
    () => ({ prefixItems: some(), items: one() }),
    // Apart from prefixItems, beside which the other validator passes over it for an empty list.
    () => ({
      allOf: [{ contains: one(), minContains: dice.whole(2), maxContains: 1 + dice.whole(3) }],
    }),
    () => ({ allOf: some() }),
    () => ({ anyOf: some() }),
    () => ({ oneOf: some() }),
    () => ({ not: one() }),
    () => Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, one()])),
    () => ({ dependentSchemas: { [dice.pick(NAMES)]: one() } }),
    () => ({ $ref: dice.pick(["#/$defs/a", "#/$defs/b"]) }),
  ];
  return Object.assign(leaf, ...dice.times(2, () => dice.pick(makers)()));
}

function makeGoodDocument(dice: Dice): Schema {
  const root = makeGoodSchema(dice, 3);
  return {
    ...(typeof root === "boolean" ? { not: { not: root } } : root),
    // They refer to nothing, so no reference comes round.
    $defs: { a: makeLeafKeywords(dice), b: { items: makeLeafKeywords(dice) } },
  };
}

function makeValue(dice: Dice, depth: number): unknown {
  if (depth <= 0 || dice.chance(0.3)) return dice.pick(LEAVES);
  if (dice.chance(0.4)) return dice.times(3, () => makeValue(dice, depth - 1));
  const entries = dice.times(4, () => [dice.pick(NAMES), makeValue(dice, depth - 1)]);
  return Object.fromEntries(entries);
}

function assertSaneOutcome(outcome: ValidationOutcome): void {
  if (outcome.ok) return;
  expect(outcome.problems.length).toBeGreaterThan(0);
  expect(outcome.problems.length).toBeLessThanOrEqual(21);
  for (const { path, message } of outcome.problems) {
    expect(path.length).toBeLessThan(300);
    expect(message.length).toBeLessThan(2_000);
    expect(message).not.toMatch(/\p{Cc}/u);
  }
}

/** Undefined when the other validator fails itself: its code for rare schemas has a missing name. */
function verdictOf(validate: (value: unknown) => unknown, value: unknown): boolean | undefined {
  try {
    return validate(value) === true;
  } catch (thrown) {
    if (thrown instanceof ReferenceError) return undefined;
    throw thrown;
  }
}

describe("random good schemas", () => {
  const title = "compiled check, walk and another validator agree on every value";
  it(title, { timeout: CAMPAIGN_TIMEOUT_MS }, async () => {
    const seed = campaignSeed();
    const dice = createDice(seededRandom(seed));
    const guard = createTimeGuard();
    let accepted = 0;
    let unexplained = 0;
    let silent = 0;
    for (let round = 0; round < GOOD_SCHEMAS; round += 1) {
      const schema = makeGoodDocument(dice);
      const ours = await compileValidator(schema, { guard, guardMs: 5_000 });
      const linked = linkSchema(schema);
      const theirs = new Ajv2020({
        strict: false,
        validateSchema: false,
        ownProperties: true,
      }).compile(schema);
      for (let count = 0; count < VALUES_EACH; count += 1) {
        const value = makeValue(dice, 3);
        const outcome = ours.check(value);
        const walked = fits(linked.root, value, linked.definitions);
        const verdicts = { ours: outcome.ok, walked, theirs: verdictOf(theirs, value) };
        const agreed = walked === outcome.ok && (verdicts.theirs ?? walked) === walked;
        silent += verdicts.theirs === undefined ? 1 : 0;
        if (!agreed) expect({ seed, round, schema, value, ...verdicts }).toBe("agreed");
        assertSaneOutcome(outcome);
        accepted += outcome.ok ? 1 : 0;
        if (!outcome.ok && outcome.problems[0]?.message === "does not fit the schema")
          unexplained += 1;
      }
    }
    const checks = GOOD_SCHEMAS * VALUES_EACH;
    // A generator that only makes what fits, or nothing that fits, would prove little.
    expect(accepted).toBeGreaterThan(checks / 20);
    expect(accepted).toBeLessThan((checks * 19) / 20);
    expect(unexplained).toBe(0);
    expect(silent).toBeLessThan(checks / 1_000);
    const detail = `${accepted} accepted, ${silent} without their verdict, seed ${seed}`;
    reportCampaign({ title, size: checks, detail });
  });
});

const HOSTILE_NAMES = [
  ...NAMES,
  "__proto__",
  "toString",
  "$ref",
  "type",
  "",
  "\u2028",
  '"',
  "\ud800",
];
const KEYWORDS = [
  ...["type", "properties", "required", "items", "enum", "const", "anyOf", "oneOf", "allOf", "not"],
  ...["if", "then", "else", "pattern", "patternProperties", "additionalProperties", "minLength"],
  ...["maximum", "multipleOf", "uniqueItems", "contains", "prefixItems", "propertyNames", "$ref"],
  ...["$defs", "definitions", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"],
  ...["unevaluatedProperties", "unevaluatedItems", "dependentSchemas", "dependencies", "default"],
  ...["description", "title", "format", "nullable", "examples", "$schema", "x-vendor", "~refine"],
];
const HOSTILE_LEAVES = [
  ...LEAVES,
  ...["#", "#/", "#/$defs/a", "#/properties/a", "#a", "http://a.test", "file:///a", "^(a+)+$", "("],
  ...["string", "object", "array", "null", "int", "\u0000", "😀", "__proto__"],
  ...[
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    -0,
    1e308,
    undefined,
    5n,
    Symbol("s"),
    () => 1,
  ],
];

/** Anything at all, mostly under keywords of JSON Schema. */
function makeHostile(dice: Dice, depth: number): unknown {
  if (depth <= 0 || dice.chance(0.25)) return dice.pick(HOSTILE_LEAVES);
  if (dice.chance(0.2)) return dice.times(4, () => makeHostile(dice, depth - 1));
  const made: Schema = {};
  for (const _ of dice.times(5, () => 1)) {
    const key = dice.chance(0.75) ? dice.pick(KEYWORDS) : dice.pick(HOSTILE_NAMES);
    const value = dice.chance(0.5) ? plausibleFor(key, dice, depth) : makeHostile(dice, depth - 1);
    Object.defineProperty(made, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  if (dice.chance(0.01)) made.self = made;
  if (dice.chance(0.01)) Object.defineProperty(made, "bomb", { enumerable: true, get: explode });
  return made;
}

function explode(): never {
  throw new Error("a getter of the schema threw");
}

/** What could stand under the keyword, so that not every schema falls at the first check. */
function plausibleFor(key: string, dice: Dice, depth: number): unknown {
  const inner = () => makeHostile(dice, depth - 1);
  if (key === "type") return dice.pick(TYPES);
  if (key === "$ref") return dice.pick(["#", "#/$defs/a", "#/properties/a", "#/definitions/b"]);
  if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(key)) return [inner(), inner()];
  if (
    ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"].includes(key)
  ) {
    return Object.fromEntries(dice.times(3, () => [dice.pick(HOSTILE_NAMES), inner()]));
  }
  if (key === "required") return dice.times(3, () => dice.pick(HOSTILE_NAMES));
  return inner();
}

/** The processor time it took, which a busy machine does not change; fails on an error that is not one of ours. */
async function timed(work: () => unknown): Promise<{ value: unknown; tookMs: number }> {
  const before = process.cpuUsage();
  try {
    const made = work();
    // Only a real promise is awaited: a schema may have a function under the keyword "then".
    const value = made instanceof Promise ? await made : made;
    return { value, tookMs: processorMsSince(before) };
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown;
    return { value: undefined, tookMs: processorMsSince(before) };
  }
}

function processorMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function assertGeminiKnows(schema: unknown): void {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new Error("a place for a schema holds none");
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (!GEMINI_KEYWORDS.has(keyword)) throw new Error(`Gemini does not know ${keyword}`);
    if (keyword === "items") assertGeminiKnows(value);
    if (keyword === "anyOf") for (const variant of value) assertGeminiKnows(variant);
    if (keyword === "properties")
      for (const property of Object.values(value)) assertGeminiKnows(property);
  }
}

function toText(schema: unknown): string | undefined {
  try {
    return JSON.stringify(schema, (_key, value) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
  } catch {
    // A cycle or a getter: there is no text to compare.
    return undefined;
  }
}

describe("random hostile schemas", () => {
  const title = "every schema and value is answered, in time, with typed errors only";
  it(title, { timeout: CAMPAIGN_TIMEOUT_MS }, async () => {
    const seed = campaignSeed() + 1;
    const dice = createDice(seededRandom(seed));
    const guard = createTimeGuard();
    const counts = { cleaned: 0, extracted: 0, compiled: 0 };
    let slowestMs = 0;
    for (let round = 0; round < HOSTILE_SCHEMAS; round += 1) {
      const schema = makeHostile(dice, 4);
      const before = toText(schema);
      const tool = { name: `t${round}`, description: "", parameters: schema };
      const normal = await timed(() => normalizeSchema(schema));
      const cleaned = await timed(() => cleanSchemaForGemini(schema));
      const plain = await timed(() => extractToolSchemas([tool]));
      const gemini = await timed(() => extractToolSchemas([tool], "google"));
      const compiled = await timed(() => compileValidator(schema, { guard }));
      if (normal.value) expect(normal.value).toMatchObject({ type: "object", properties: {} });
      if (cleaned.value) {
        assertGeminiKnows(cleaned.value);
        expect(cleanSchemaForGemini(cleaned.value)).toEqual(cleaned.value);
        counts.cleaned += 1;
      }
      if (Array.isArray(gemini.value)) assertGeminiKnows(gemini.value[0].input_schema);
      if (plain.value) counts.extracted += 1;
      const steps = [normal, cleaned, plain, gemini, compiled];
      if (compiled.value) {
        counts.compiled += 1;
        const { check } = Object(compiled.value);
        const value = dice.chance(0.5) ? makeValue(dice, 3) : makeHostile(dice, 3);
        const checked = await timed(() => check(value));
        if (checked.value) assertSaneOutcome(Object(checked.value));
        steps.push(checked);
      }
      expect(toText(schema)).toBe(before);
      slowestMs = Math.max(slowestMs, ...steps.map(({ tookMs }) => tookMs));
    }
    expect(slowestMs).toBeLessThan(MAX_MS);
    // Some of each kind must have come through, or nothing was tried.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(HOSTILE_SCHEMAS / 100);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("bomb");
    reportCampaign({
      title,
      size: HOSTILE_SCHEMAS,
      detail: `${JSON.stringify(counts)}, slowest ${Math.round(slowestMs)} ms, seed ${seed}`,
    });
  });

  it("a cleaner that does not know where schemas stand loses properties; ours loses none", () => {
    const removed = new Set(["pattern", "format", "minLength", "examples"]);
    const naive = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(naive);
      if (typeof value !== "object" || value === null) return value;
      const kept = Object.entries(value).filter(([key]) => !removed.has(key));
      return Object.fromEntries(kept.map(([key, item]) => [key, naive(item)]));
    };
    const dice = createDice(seededRandom(campaignSeed()));
    let lost = 0;
    for (let round = 0; round < 200; round += 1) {
      const names = [...new Set(dice.times(4, () => dice.pick([...NAMES, ...removed])))];
      const schema = {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      };
      const ours = Object.keys(Object(cleanSchemaForGemini(schema).properties));
      const theirs = Object.keys(Object(Object(naive(schema)).properties));
      expect(ours).toEqual(names);
      if (theirs.length < names.length) lost += 1;
    }
    expect(lost).toBeGreaterThan(0);
  });
});
