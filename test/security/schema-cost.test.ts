// Work that grows faster than the value, or outside the time guard: each schema here once held a
// check, an explanation or a reader for seconds. Processor time is measured, because other work
// shares the machine, and with five times the room.
import { describe, expect, it } from "vitest";
import {
  cleanSchemaForGemini,
  compileValidator,
  extractToolSchemas,
  isToolError,
  normalizeSchema,
} from "../../src/core/index.js";
import { createTimeGuard } from "../../src/drivers/time-guard.js";

type Schema = Record<string, unknown>;

/** What a check without a guard may take for arguments as large as they may be. */
const MAX_CHECK_MS = 300;
/** What reading a schema as large as it may be may take. */
const MAX_READ_MS = 300;
const ROOM = 10;
const MILLION = 1_000_000;
const guard = createTimeGuard();

const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

function wideObject(keys: number): Record<string, number> {
  return Object.fromEntries(list(keys, (index) => [`key${index}`, index]));
}

async function measure(work: () => unknown): Promise<{ reason: string | undefined; ms: number }> {
  const before = process.cpuUsage();
  let reason: string | undefined;
  try {
    await work();
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown;
    reason = thrown.reason;
  }
  const { user, system } = process.cpuUsage(before);
  return { reason, ms: (user + system) / 1_000 };
}

/** Both the answer and its explanation. */
async function expectQuickCheck(schema: Schema, value: unknown): Promise<void> {
  const validator = await compileValidator(schema, { guard });
  const { reason, ms } = await measure(() => validator.check(value));
  expect([undefined, "pattern_timeout"]).toContain(reason);
  expect(ms).toBeLessThan(MAX_CHECK_MS * ROOM);
}

describe("patterns without an anchor", () => {
  const text = "a".repeat(MILLION);
  const patterns = ["a{30000}b", "a{1000}b", "[ab]{1000}c", `${"a".repeat(150)}b`, "a{9}b"];

  it.each(patterns)("the pattern %s ends in time in a text and in a key", async (pattern) => {
    await expectQuickCheck({ properties: { a: { pattern } } }, { a: text });
    await expectQuickCheck({ patternProperties: { [pattern]: {} } }, { [text]: 1 });
    await expectQuickCheck({ propertyNames: { pattern } }, { [text]: 1 });
  });

  it("short words without a guard end in time in the longest text", async () => {
    const longest = "a".repeat(16 * MILLION);
    const two = [{ pattern: "aaaaaab" }, { pattern: "[ab]{6}c" }];
    await expectQuickCheck({ allOf: two }, longest);
  });

  it("an anchored choice of lengths without a guard ends in time in many texts", async () => {
    const texts = list(90_000, () => "a".repeat(130));
    await expectQuickCheck({ items: { pattern: "^[a-z]{0,63}[a-z]{63}!$" } }, texts);
    await expectQuickCheck({ items: { pattern: "^[a-z][a-z0-9_-]{0,63}$" } }, texts);
  });
});

describe("lengths", () => {
  it("many length rules for one long text end in time", async () => {
    const text = "a".repeat(8 * MILLION);
    const least = list(600, (index) => ({ type: "string", minLength: text.length - index }));
    await expectQuickCheck({ allOf: least }, text);
    const beyond = list(600, (index) => ({ type: "string", maxLength: text.length / 2 + index }));
    await expectQuickCheck({ anyOf: beyond }, text);
    const above = list(600, (index) => ({ type: "string", minLength: text.length + 1 + index }));
    await expectQuickCheck({ anyOf: above }, text);
  });
});

describe("the patterns of one schema together", () => {
  const tooLong: [name: string, schema: Schema][] = [
    [
      "eight very long ones",
      {
        properties: Object.fromEntries(
          list(8, (index) => [`p${index}`, { pattern: "\\p{L}".repeat(20_000) + index }]),
        ),
      },
    ],
    ["thousands of groups", { pattern: list(5_000, (index) => `(?<n${index}>a)?`).join("") }],
    ["one that the engine refuses when it runs", { pattern: "(a|b|c)".repeat(30_000) }],
    ["a name pattern of 1,001 characters", { patternProperties: { ["a".repeat(1_001)]: {} } }],
    [
      "many short ones, 20,001 characters together",
      { anyOf: [{ pattern: "b" }, ...list(20, () => ({ pattern: "a".repeat(1_000) }))] },
    ],
    [
      "one behind a reference to a keyword that nobody knows",
      { $ref: "#/x-parts/a", "x-parts": { a: { pattern: "a".repeat(1_001) } } },
    ],
  ];

  it.each(tooLong)("%s are refused before they are read", async (_name, schema) => {
    const compiled = await measure(() => compileValidator(schema, { guard }));
    expect(compiled.reason).toBe("schema_too_large");
    expect(compiled.ms).toBeLessThan(50 * ROOM);
  });

  it.each(["\\P{L}", "(?:\\P{L}|a)", "[^\\p{L}]"])(
    "the engine does not look ahead for seconds in a row of %s",
    async (part) => {
      const pattern = part.repeat(10);
      const value = { a: "\u{1f600}".repeat(100), "\u{1f600}": 1 };
      const { ms } = await measure(async () => {
        await expectQuickCheck({ properties: { a: { pattern } } }, value);
        await expectQuickCheck({ patternProperties: { [pattern]: {} } }, value);
      });
      expect(ms).toBeLessThan(MAX_READ_MS * ROOM);
    },
  );

  it("patterns as long as they may be are read in time, behind overlapping references too", async () => {
    const patterns = list(20, (index) => "\\P{L}".repeat(39) + "a".repeat(1 + (index % 20)));
    const parts = patterns.map((pattern) => ({ pattern }));
    await expectQuickCheck({ anyOf: parts }, "\u{1f600}".repeat(100_000));
    const { schema, refs } = nestWithRefs(50, { anyOf: parts });
    const { reason, ms } = await measure(() =>
      compileValidator({ ...schema, anyOf: refs }, { guard }),
    );
    expect(reason).toBeUndefined();
    expect(ms).toBeLessThan(MAX_READ_MS * ROOM);
  });
});

