// Table of the slips that prepare mends, and of what it refuses.

import { describe, expect, it } from "vitest";
import { createPrepare } from "./prepare.js";

const parameters = {
  type: "object",
  properties: {
    path: { type: "string" },
    maxResults: { type: "integer" },
    search_lang: { type: "string" },
    force: { type: "boolean" },
    mode: { type: "string", enum: ["now", "next-heartbeat"] },
    letter: { type: "string", enum: ["a", "A", "b"] },
    level: { type: "integer", enum: [1, 2, 3] },
    tags: { type: "array", items: { type: "string" } },
    env: { type: "object", additionalProperties: { type: "string" } },
    note: { type: ["string", "null"] },
    edits: {
      type: "array",
      items: {
        type: "object",
        properties: { oldText: { type: "string" }, newText: { type: "string" } },
        required: ["oldText", "newText"],
      },
    },
  },
  required: ["path"],
};
const aliases = { file_path: "path", old_string: "oldText" };
const prepare = createPrepare({ parameters, aliases, maxArgumentChars: undefined });

it("a list of one text is that text where one is wanted, a longer one is left to the schema", () => {
  const parameters = { type: "object", properties: { ref: { type: "string" } } };
  const mend = createPrepare({ parameters, aliases: {}, maxArgumentChars: undefined });
  expect(mend({ ref: ["e1"] })).toEqual({ ref: "e1" });
  for (const ref of [["e1", "e2"], [], [{}], [["e1"]]]) expect(mend({ ref })).toEqual({ ref });
});

describe("synonyms", () => {
  const synonyms = {
    mode: {
      soon: { mode: "later" },
      fast: { mode: "now", maxResults: 1 },
      forced: { force: true },
    },
  };
  const mend = createPrepare({ parameters, aliases, synonyms, maxArgumentChars: undefined });
  it.each([
    ["a word means another one", { mode: "soon" }, { mode: "later" }],
    ["and further parameters", { mode: " Fast " }, { mode: "now", maxResults: 1 }],
    [
      "what the call says goes before",
      { mode: "fast", maxResults: 5 },
      { mode: "now", maxResults: 5 },
    ],
    ["it may mean none of its own", { mode: "forced" }, { force: true }],
    ["an unknown word stays", { mode: "constructor" }, { mode: "constructor" }],
  ])("%s", (_, given, prepared) => {
    expect(mend({ path: "a", ...given })).toEqual({ path: "a", ...prepared });
  });
});

it.each([
  ["fsat", 'mode "now"'],
  ["next-heartbeet", '"next-heartbeat"'],
])("a word near to another is refused with what that means: %s", (mode, nearest) => {
  const synonyms = { mode: { fast: { mode: "now" } } };
  const mend = createPrepare({ parameters, aliases, synonyms, maxArgumentChars: undefined });
  expect(() => mend({ path: "a", mode })).toThrowError(`did you mean ${nearest}?`);
});

