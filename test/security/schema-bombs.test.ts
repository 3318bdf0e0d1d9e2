// Schemas and arguments made to exhaust time, memory or stack: each is answered in time and with a
// typed error, while a plain implementation in the same run is not. Times are of the processor, since
// other work shares the machine, and are asserted with five times the room.
import net from "node:net";
import { Check } from "typebox/schema";
import { describe, expect, it, vi } from "vitest";
import {
  cleanSchemaForGemini,
  compileValidator,
  extractToolSchemas,
  isToolError,
  normalizeSchema,
} from "../../src/core/index.js";
import {
  assertArgumentsWithinLimits,
  assertSchemaWithinLimits,
  DEFAULT_MAX_ARGUMENT_CHARS,
  MAX_SCHEMA_NODES,
  parseBoundedJson,
} from "../../src/core/schema/limits.js";
import { inlineLocalRefs } from "../../src/core/schema/refs.js";
import { createTimeGuard } from "../../src/drivers/time-guard.js";

/** The times below are security bounds with ten times the room, not figures of speed. */
const ROOM = 10;
const MILLION = 1_000_000;
const MIB = 1024 * 1024;
const guard = createTimeGuard();

interface Answer {
  readonly reason: string | undefined;
  readonly tookMs: number;
}

/**
 * Fails on anything thrown that is not one of ours. The clock would count the waits for a busy
 * processor too, and the guard itself begins starved work again, up to three times.
 */
async function answerOf(work: () => unknown): Promise<Answer> {
  const before = process.cpuUsage();
  try {
    await work();
    return { reason: undefined, tookMs: processorMsSince(before) };
  } catch (thrown) {
    const tookMs = processorMsSince(before);
    if (!isToolError(thrown)) throw thrown;
    return { reason: thrown.reason, tookMs };
  }
}

function processorMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

type Schema = Record<string, unknown>;

function nest(levels: number, wrap: (inner: Schema) => Schema): Schema {
  let schema: Schema = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
}

/** `width` references at each of `levels`, so that width to the power of levels unfold. */
function tower(levels: number, width: number, wrap: (refs: Schema[]) => Schema): Schema {
  const $defs: Record<string, Schema> = { d0: { type: "string" } };
  for (let level = 1; level <= levels; level += 1) {
    const refs = Array.from({ length: width }, () => ({ $ref: `#/$defs/d${level - 1}` }));
    $defs[`d${level}`] = wrap(refs);
  }
  return { $ref: `#/$defs/d${levels}`, $defs };
}

/** Every door a foreign schema enters by. */
const DOORS: [name: string, enter: (schema: Schema) => unknown][] = [
  ["the limits", assertSchemaWithinLimits],
  ["normalizeSchema", normalizeSchema],
  ["inlineLocalRefs", inlineLocalRefs],
  ["cleanSchemaForGemini", cleanSchemaForGemini],
  ["compileValidator", (schema) => compileValidator(schema, { guard })],
  ["extraction", (parameters) => extractToolSchemas([{ name: "a", description: "", parameters }])],
  [
    "extraction for Gemini",
    (parameters) => extractToolSchemas([{ name: "a", description: "", parameters }], "google"),
  ],
];

describe("f1 · depth", () => {
  const wraps: [name: string, wrap: (inner: Schema) => Schema][] = [
    ["not", (not) => ({ not })],
    ["properties", (a) => ({ type: "object", properties: { a } })],
    ["anyOf", (inner) => ({ anyOf: [inner] })],
  ];

  const good = wraps.map(([, wrap]) => nest(10, wrap));
  const bad = wraps.flatMap(([, wrap]) =>
    [100, 5_000, MILLION].map((levels) => nest(levels, wrap)),
  );

  it.each(DOORS)(
    "f1 · %s takes 10 levels, refuses 100 to 1,000,000 in 50 ms",
    async (_name, enter) => {
      // Loading the compiler is not what is measured.
      await compileValidator({ type: "string" });
      for (const schema of good) {
        expect((await answerOf(() => enter(schema))).reason).toBeUndefined();
      }
      for (const schema of bad) {
        const { reason, tookMs } = await answerOf(() => enter(schema));
        expect(reason).toBe("schema_too_deep");
        expect(tookMs).toBeLessThan(50 * ROOM);
      }
    },
  );

  it("f1 · arguments: 100 levels pass, 1,000 to 1,000,000 are refused in 50 ms", async () => {
    const deep = (levels: number) => nest(levels, (a) => ({ a }));
    expect((await answerOf(() => assertArgumentsWithinLimits(deep(100)))).reason).toBeUndefined();
    for (const value of [deep(1_000), deep(MILLION)]) {
      const { reason, tookMs } = await answerOf(() => assertArgumentsWithinLimits(value));
      expect(reason).toBe("arguments_too_deep");
      expect(tookMs).toBeLessThan(50 * ROOM);
    }
  });

  it("f1 · JSON text of 1,000,000 levels is refused in 50 ms, where parsing it is slow", async () => {
    const text = "[".repeat(MILLION) + "]".repeat(MILLION);
    const ours = await answerOf(() => parseBoundedJson(text, DEFAULT_MAX_ARGUMENT_CHARS));
    expect(ours.reason).toBe("arguments_too_deep");
    const control = await answerOf(() => JSON.parse(text));
    expect(ours.tookMs).toBeLessThan(Math.min(50 * ROOM, control.tookMs));
  });

  it("f1 · a plain recursive walk dies of the same schema", () => {
    const countLevels = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(countLevels))
        : 0;
    expect(() => countLevels(nest(MILLION, (not) => ({ not })))).toThrow(RangeError);
  });
});

