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
    ["one string where a list is wanted is wrapped", { tags: "a" }, { tags: ["a"] }],
    ["a list sent as JSON text is parsed", { tags: '["a","b"]' }, { tags: ["a", "b"] }],
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

  it("the caller's object is never changed", () => {
    const given = Object.freeze({ file_path: "a", edits: Object.freeze([{ old_string: "x" }]) });
    prepare(given);
    expect(given).toEqual({ file_path: "a", edits: [{ old_string: "x" }] });
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
