// What a compiled schema says of good and of wrong values.
import { describe, expect, it } from "vitest";
import { ToolError } from "../errors.js";
import type { TimeGuard } from "../ports/run-ports.js";
import type { Schema } from "./keywords.js";
import { compileValidator, type Problem } from "./validator.js";

const TEXT = { type: "string" };
/** Lets all work end: what stops it is tested with the driver. */
const guard: TimeGuard = { run: (work) => work() };

async function problemsOf(schema: Schema, value: unknown): Promise<Problem[]> {
  const outcome = (await compileValidator(schema, { guard })).check(value);
  return outcome.ok ? [] : outcome.problems;
}

async function linesOf(schema: Schema, value: unknown): Promise<string[]> {
  const problems = await problemsOf(schema, value);
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

const property = (schema: Schema) => ({ type: "object", properties: { a: schema } });

describe("a validator", () => {
  it("says ok to what fits", async () => {
    const schema = {
      type: "object",
      properties: { a: TEXT, b: { type: "integer" } },
      required: ["a"],
    };
    for (const value of [{ a: "x" }, { a: "", b: 1, c: null }, { a: "x", b: undefined }]) {
      expect(await problemsOf(schema, value)).toEqual([]);
    }
  });

  it("names every wrong field with its path, what was expected and what was received", async () => {
    const schema = {
      type: "object",
      properties: {
        path: TEXT,
        limit: { type: "integer" },
        mode: { type: "string", enum: ["fast", "slow"] },
        edits: {
          type: "array",
          items: { type: "object", properties: { oldText: TEXT }, required: ["oldText"] },
        },
      },
      required: ["path", "mode"],
    };
    const value = { path: 5, limit: "ten", edits: [{ oldText: null }, {}, "x"] };
    expect(await linesOf(schema, value)).toEqual([
      "mode: required, missing",
      "path: expected a string, received number 5",
      'limit: expected an integer, received "ten"',
      "edits[0].oldText: expected a string, received null",
      "edits[1].oldText: required, missing",
      'edits[2]: expected an object, received "x"',
    ]);
  });

  it("has an empty path for the value itself", async () => {
    expect(await problemsOf({ type: "object" }, [1])).toEqual([
      { path: "", message: "expected an object, received an array of 1 item" },
    ]);
  });

  it.each<[schema: Schema, value: unknown, message: string]>([
    [{ type: ["string", "null"] }, 5, "expected a string or null, received number 5"],
    [{ type: "boolean" }, "yes", 'expected true or false, received "yes"'],
    [{ const: "a" }, "b", 'expected "a", received "b"'],
    [{ enum: ["a", 1, null] }, true, 'expected one of "a", 1, null, received true'],
    [{ minLength: 2 }, "a", "expected at least 2 characters, received 1"],
    [{ maxLength: 1 }, "ab", "expected at most 1 character, received 2"],
    [{ pattern: "^a$" }, "b", 'expected text that matches the pattern "^a$", received "b"'],
    [{ minimum: 1 }, 0, "expected a number at least 1, received number 0"],
    [{ maximum: 1 }, 2, "expected a number at most 1, received number 2"],
    [{ exclusiveMinimum: 1 }, 1, "expected a number above 1, received number 1"],
    [{ exclusiveMaximum: 1 }, 1, "expected a number below 1, received number 1"],
    [{ multipleOf: 5 }, 7, "expected a number that is a multiple of 5, received number 7"],
    [{ minItems: 1 }, [], "expected at least 1 item, received 0"],
    [{ maxItems: 1 }, [1, 2], "expected at most 1 item, received 2"],
    [
      { uniqueItems: true },
      [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }],
      "expected no equal items, but 2 repeats 0",
    ],
    [{ contains: TEXT }, [1], "expected at least 1 fitting item, received 0"],
    [{ minProperties: 1 }, {}, "expected at least 1 key, received 0"],
    [{ maxProperties: 0 }, { b: 1 }, "expected at most 0 keys, received 1"],
    [{ not: TEXT }, "a", 'expected something the schema does not exclude, received "a"'],
    [{ oneOf: [TEXT, {}] }, "a", "expected a value of one form only, but it fits 2 forms"],
    [{ unevaluatedItems: false }, [1], "does not fit the schema"],
  ])("explains %j for %j", async (schema, value, message) => {
    const problems = await problemsOf(property(schema), { a: value });
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });

  it.each<[name: string, schema: Schema, value: unknown, lines: string[]]>([
    [
      "a closed object",
      { properties: { a: TEXT, b: TEXT }, additionalProperties: false },
      { a: "x", c: 1 },
      ["c: is not a known key; known: a, b"],
    ],
    [
      "a property that may not be there",
      { properties: { a: false } },
      { a: 1 },
      ["a: is not allowed here"],
    ],
    [
      "names that are not allowed",
      { propertyNames: { maxLength: 2 } },
      { abc: 1 },
      ["abc: is not an allowed name"],
    ],
    [
      "further properties",
      { additionalProperties: TEXT },
      { "x-y": 1, "a b": 2 },
      [
        "x-y: expected a string, received number 1",
        '["a b"]: expected a string, received number 2',
      ],
    ],
    [
      "properties by pattern",
      { patternProperties: { "^n": { type: "number" } }, additionalProperties: false },
      { n1: "x", m: 1 },
      ['n1: expected a number, received "x"', "m: is not a known key; known: none"],
    ],
    [
      "keys that need others",
      { dependentRequired: { a: ["b"] } },
      { a: 1 },
      ["b: required next to a, missing"],
    ],
    [
      "then and else",
      { if: { required: ["a"] }, [`${"then"}`]: { required: ["b"] }, else: { required: ["c"] } },
      { a: 1 },
      ["b: required, missing"],
    ],
    [
      "a list with places",
      { items: [TEXT, { type: "number" }], additionalItems: false },
      [1, "x", 2],
      [
        "[0]: expected a string, received number 1",
        '[1]: expected a number, received "x"',
        "[2]: is not allowed here",
      ],
    ],
    [
      "a reference that comes round",
      { type: "object", properties: { child: { $ref: "#" }, name: TEXT }, required: ["name"] },
      { name: "a", child: { name: "b", child: {} } },
      ["child.child.name: required, missing"],
    ],
  ])("explains %s", async (_name, schema, value, lines) => {
    expect(await linesOf(schema, value)).toEqual(lines);
  });
});