describe("f2 · size", () => {
  const schemas: [name: string, make: () => Schema][] = [
    ["1,000,000 enum values", () => ({ enum: Array.from({ length: MILLION }, (_, i) => `v${i}`) })],
    ["1,000,000 variants", () => ({ anyOf: new Array(MILLION).fill({ type: "string" }) })],
    ["a description of 100 MB", () => ({ description: "x".repeat(100 * MIB) })],
    ["a pattern of 2 MB", () => ({ pattern: "a".repeat(2 * MIB) })],
  ];

  it.each(schemas)(
    "f2 · a schema with %s is refused in 100 ms, without memory",
    async (_name, make) => {
      const schema = make();
      const rssBefore = process.memoryUsage.rss();
      for (const [, enter] of DOORS) {
        const { reason, tookMs } = await answerOf(() => enter(schema));
        expect(reason).toBe("schema_too_large");
        expect(tookMs).toBeLessThan(100 * ROOM);
      }
      expect(process.memoryUsage.rss() - rssBefore).toBeLessThan(200 * MIB);
    },
  );

  it("f2 · arguments with 10,000,000 items or 100 MB of text are refused in 100 ms", async () => {
    for (const value of [{ a: new Array(10 * MILLION).fill(0) }, { a: "x".repeat(100 * MIB) }]) {
      const { reason, tookMs } = await answerOf(() => assertArgumentsWithinLimits(value));
      expect(reason).toBe("arguments_too_large");
      expect(tookMs).toBeLessThan(100 * ROOM);
    }
  });

  it("f2 · 1,000,000 properties cost no more than asking the engine for their names", async () => {
    const properties: Record<string, object> = {};
    for (let index = 0; index < MILLION; index += 1) properties[`p${index}`] = {};
    const floor = await answerOf(() => Object.keys(properties));
    const asSchema = await answerOf(() => assertSchemaWithinLimits({ properties }));
    const asArguments = await answerOf(() => assertArgumentsWithinLimits(properties));
    expect(asSchema.reason).toBe("schema_too_large");
    expect(asArguments.reason).toBe("arguments_too_large");
    const fastest = Math.min(asSchema.tookMs, asArguments.tookMs);
    expect(fastest).toBeLessThan(3 * floor.tookMs + 500);
  });

  it("f2 · the same as JSON text is refused in 100 ms, before it is parsed", async () => {
    const text = `{${Array.from({ length: MILLION }, (_, index) => `"p${index}":1`).join(",")}}`;
    const { reason, tookMs } = await answerOf(() =>
      parseBoundedJson(text, DEFAULT_MAX_ARGUMENT_CHARS),
    );
    expect(reason).toBe("arguments_too_large");
    expect(tookMs).toBeLessThan(100 * ROOM);
  });
});