describe("what is mended", () => {
  const cases: Array<[title: string, given: unknown, prepared: unknown]> = [
    [
      "arguments that fit stay as they are",
      { path: "a", maxResults: 3 },
      { path: "a", maxResults: 3 },
    ],
    ["a declared alias becomes the parameter", { file_path: "a" }, { path: "a" }],
    ["an alias in its camelCase counts too", { filePath: "a" }, { path: "a" }],
    ["snake_case finds a camelCase parameter", { max_results: 3 }, { maxResults: 3 }],
    ["letter case counts for nothing", { Path: "a", MAXRESULTS: 3 }, { path: "a", maxResults: 3 }],
    ["neither do dashes and underscores", { "file-path": "a" }, { path: "a" }],
    ["nor an alias without them", { filepath: "a" }, { path: "a" }],
    ["camelCase finds a snake_case parameter", { searchLang: "de" }, { search_lang: "de" }],
    ["arguments sent as JSON text are parsed", '{"path":"a"}', { path: "a" }],
    ["no arguments are an empty object", undefined, {}],
    ["null arguments are an empty object", null, {}],
    ["blank text is an empty object", "  ", {}],
    ["a number written as text becomes a number", { maxResults: " 7 " }, { maxResults: 7 }],
    [
      "text that is no number stays for the validator",
      { maxResults: "ten" },
      { maxResults: "ten" },
    ],
    ["a boolean written as text becomes one", { force: "True" }, { force: true }],
    ["a number where text is wanted becomes text", { path: 42 }, { path: "42" }],
    ["a word of an enum is found in any case", { mode: "NOW" }, { mode: "now" }],
    ["a word is not guessed where two differ only in case", { letter: "B" }, { letter: "B" }],
    ["a number of an enum may come as text", { level: "2" }, { level: 2 }],
    ["one string where a list is wanted is wrapped", { tags: "a" }, { tags: ["a"] }],
    ["one string where a list of objects is wanted stays", { edits: "a" }, { edits: "a" }],
    ["text that only begins like an object stays", { env: "{a" }, { env: "{a" }],
    ["blank text where a number is wanted stays", { maxResults: " " }, { maxResults: " " }],
    ["another word where a boolean is wanted stays", { force: "yes" }, { force: "yes" }],
    ["a list sent as JSON text is parsed", { tags: '["a","b"]' }, { tags: ["a", "b"] }],
    [
      "one object sent as JSON text is the list of it",
      { edits: '{"oldText":"a","newText":"b"}' },
      { edits: [{ oldText: "a", newText: "b" }] },
    ],
    ["an object sent as JSON text is parsed", { env: '{"A":"1"}' }, { env: { A: "1" } }],
    ["null for an optional parameter is left out", { path: "a", force: null }, { path: "a" }],
    ["null for a required parameter stays for the validator", { path: null }, { path: null }],
    ["null stays where the schema allows it", { note: null }, { note: null }],
    [
      "aliases hold inside lists of objects",
      { edits: [{ old_string: "a", new_text: "b" }] },
      { edits: [{ oldText: "a", newText: "b" }] },
    ],
    [
      "the same value under two spellings is one value",
      { path: "a", file_path: "a" },
      { path: "a" },
    ],
    ["a null beside a value is no second value", { path: "a", file_path: null }, { path: "a" }],
    ["a value replaces a null before it", { path: null, file_path: "a" }, { path: "a" }],
    [
      "equal lists under two spellings are one list",
      { maxResults: 1, edits: [], max_results: 1 },
      { maxResults: 1, edits: [] },
    ],
    ["keys of an open object are free", { env: { ANY: "1" } }, { env: { ANY: "1" } }],
  ];
  it.each(cases)("%s", (_title, given, prepared) => {
    expect(prepare(given)).toEqual(prepared);
  });

  it("shares no part with the caller's object, not even where anything is taken", () => {
    const given = { path: "a", env: { list: [{ deep: 1 }] } };
    const prepared = prepare(given);
    given.env.list[0] = { deep: 2 };
    expect(prepared).toEqual({ path: "a", env: { list: [{ deep: 1 }] } });
  });

  it("letter case counts where other keys are free", () => {
    const open = createPrepare({
      parameters: { ...parameters, additionalProperties: true },
      aliases,
      maxArgumentChars: undefined,
    });
    expect(open({ PATH: "/bin" })).toEqual({ PATH: "/bin" });
  });

  it("letter case counts where two parameters differ only in it", () => {
    const twins = createPrepare({
      parameters: { type: "object", properties: { aB: {}, ab: {} } },
      aliases: {},
      maxArgumentChars: undefined,
    });
    expect(twins({ ab: 1, aB: 2 })).toEqual({ ab: 1, aB: 2 });
    expect(() => twins({ AB: 1 })).toThrowError(/Unknown parameter "AB"/);
  });

  it("keys of an object without listed ones are free", () => {
    const open = createPrepare({
      parameters: { type: "object", properties: { any: { type: "object" } } },
      aliases: {},
      maxArgumentChars: undefined,
    });
    expect(open({ any: { key: 1 } })).toEqual({ any: { key: 1 } });
  });

  it("the caller's object is never changed", () => {
    const given = Object.freeze({ file_path: "a", edits: Object.freeze([{ old_string: "x" }]) });
    prepare(given);
    expect(given).toEqual({ file_path: "a", edits: [{ old_string: "x" }] });
  });
});

