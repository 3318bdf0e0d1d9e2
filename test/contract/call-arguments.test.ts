// How arguments are read: the slips that models are known for are mended, everything else is
// refused by name, and a bomb costs nothing.
import { defineTool, jsonResult, type Tool, t } from "clawtools";
import { describe, expect, it } from "vitest";
import { bindAlone } from "../fakes/resolve-tool.js";

/** A security bound with five times the room, not a figure of speed. */
const MAX_BOMB_MS = 5_000;
const BOMB_LEVELS = 200_000;

const probe = defineTool({
  name: "probe",
  description: "Shows what reached it.",
  parameters: t.object({
    path: t.string({ description: "Where." }),
    maxCount: t.optional(t.integer({ description: "How many." })),
    ratio: t.optional(t.number({ description: "How much." })),
    deep: t.optional(t.boolean({ description: "Whether." })),
    mode: t.optional(t.choice(["markdown", "text"], { description: "How." })),
    tags: t.optional(t.array(t.string(), { description: "Which." })),
    sizes: t.optional(t.array(t.integer(), { description: "How large." })),
    env: t.optional(t.record(t.string(), { description: "With what." })),
    free: t.optional(t.record(t.unknown(), { description: "Anything." })),
    raw: t.optional(t.unknown({ description: "Whatever." })),
    edits: t.optional(
      t.array(
        t.object({
          oldText: t.string({ description: "Before." }),
          newText: t.string({ description: "After." }),
        }),
        { description: "Changes." },
      ),
    ),
  }),
  aliases: { file_path: "path", old_string: "oldText" },
  execute: async ({ params }) => jsonResult(params),
});

const tool: Tool = bindAlone(probe);

/** The arguments that reached the tool, or the details of the error; models are not typed. */
async function read(argument: unknown): Promise<unknown> {
  const result = await Reflect.apply(tool.execute, tool, ["call_1", argument]);
  return result.details;
}

interface MendedCase {
  readonly slip: string;
  readonly given: unknown;
  readonly reaches: Record<string, unknown>;
}

const MENDED: readonly MendedCase[] = [
  {
    slip: "arguments as JSON text",
    given: '{"path":"a","maxCount":2}',
    reaches: { path: "a", maxCount: 2 },
  },
  {
    slip: "JSON text with white space around it",
    given: ' \n{"path":"a"} ',
    reaches: { path: "a" },
  },
  { slip: "an alias", given: { file_path: "a" }, reaches: { path: "a" } },
  { slip: "an alias in camelCase", given: { filePath: "a" }, reaches: { path: "a" } },
  { slip: "snake_case", given: { path: "a", max_count: 2 }, reaches: { path: "a", maxCount: 2 } },
  {
    slip: "two spellings of one value",
    given: { path: "a", file_path: "a" },
    reaches: { path: "a" },
  },
  {
    slip: "a number as text",
    given: { path: "a", maxCount: "7" },
    reaches: { path: "a", maxCount: 7 },
  },
  {
    slip: "a number as text with spaces",
    given: { path: "a", ratio: " 0.5 " },
    reaches: { path: "a", ratio: 0.5 },
  },
  {
    slip: "a boolean as text",
    given: { path: "a", deep: "True" },
    reaches: { path: "a", deep: true },
  },
  { slip: "a number where text is wanted", given: { path: 42 }, reaches: { path: "42" } },
  {
    slip: "a word in another case",
    given: { path: "a", mode: " MarkDown" },
    reaches: { path: "a", mode: "markdown" },
  },
  {
    slip: "null for what may be left out",
    given: { path: "a", maxCount: null, tags: null },
    reaches: { path: "a" },
  },
  {
    slip: "a list as JSON text",
    given: { path: "a", tags: '["x","y"]' },
    reaches: { path: "a", tags: ["x", "y"] },
  },
  {
    slip: "one text for a list of texts",
    given: { path: "a", tags: "x" },
    reaches: { path: "a", tags: ["x"] },
  },
  {
    slip: "numbers as text in a list",
    given: { path: "a", sizes: ["1", 2] },
    reaches: { path: "a", sizes: [1, 2] },
  },
  {
    slip: "an object as JSON text",
    given: { path: "a", env: '{"K":"v"}' },
    reaches: { path: "a", env: { K: "v" } },
  },
  {
    slip: "aliases and other spellings in nested objects",
    given: { path: "a", edits: [{ old_string: "x", new_text: "y" }] },
    reaches: { path: "a", edits: [{ oldText: "x", newText: "y" }] },
  },
  {
    slip: "a list of objects as JSON text",
    given: { path: "a", edits: '[{"oldText":"x","newText":"y"}]' },
    reaches: { path: "a", edits: [{ oldText: "x", newText: "y" }] },
  },
];