/** A deep schema with a reference to each of its levels, so that the targets overlap. */
function nestWithRefs(levels: number, inmost: Schema): { schema: Schema; refs: Schema[] } {
  let schema = inmost;
  for (let level = 0; level < levels; level += 1) schema = { not: schema };
  const refs = list(levels, (level) => ({ $ref: `#${"/not".repeat(level + 1)}` }));
  return { schema, refs };
}

describe("reading schemas", () => {
  it("references to overlapping parts are read in time", async () => {
    const inmost = { prefixItems: list(8_000, () => true) };
    const { schema, refs } = nestWithRefs(50, inmost);
    const { ms } = await measure(() => compileValidator({ ...schema, anyOf: refs }, { guard }));
    expect(ms).toBeLessThan(MAX_READ_MS * ROOM);
  });

  it("overlapping parts that must be made into code are refused in time", async () => {
    const names = list(3_000, (index) => [`p${index}`, { type: "string" }]);
    const { schema, refs } = nestWithRefs(50, { properties: Object.fromEntries(names) });
    const { reason, ms } = await measure(() =>
      compileValidator({ ...schema, anyOf: refs, unevaluatedProperties: false }, { guard }),
    );
    expect(reason).toBe("ref_expansion");
    expect(ms).toBeLessThan(MAX_READ_MS * ROOM);
  });

  it("a repeated type does not multiply what Gemini gets", async () => {
    let schema: Schema = { type: "string" };
    for (let level = 0; level < 5; level += 1) {
      schema = { type: list(20, () => "array"), items: schema };
    }
    const { ms } = await measure(() => cleanSchemaForGemini(schema));
    expect(ms).toBeLessThan(MAX_READ_MS * ROOM);
  });

  it("variants with lists of objects are folded in time", async () => {
    const variant = (index: number): Schema => ({
      type: "object",
      properties: { p: { enum: list(45, (each) => ({ a: index * 100 + each })) } },
    });
    const schema = { anyOf: list(100, variant) };
    const tools = [{ name: "t", description: "", parameters: schema }];
    for (const read of [normalizeSchema, cleanSchemaForGemini]) {
      expect((await measure(() => read(schema))).ms).toBeLessThan(MAX_READ_MS * ROOM);
    }
    const { ms } = await measure(() => extractToolSchemas(tools, "google"));
    expect(ms).toBeLessThan(MAX_READ_MS * ROOM);
  });
});

describe("checks of wide values", () => {
  const wide = wideObject(99_000);
  const cases: [name: string, schema: Schema, value: unknown][] = [
    ["600 numbers of keys", { anyOf: list(600, (i) => ({ minProperties: 200_000 + i })) }, wide],
    [
      "60 closed forms",
      { allOf: list(60, () => ({ additionalProperties: { type: "number" } })) },
      wide,
    ],
    ["60 objects to compare with", { enum: list(60, (i) => ({ a: i })) }, wide],
    [
      "60 rules for names",
      { allOf: list(60, () => ({ propertyNames: { type: "string" } })) },
      wide,
    ],
    ["900 required names", { allOf: list(900, () => ({ required: ["missing"] })) }, wide],
    [
      "900 lengths of a list",
      { anyOf: list(900, (i) => ({ minItems: 200_000 + i })) },
      list(99_000, Number),
    ],
    [
      "thousands of names that depend on one",
      { items: { dependentRequired: { a: list(5_000, (i) => (i === 4_999 ? "b" : "a")) } } },
      list(30_000, () => ({ a: 1 })),
    ],
    [
      "a type said thousands of times",
      { items: { type: [...list(5_000, () => "null"), "number"] } },
      list(90_000, Number),
    ],
    [
      "forms of a union that all show the value",
      { anyOf: list(50, () => ({ allOf: list(20, () => ({ type: "string" })) })) },
      wide,
    ],
    [
      "unions in a long list of wrong items",
      {
        items: {
          anyOf: list(30, (i) => ({ type: "object", required: list(12, (k) => `r${i}_${k}`) })),
        },
      },
      list(99_000, () => ({})),
    ],
    [
      "60 lists without repeats",
      { allOf: list(60, () => ({ uniqueItems: true })) },
      list(40_000, (i) => ({ i })),
    ],
  ];

  it.each(cases)("%s end in time", async (_name, schema, value) => {
    await expectQuickCheck(schema, value);
  });

  it("an explanation that was stopped still names the first problems", async () => {
    const schema = { items: { anyOf: list(60, () => ({ type: "string" })) } };
    const validator = await compileValidator(schema, { guard });
    const outcome = validator.check(list(99_000, Number));
    const problems = outcome.ok ? [] : outcome.problems;
    expect(problems[0]).toEqual({ path: "[0]", message: "expected a string, received number 0" });
    expect(problems.at(-1)?.message).toMatch(/^and \d+ more$/);
  });

  it("lists without repeats inside each other end in time", async () => {
    let schema: Schema = { uniqueItems: true };
    let value: unknown = ["a".repeat(15 * MILLION)];
    for (let level = 0; level < 58; level += 1) {
      schema = { uniqueItems: true, items: schema };
      value = [value];
    }
    await expectQuickCheck(schema, value);
  });
});