describe("unions", () => {
  const shapes = {
    anyOf: [
      {
        properties: { kind: { const: "circle" }, radius: { type: "number" } },
        required: ["kind", "radius"],
      },
      {
        properties: { kind: { const: "square" }, side: { type: "number" } },
        required: ["kind", "side"],
      },
    ],
  };

  it("say which kinds were expected", async () => {
    const schema = property({
      anyOf: [TEXT, { type: "object", required: ["id"] }, { type: "null" }],
    });
    expect(await linesOf(schema, { a: 5 })).toEqual([
      "a: expected a string, an object with id or null, received number 5",
    ]);
  });

  it("speak only of the variant whose kind was sent", async () => {
    const schema = property({
      oneOf: [TEXT, { type: "object", properties: { id: TEXT }, required: ["id"] }],
    });
    expect(await linesOf(schema, { a: { id: 5 } })).toEqual([
      "a.id: expected a string, received number 5",
    ]);
  });

  it("speak only of the variant whose fixed word was sent", async () => {
    expect(await linesOf(property(shapes), { a: { kind: "square", side: "x" } })).toEqual([
      'a.side: expected a number, received "x"',
    ]);
  });

  it("list the variants when none was meant", async () => {
    expect(await linesOf(property(shapes), { a: { kind: "line" } })).toEqual([
      'a: expected a value with kind "circle", radius or a value with kind "square", side, ' +
        "received an object with key kind",
    ]);
  });

  it("are followed through references", async () => {
    const schema = {
      ...property({ anyOf: [{ $ref: "#/$defs/id" }, { type: "null" }] }),
      $defs: { id: { type: "object", properties: { id: TEXT }, required: ["id"] } },
    };
    expect(await linesOf(schema, { a: {} })).toEqual(["a.id: required, missing"]);
  });
});

describe("explanations are bounded", () => {
  it("shows 20 problems and counts the rest", async () => {
    const problems = await problemsOf(
      { items: TEXT },
      Array.from({ length: 50_000 }, () => 1),
    );
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toEqual({ path: "", message: "and 49980 more" });
  });

  it("lists 24 allowed values and counts the rest", async () => {
    const values = Array.from({ length: 40 }, (_, index) => `v${index}`);
    const [line] = await linesOf({ enum: values }, "x");
    expect(line).toContain('"v23" and 16 more');
    expect(line).not.toContain("v24");
  });

  it("shows long and odd values short, on one line", async () => {
    for (const value of ["x".repeat(1_000_000), "\u0000\u001b\n\u202e".repeat(1_000)]) {
      const [problem] = await problemsOf({ type: "number" }, value);
      expect(problem?.message).toMatch(/^[\x20-\x7e…]+$/);
      expect(problem?.message.length).toBeLessThan(120);
    }
  });
});