describe("null for an optional parameter", () => {
  const $defs = {
    word: { enum: ["a", "b"] },
    maybe: { anyOf: [{ $ref: "#/$defs/word" }, { type: "null" }] },
    circle: { $ref: "#/$defs/circle" },
  };
  const read = (field: Record<string, unknown>, given: unknown) =>
    createPrepare({
      parameters: { type: "object", properties: { field }, $defs },
      aliases: {},
      maxArgumentChars: undefined,
    })({ field: given });

  it.each<[what: string, field: Record<string, unknown>]>([
    ["an enum without null", { enum: ["a", "b"] }],
    ["a constant", { const: 5 }],
    ["alternatives without null", { anyOf: [{ type: "string" }, { type: "integer" }] }],
    ["alternatives of which none takes null", { oneOf: [{ type: "string" }, { enum: ["x"] }] }],
    ["all of several, one without null", { allOf: [{}, { type: "string" }] }],
    ["a type with null and an enum without", { type: ["string", "null"], enum: ["a"] }],
    ["a reference to what takes no null", { $ref: "#/$defs/word" }],
  ])("is left out where the schema is %s", (_what, field) => {
    expect(read(field, null)).toEqual({});
  });

  it("is looked for once in each part, however many references lead there", () => {
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const next = (index: number) => ({ $ref: `#/$defs/d${index + 1}` });
    const bomb = Object.fromEntries(
      names.map((name, index) => [name, { anyOf: [next(index), next(index), next(index)] }]),
    );
    const chain = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`c${index}`, { $ref: `#/$defs/c${index + 1}` }]),
    );
    const bombed = createPrepare({
      parameters: {
        type: "object",
        properties: { field: { $ref: "#/$defs/d0" }, other: { $ref: "#/$defs/c0" } },
        $defs: { ...bomb, ...chain, d40: { type: "string" } },
      },
      aliases: {},
      maxArgumentChars: undefined,
    });
    expect(bombed({ other: "x" })).toEqual({ other: "x" });
  });

  it.each<[what: string, field: Record<string, unknown>]>([
    ["anything", {}],
    ["an enum with null", { enum: ["a", null] }],
    ["the constant null", { const: null }],
    ["alternatives with null", { anyOf: [{ type: "string" }, { type: "null" }] }],
    ["all of several that take it", { allOf: [{}, { type: ["string", "null"] }] }],
    ["a reference to what takes null", { $ref: "#/$defs/maybe" }],
    ["a reference in a circle", { $ref: "#/$defs/circle" }],
    ["a reference that leads nowhere", { $ref: "#/$defs/none" }],
  ])("stays where the schema is %s", (_what, field) => {
    expect(read(field, null)).toEqual({ field: null });
  });
});

describe("what is refused", () => {
  const cases: Array<[title: string, given: unknown, message: RegExp]> = [
    [
      "a mistyped key names the nearest",
      { paht: "a" },
      /Unknown parameter "paht"; did you mean "path"/,
    ],
    ["a mistyped alias names the parameter", { file_pth: "a" }, /did you mean "path"/],
    ["a strange key lists the known ones", { zzzzzz: 1 }, /known: path, maxResults/],
    [
      "a strange key in a list says where",
      { edits: [{ oldTxt: "a" }] },
      /in edits\[0\]; .*"oldText"/,
    ],
    ["a list inside text that is too deep", { tags: "[".repeat(200) }, /deeper than 128/],
    ["two spellings with different values", { path: "a", file_path: "b" }, /different values/],
    ["a list instead of an object", ["a"], /received a list/],
    ["a number instead of an object", 5, /received a number/],
    ["a Map, which has no named values", new Map([["path", "a"]]), /received Map/],
    ["text that is no JSON", "{path", /not valid JSON/],
    ["JSON text of a list", "[1]", /received a list/],
    ["a __proto__ key", JSON.parse('{"path":"a","__proto__":{"x":1}}'), /__proto__/],
    ["a __proto__ key deep inside", JSON.parse('{"env":{"__proto__":{"x":1}}}'), /__proto__/],
  ];
  it.each(cases)("%s", (_title, given, message) => {
    expect(() => prepare(given)).toThrowError(message);
  });

  it("constructor and toString are ordinary unknown keys", () => {
    expect(() => prepare({ constructor: 1 })).toThrowError(/Unknown parameter "constructor"/);
    expect(prepare({ env: { toString: "x" } })).toEqual({ env: { toString: "x" } });
  });
});