const UNTOUCHED: ReadonlyArray<Record<string, unknown>> = [
  { path: '{"a":1}' },
  { path: "[1,2]" },
  { path: " spaced " },
  { path: "" },
  { path: "a", free: { max_count: "7", nested: { file_path: null } } },
  { path: "a", raw: '{"text":"stays text"}' },
  { path: "a", raw: null },
  { path: "a", free: { constructor: "data", toString: 1 } },
];

interface RefusedCase {
  readonly why: string;
  readonly given: unknown;
  readonly reason: string;
  readonly says: RegExp;
}

const REFUSED: readonly RefusedCase[] = [
  {
    why: "text that is no JSON",
    given: "path: a",
    reason: "arguments_not_json",
    says: /JSON object/,
  },
  { why: "broken JSON text", given: '{"path":', reason: "arguments_not_json", says: /JSON object/ },
  { why: "a list", given: [], reason: "arguments_not_object", says: /a list/ },
  {
    why: "nothing where something is required",
    given: undefined,
    reason: "arguments_invalid",
    says: /path/,
  },
  {
    why: "empty text where something is required",
    given: "",
    reason: "arguments_invalid",
    says: /path/,
  },
  {
    why: "null for what is required",
    given: { path: null },
    reason: "arguments_invalid",
    says: /path/,
  },
  {
    why: "an unknown name",
    given: { pth: "a" },
    reason: "unknown_parameter",
    says: /"pth".*"path"/,
  },
  {
    why: "a misspelt alias",
    given: { fil_path: "a" },
    reason: "unknown_parameter",
    says: /"fil_path".*"path"/,
  },
  {
    why: "a name far from all others",
    given: { path: "a", zzzzzzzzz: 1 },
    reason: "unknown_parameter",
    says: /known: path, maxCount/,
  },
  {
    why: "an unknown name in a nested object",
    given: { path: "a", edits: [{ oldText: "x", newText: "y", newTxt: "z" }] },
    reason: "unknown_parameter",
    says: /"newTxt" in edits\[0\].*"newText"/,
  },
  {
    why: "two spellings with two values",
    given: { path: "a", file_path: "b" },
    reason: "parameter_twice",
    says: /"file_path" and "path"/,
  },
  {
    why: "a fraction for an integer",
    given: { path: "a", maxCount: 1.5 },
    reason: "arguments_invalid",
    says: /maxCount/,
  },
  {
    why: "words for a number",
    given: { path: "a", maxCount: "many" },
    reason: "arguments_invalid",
    says: /maxCount/,
  },
  {
    why: "empty text for a number",
    given: { path: "a", ratio: "" },
    reason: "arguments_invalid",
    says: /ratio/,
  },
  {
    why: "infinity as text",
    given: { path: "a", ratio: "Infinity" },
    reason: "arguments_invalid",
    says: /ratio/,
  },
  {
    why: "infinity as a number",
    given: { path: "a", ratio: Number.POSITIVE_INFINITY },
    reason: "arguments_invalid",
    says: /ratio/,
  },
  {
    why: "yes for a boolean",
    given: { path: "a", deep: "yes" },
    reason: "arguments_invalid",
    says: /deep/,
  },
  {
    why: "a number for a boolean",
    given: { path: "a", deep: 1 },
    reason: "arguments_invalid",
    says: /deep/,
  },
  {
    why: "a word that is no choice",
    given: { path: "a", mode: "html" },
    reason: "arguments_invalid",
    says: /mode.*markdown.*text/,
  },
  {
    why: "a boolean where text is wanted",
    given: { path: true },
    reason: "arguments_invalid",
    says: /path/,
  },
  {
    why: "an object where text is wanted",
    given: { path: {} },
    reason: "arguments_invalid",
    says: /path/,
  },
  {
    why: "a wrong value inside a record",
    given: { path: "a", env: { K: {} } },
    reason: "arguments_invalid",
    says: /env\.?.*K/,
  },
  {
    why: "several wrong fields, each named",
    given: { path: {}, deep: 1, ratio: "x" },
    reason: "arguments_invalid",
    says: /(?=.*path: )(?=.*ratio: )(?=.*deep: )/,
  },
  {
    why: "__proto__ in an object",
    given: JSON.parse('{"path":"a","__proto__":{"x":1}}'),
    reason: "forbidden_key",
    says: /__proto__/,
  },
  {
    why: "__proto__ in JSON text",
    given: '{"path":"a","__proto__":{"x":1}}',
    reason: "forbidden_key",
    says: /__proto__/,
  },
  {
    why: "__proto__ deep in a record",
    given: JSON.parse('{"path":"a","free":{"b":[{"__proto__":{"x":1}}]}}'),
    reason: "forbidden_key",
    says: /__proto__/,
  },
  {
    why: "__proto__ in a record as JSON text",
    given: { path: "a", free: '{"__proto__":{"x":1}}' },
    reason: "forbidden_key",
    says: /__proto__/,
  },
  {
    why: "constructor as a parameter",
    given: { path: "a", constructor: 1 },
    reason: "unknown_parameter",
    says: /constructor/,
  },
];

