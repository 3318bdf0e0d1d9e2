// The page about schemas holds what it says: numbers, reasons, lists and examples.
import { readFileSync } from "node:fs";
import { cleanSchemaForGemini } from "clawtools/tools";
import { describe, expect, it } from "vitest";
import { compileValidator, extractToolSchemas, isToolError } from "../../src/core/index.js";
import { MAX_PROBLEMS } from "../../src/core/schema/check/report.js";
import { MAX_SHOWN_CHARS } from "../../src/core/schema/json-value.js";
import {
  DEFAULT_MAX_ARGUMENT_CHARS,
  MAX_ARGUMENT_DEPTH,
  MAX_ARGUMENT_NODES,
  MAX_SCHEMA_CHARS,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_NODES,
} from "../../src/core/schema/limits.js";
import { isPlainPattern } from "../../src/core/schema/pattern.js";
import { createTimeGuard } from "../../src/drivers/time-guard.js";

const page = readFileSync(new URL("../../docs/schemas.md", import.meta.url), "utf8");
const guard = createTimeGuard();

function section(title: string): string {
  const parts = page.split(/^## /m);
  const found = parts.find((part) => part.startsWith(title));
  if (found === undefined) throw new Error(`no section "${title}"`);
  return found;
}

/** The words in code marks of the line that begins with `start`. */
function wordsOf(text: string, start: string): string[] {
  const line = text.split("\n").find((candidate) => candidate.startsWith(start)) ?? "";
  return [...line.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? "");
}

async function reasonFor(schema: unknown): Promise<string | undefined> {
  try {
    await compileValidator(schema, { guard });
    return undefined;
  } catch (thrown) {
    return isToolError(thrown) ? thrown.reason : "untyped";
  }
}

describe("docs/schemas.md", () => {
  it("has the limits of the code", () => {
    const grouped = (count: number) => count.toLocaleString("en-US");
    const rows: [what: string, schema: number, values: number][] = [
      ["nesting depth", MAX_SCHEMA_DEPTH, MAX_ARGUMENT_DEPTH],
      ["values, counted at each occurrence", MAX_SCHEMA_NODES, MAX_ARGUMENT_NODES],
      ["characters of all keys and strings", MAX_SCHEMA_CHARS, DEFAULT_MAX_ARGUMENT_CHARS],
    ];
    for (const [what, schema, values] of rows) {
      expect(page).toContain(`| ${what} | ${grouped(schema)} | ${grouped(values)} |`);
    }
    expect(page).toContain(`At most ${MAX_PROBLEMS} problems`);
    expect(page).toContain(`in at most ${MAX_SHOWN_CHARS} characters`);
  });

  it("names the reason that each kind of bad schema gets", async () => {
    const self: Record<string, unknown> = {};
    self.not = self;
    const deep = Array.from({ length: 70 }).reduce<object>((not) => ({ not }), {});
    const chain = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        `d${index}`,
        { items: { $ref: `#/$defs/d${index + 1}` } },
      ]),
    );
    const samples: [schema: unknown, reason: string][] = [
      [{ type: "int" }, "schema_invalid"],
      [{ properties: true }, "schema_invalid"],
      [{ required: true }, "schema_invalid"],
      [{ properties: { required: ["a"] } }, "schema_invalid"],
      [deep, "schema_too_deep"],
      [{ enum: new Array(MAX_SCHEMA_NODES).fill(1) }, "schema_too_large"],
      [self, "schema_cyclic"],
      [Object.defineProperty({}, "type", { enumerable: true, get: fail }), "schema_unreadable"],
      [{ $ref: "http://a.test/s" }, "ref_remote"],
      [{ $ref: "#/$defs/none" }, "ref_unresolvable"],
      [{ allOf: [{ $ref: "#" }] }, "ref_cyclic"],
      [{ $ref: "#/$defs/d0", $defs: { ...chain, d400: {} } }, "ref_expansion"],
    ];
    const table = section("Rejected schemas");
    for (const [schema, reason] of samples) {
      expect(await reasonFor(schema)).toBe(reason);
      expect(table).toContain(`\`${reason}\``);
    }
    await expect(compileValidator({ pattern: "a*" })).rejects.toMatchObject({
      reason: "no_time_guard",
    });
    expect(table).toContain("`no_time_guard`");
  });

  it("takes every keyword it says it takes", async () => {
    const names = [...section("Supported keywords").matchAll(/`([a-zA-Z$]+)`/g)].map(
      ([, name]) => name ?? "",
    );
    expect(names).toContain("unevaluatedItems");
    const notJudged = new Set(["const", "u"]);
    for (const name of names.filter((keyword) => !notJudged.has(keyword))) {
      // A known keyword refuses a value that no keyword can have.
      expect([name, await reasonFor({ [name]: Symbol("no value") })]).toEqual([
        name,
        "schema_invalid",
      ]);
    }
  });

  it("is right about what is quick without a guard", async () => {
    const text = section("Slow schemas");
    const examples = [...text.matchAll(/`(\^[^`]+\$)`/g)].map(([, pattern]) => pattern ?? "");
    expect(examples).toHaveLength(3);
    expect(examples.map(isPlainPattern)).toEqual([false, true, true]);
    expect(text).toContain("after 50 ms");
    const three = { anyOf: [{ oneOf: [{ not: { type: "string" } }] }] };
    await expect(compileValidator(three)).resolves.toBeDefined();
    await expect(compileValidator({ not: three })).rejects.toMatchObject({
      reason: "no_time_guard",
    });
    expect(text).toContain("up to 3 levels");
  });

  it("shows problems as they are told", async () => {
    const schema = {
      type: "object",
      properties: {
        path: { type: "string" },
        limit: { type: "integer" },
        mode: { enum: ["a"] },
        edits: { items: { properties: { oldText: { type: "string", minLength: 1 } } } },
      },
      required: ["mode"],
    };
    const validator = await compileValidator(schema, { guard });
    const outcome = validator.check({ path: 5, limit: "ten", edits: [{ oldText: "" }] });
    const lines = outcome.ok
      ? []
      : outcome.problems.map(({ path, message }) => `${path}: ${message}`);
    expect(page).toContain(`\`\`\`\n${lines.join("\n")}\n\`\`\``);
    const values = Array.from({ length: 30 }, (_, index) => index);
    const many = (await compileValidator({ enum: values })).check("x");
    expect(JSON.stringify(many)).toContain("and 6 more");
    expect(page).toContain("at most 24 are listed");
  });

  it("lists what Gemini loses and keeps", () => {
    const text = section("Gemini");
    const removed = wordsOf(text, "Removed:");
    const kept = wordsOf(text, "Kept:");
    expect(removed).toHaveLength(20);
    const schema = Object.fromEntries(
      [...removed, ...kept].map((keyword) => [keyword, sampleFor(keyword)]),
    );
    const { anyOf, enum: values, ...rest } = schema;
    const cleaned = new Set([
      ...Object.keys(cleanSchemaForGemini(rest)),
      ...Object.keys(cleanSchemaForGemini({ anyOf })),
      ...Object.keys(cleanSchemaForGemini({ enum: values })),
    ]);
    expect(cleaned).toEqual(new Set(kept));
    const tool = {
      name: "a",
      description: "",
      parameters: { properties: { a: { minLength: 1 } } },
    };
    const providers = wordsOf(text, "`cleanSchemaForGemini(schema)`").filter((word) =>
      word.startsWith("google"),
    );
    expect(providers).toHaveLength(4);
    for (const provider of providers) {
      expect(JSON.stringify(extractToolSchemas([tool], provider))).not.toContain("minLength");
    }
  });
});

function sampleFor(keyword: string): unknown {
  const samples: Record<string, unknown> = {
    type: "object",
    title: "T",
    description: "d",
    nullable: true,
    enum: ["a", "b"],
    properties: { a: { type: "string" } },
    required: ["a"],
    items: { type: "string" },
    anyOf: [{ type: "string" }, { type: "number" }],
    $ref: "#/$defs/a",
    $defs: { a: {} },
  };
  return samples[keyword] ?? 1;
}

function fail(): never {
  throw new Error("a getter threw");
}