describe("where compilers differ, a validator holds to JSON Schema", () => {
  it.each<[name: string, schema: Schema, good: unknown, bad: unknown]>([
    ["names that every object inherits", property({}), {}, 1],
    [
      "a required toString",
      { type: "object", properties: { toString: TEXT }, required: ["toString"] },
      { toString: "x" },
      {},
    ],
    ["an optional valueOf", { type: "object", properties: { valueOf: TEXT } }, {}, { valueOf: 1 }],
    ["an optional constructor", { properties: { constructor: TEXT } }, {}, { constructor: 1 }],
    ["an object that equals no list", { const: { 0: 1, length: 1 } }, { length: 1, 0: 1 }, [1]],
    ["equal items by value", { uniqueItems: true }, [[1], "[1]", 1, "1"], [{ a: 1 }, { a: 1 }]],
    ["fractions", { multipleOf: 0.1 }, 0.3, 0.35],
    ["large whole numbers", { multipleOf: 2 }, 2_000_000_000, 2_000_000_001],
    ["characters, not code units", { minLength: 2 }, "\u{1f600}a", "\u{1f600}"],
    ["a text longer than there is", { minLength: 2 ** 31 }, 1, "abc"],
    [
      "older name patterns",
      { patternProperties: { "^[\\w-.]+$": TEXT } },
      { "a-b": "x" },
      { "a-b": 1 },
    ],
    ["older patterns", { pattern: "^[\\w-.]+$" }, "a-b.c", "a b"],
    ["keywords of other types", { minLength: 3, minimum: 5 }, true, 4],
    ["many values", { enum: Array.from({ length: 5_000 }, (_, index) => index) }, 4_999, 5_000],
    [
      "a closed object with an undefined key",
      { properties: {}, additionalProperties: false },
      { a: undefined },
      { a: 1 },
    ],
  ])("%s", async (_name, schema, good, bad) => {
    expect(await problemsOf(schema, good)).toEqual([]);
    expect(await problemsOf(schema, bad)).not.toEqual([]);
  });

  it("takes format for a hint", async () => {
    expect(await problemsOf({ type: "string", format: "email" }, "nobody")).toEqual([]);
  });

  it("works with more properties than compiled code can hold", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`p${index}`, TEXT]),
    );
    expect(await problemsOf({ type: "object", properties }, { p2999: "x" })).toEqual([]);
    expect(await linesOf({ type: "object", properties }, { p2999: 1 })).toEqual([
      "p2999: expected a string, received number 1",
    ]);
  });
});

describe("compiling", () => {
  it("is private: later changes to the schema change nothing", async () => {
    const schema = property({ enum: ["a"] });
    const validator = await compileValidator(schema);
    Object.assign(schema.properties, { a: { enum: ["b"] } });
    expect(validator.check({ a: "a" })).toEqual({ ok: true });
    expect(validator.check({ a: "b" }).ok).toBe(false);
  });

  it("refuses without a guard what could take long", async () => {
    await expect(compileValidator({ pattern: "^(a+)+$" })).rejects.toMatchObject({
      code: "unavailable",
      reason: "no_time_guard",
    });
    await expect(compileValidator({ pattern: "^a$" })).resolves.toBeDefined();
  });

  it("says no with what was found when only the explanation takes too long", async () => {
    const stops: TimeGuard = {
      run: (work) => {
        work();
        throw new ToolError("limit", "stopped", { reason: "pattern_timeout" });
      },
    };
    const validator = await compileValidator({ pattern: "^a+$" }, { guard: stops });
    expect(validator.check("b")).toMatchObject({
      ok: false,
      problems: [{ path: "", message: expect.stringContaining("the pattern") }],
    });
    expect(() => validator.check("a")).toThrow(
      expect.objectContaining({ code: "limit", reason: "pattern_timeout" }),
    );
  });

  it("blames the schema when the engine refuses one of its patterns at run time", async () => {
    const refuses: TimeGuard = {
      run: () => {
        throw new SyntaxError("Regular expression too large");
      },
    };
    const validator = await compileValidator({ pattern: "^a+$" }, { guard: refuses });
    expect(() => validator.check("a")).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "schema_invalid" }),
    );
  });

  it("answers with a typed error when a value cannot be walked or read", async () => {
    const tree = await compileValidator({ properties: { a: { $ref: "#" } } }, { guard });
    let deep: unknown = {};
    for (let level = 0; level < 200_000; level += 1) deep = { a: deep };
    expect(() => tree.check(deep)).toThrow(expect.objectContaining({ code: "limit" }));
    const hostile = Object.defineProperty({}, "a", {
      enumerable: true,
      get: () => {
        throw new Error("boom");
      },
    });
    const object = await compileValidator(property(TEXT));
    expect(() => object.check(hostile)).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "arguments_unreadable" }),
    );
  });
});