describe("f3 · references", () => {
  const remote = [
    "http://127.0.0.1:9/schema.json",
    "https://localhost/schema.json#/a",
    "file:///etc/passwd",
    "//127.0.0.1/schema",
    "schema.json",
  ];

  it.each(remote)("f3 · %s is never fetched", async (ref) => {
    const connect = vi.spyOn(net.Socket.prototype, "connect");
    const fetched = vi.spyOn(globalThis, "fetch");
    try {
      const schema = { properties: { a: { $ref: ref } } };
      for (const [name, enter] of DOORS) {
        const { reason } = await answerOf(() => enter(schema));
        const looksOnly = ["the limits", "normalizeSchema", "cleanSchemaForGemini"].includes(name);
        expect([name, reason]).toEqual([name, looksOnly ? undefined : "ref_remote"]);
      }
      expect(JSON.stringify(cleanSchemaForGemini(schema))).not.toContain("$ref");
      expect(connect).not.toHaveBeenCalled();
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      connect.mockRestore();
      fetched.mockRestore();
    }
  });

  it.each([
    ["to itself", { properties: { a: { $ref: "#" } } }],
    [
      "to each other",
      {
        properties: { a: { $ref: "#/$defs/a" } },
        $defs: {
          a: { properties: { b: { $ref: "#/$defs/b" } } },
          b: { properties: { a: { $ref: "#/$defs/a" } } },
        },
      },
    ],
  ])("f3 · references %s end everywhere", async (_name, schema) => {
    for (const [, enter] of DOORS) {
      const { reason, tookMs } = await answerOf(() => enter(schema));
      expect(reason).toBeUndefined();
      expect(tookMs).toBeLessThan(50 * ROOM);
    }
    const inlined = JSON.stringify(inlineLocalRefs(schema));
    expect(inlined).not.toContain("$ref");
  });

  it("f3 · twenty doublings are stopped at 10,000 values, where plain inlining makes a million", async () => {
    const schema = tower(20, 2, (allOf) => ({ allOf }));
    for (const enter of [inlineLocalRefs, cleanSchemaForGemini, normalizeSchema]) {
      const { reason, tookMs } = await answerOf(() => enter(schema));
      expect(reason).toBe("ref_expansion");
      expect(tookMs).toBeLessThan(100 * ROOM);
    }
    const validator = await compileValidator(schema, { guard });
    expect((await answerOf(() => validator.check("x"))).tookMs).toBeLessThan(60 * ROOM);
    expect(countUnfolded(schema, 20)).toBeGreaterThan(100 * MAX_SCHEMA_NODES);
  });

  /** What an inliner without a budget would make. */
  function countUnfolded(schema: Schema, level: number): number {
    const definition = Object(schema.$defs)[`d${level}`];
    const refs: unknown[] = definition.allOf ?? [];
    return refs.reduce<number>((sum) => sum + countUnfolded(schema, level - 1), 1);
  }
});

describe("f4 · patterns", () => {
  const hostile: [pattern: string, text: string][] = [
    ["^(a+)+$", `${"a".repeat(40)}!`],
    ["(.*)*x", "a".repeat(5_000)],
    ["(\\w+\\s?)*$", `${"a".repeat(40)}!`],
    ["\\s+$", `${" ".repeat(50_000)}x`],
    ["^(a|a)*$", `${"a".repeat(40)}!`],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(60)],
  ];
  const places: [
    name: string,
    put: (pattern: string) => Schema,
    give: (text: string) => unknown,
  ][] = [
    ["pattern", (pattern) => ({ properties: { a: { pattern } } }), (text) => ({ a: text })],
    ["patternProperties", (p) => ({ patternProperties: { [p]: {} } }), (text) => ({ [text]: 1 })],
    ["propertyNames", (pattern) => ({ propertyNames: { pattern } }), (text) => ({ [text]: 1 })],
  ];

  it.each(places)("f4 · every hostile %s is stopped in 60 ms", async (_name, put, give) => {
    for (const [pattern, text] of hostile) {
      const validator = await compileValidator(put(pattern), { guard });
      const { reason, tookMs } = await answerOf(() => validator.check(give(text)));
      expect(reason).toBe("pattern_timeout");
      expect(tookMs).toBeLessThan(60 * ROOM);
    }
  });

  it("f4 · the engine alone takes longer for a text little more than half as long", async () => {
    const control = await answerOf(() => /^(a+)+$/.test(`${"a".repeat(24)}!`));
    expect(control.tookMs).toBeGreaterThan(60);
  });

  it("f4 · honest texts pass the same patterns", async () => {
    const validator = await compileValidator({ pattern: "^(a+)+$" }, { guard, guardMs: 2_000 });
    expect(validator.check("aaaa")).toEqual({ ok: true });
    expect(validator.check("b").ok).toBe(false);
  });
});