describe("a slip that is mended", () => {
  it.each(MENDED)("$slip", async ({ given, reaches }) => {
    expect(await read(given)).toEqual(reaches);
  });

  it("leaves the caller's own object as it was", async () => {
    const given = { file_path: "a", tags: '["x"]', edits: [{ old_string: "x", newText: "y" }] };
    const before = structuredClone(given);
    await read(given);
    expect(given).toEqual(before);
  });
});

it("values that fit are never touched", async () => {
  for (const given of UNTOUCHED) expect(await read(given)).toEqual(given);
});

describe("refused", () => {
  it.each(REFUSED)("$why", async ({ given, reason, says }) => {
    expect(await read(given)).toMatchObject({
      status: "error",
      tool: "probe",
      code: "invalid_input",
      reason,
      error: expect.stringMatching(says),
    });
    expect(Reflect.get({}, "x")).toBeUndefined();
  });

  it("with a name of any length is answered with a short text", async () => {
    const result = await tool.execute("call_1", { path: "a", ["k".repeat(1_000_000)]: 1 });
    expect(JSON.stringify(result).length).toBeLessThan(2_000);
  });
});

describe("a bomb answers limit, and soon", () => {
  const deepObject = () => {
    let value: unknown = 1;
    for (let level = 0; level < BOMB_LEVELS; level += 1) value = { inner: value };
    return value;
  };
  const deepList = () => {
    let value: unknown = 1;
    for (let level = 0; level < BOMB_LEVELS; level += 1) value = [value];
    return value;
  };
  const cycle = () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    return value;
  };
  const opened = (opening: string) => opening.repeat(BOMB_LEVELS);
  const bombs: ReadonlyArray<readonly [string, () => unknown]> = [
    ["a deep object", () => ({ path: "a", free: deepObject() })],
    ["a deep list", () => ({ path: "a", raw: deepList() })],
    ["a cycle", () => ({ path: "a", free: cycle() })],
    ["a wide list", () => ({ path: "a", raw: Array.from({ length: 2_000_000 }, () => 0) })],
    ["deep JSON text", () => `{"path":"a","free":${opened('{"a":')}1${opened("}")}}`],
    ["deep JSON text that never closes", () => `{"path":"a","raw":${opened("[")}`],
    ["wide JSON text", () => `{"path":"a","raw":[${"0,".repeat(2_000_000)}0]}`],
    ["deep JSON text in a field", () => ({ path: "a", free: opened('{"a":') })],
    ["deep JSON text of a list in a field", () => ({ path: "a", sizes: opened("[") })],
    ["text of 20 MB", () => ({ path: "a".repeat(20 * 1024 * 1024) })],
    ["JSON text of 20 MB", () => `{"path":"${"a".repeat(20 * 1024 * 1024)}"}`],
  ];

  it.each(bombs)("%s", async (_what, create) => {
    const bomb = create();
    const begunMs = performance.now();
    const answer = await read(bomb);
    expect(performance.now() - begunMs).toBeLessThan(MAX_BOMB_MS);
    expect(answer).toMatchObject({ status: "error", code: "limit" });
  });
});