describe("f5 · combinators", () => {
  const once = ([ref]: Schema[]): Schema => ref ?? {};
  const bombs: [name: string, schema: Schema, value: unknown][] = [
    ["anyOf, 10 levels of 10", tower(10, 10, (anyOf) => ({ anyOf })), 5],
    ["oneOf, 10 levels of 10", tower(10, 10, (oneOf) => ({ oneOf })), 5],
    ["not in not, doubled", tower(24, 2, (refs) => ({ not: { allOf: refs } })), 5],
    [
      "if, then and else",
      tower(24, 1, (refs) =>
        Object.fromEntries(["if", "then", "else"].map((key) => [key, once(refs)])),
      ),
      5,
    ],
    [
      "dependentSchemas",
      tower(24, 2, ([one, two]) => ({
        dependentSchemas: { a: { allOf: [one ?? {}, two ?? {}] } },
      })),
      { a: 1 },
    ],
    [
      "unevaluatedProperties",
      { ...tower(24, 2, (allOf) => ({ allOf })), unevaluatedProperties: false },
      { a: 1 },
    ],
    [
      "a tree that branches at every level",
      {
        $ref: "#/$defs/t",
        $defs: {
          t: {
            anyOf: ["y", "z"].map((key) => ({
              properties: { x: { $ref: "#/$defs/t" } },
              required: [key],
            })),
          },
        },
      },
      nest(60, (x) => ({ x })),
    ],
  ];

  it.each(bombs)("f5 · %s is checked or stopped in 50 ms", async (_name, schema, value) => {
    const compiled = await answerOf(() => compileValidator(schema, { guard }));
    expect(compiled.reason).toBeUndefined();
    expect(compiled.tookMs).toBeLessThan(50 * ROOM);
    const validator = await compileValidator(schema, { guard });
    const { reason, tookMs } = await answerOf(() => validator.check(value));
    expect([undefined, "pattern_timeout"]).toContain(reason);
    expect(tookMs).toBeLessThan(50 * ROOM);
  });

  it("f5 · a check without a guard takes longer at half the height", async () => {
    const schema = tower(5, 10, (anyOf) => ({ anyOf }));
    const control = await answerOf(() => Check(schema, 5));
    expect(control.tookMs).toBeGreaterThan(60);
  });

  it("f5 · without a guard such schemas are not compiled at all", async () => {
    for (const [, schema] of bombs) {
      expect((await answerOf(() => compileValidator(schema))).reason).toBe("no_time_guard");
    }
  });
});

describe("f6 · malformed schemas", () => {
  const malformed: [name: string, parameters: unknown, sent: boolean][] = [
    [
      "required inside properties",
      { properties: { required: ["a"], a: { type: "string" } } },
      false,
    ],
    ["a list of types at the root", { type: ["object", "null"], properties: {} }, true],
    ["a list of types inside", { properties: { a: { type: ["string", "null"] } } }, true],
    ["a boolean schema", true, true],
    ["no type", { properties: { a: { description: "anything" } } }, true],
    ["no schema", undefined, true],
    ["a type that does not exist", { properties: { a: { type: "file" } } }, false],
    ["required as a flag", { properties: { a: { type: "string", required: true } } }, false],
    ["properties that are none", { type: "object", properties: "none" }, true],
    ["a property that is text", { properties: { a: "string" } }, false],
    ["a missing definition", { properties: { a: { $ref: "#/$defs/a" } } }, false],
  ];

  it("f6 · each is mended or left out with a reason, and every other tool is sent", () => {
    const fine = (index: number) => ({
      name: `fine_${index}`,
      description: "",
      parameters: { type: "object", properties: { a: { type: "string" } } },
    });
    const tools = malformed.flatMap(([name, parameters], index) => [
      fine(index),
      { name, description: "", parameters },
    ]);
    for (const provider of ["anthropic", "google"]) {
      const left = new Map<string, string>();
      const sent = extractToolSchemas(tools, provider, {
        onQuarantine: (tool, error) => left.set(tool.name, error.message),
      });
      const names = new Set(sent.map(({ name }) => name));
      for (const [index, [name, , isSent]] of malformed.entries()) {
        expect(names.has(`fine_${index}`)).toBe(true);
        expect([name, names.has(name)]).toEqual([name, isSent]);
        expect([name, left.get(name)?.includes(name) ?? false]).toEqual([name, !isSent]);
      }
      for (const { input_schema } of sent) {
        expect(input_schema).toMatchObject({ type: "object", properties: {} });
      }
    }
  });
});
