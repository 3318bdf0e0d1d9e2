// The compiler makes code of schemas. Whatever stands in a foreign schema, it stays data: nothing of
// it runs, and names with quotes and line ends are checked like any other.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { compileValidator } from "../../src/core/index.js";
import { createTimeGuard } from "../../src/drivers/time-guard.js";

const PROJECT_DIR = fileURLToPath(new URL("../../", import.meta.url));
const MARK = "clawtools_schema_code_ran";
const RUN = `(globalThis.${MARK}=true)`;
const guard = createTimeGuard();
const guardMs = 5_000;

/** Ways out of every kind of quote, comment and bracket that generated code could have. */
const ESCAPES = [
  `"+${RUN}+"`,
  `'+${RUN}+'`,
  `\`+${RUN}+\``,
  `\${${RUN}}`,
  `"]);${RUN};//`,
  `\\"+${RUN}+\\"`,
  `\\`,
  `\\\\"+${RUN}//`,
  `*/${RUN}/*`,
  `\n${RUN}\n`,
  `\r${RUN}\r`,
  `\u2028${RUN}\u2028`,
  `\u2029${RUN}\u2029`,
  `</script>${RUN}`,
  `\u0000${RUN}`,
  `x=>${RUN}`,
  `a.b[${RUN}]`,
  `a\u200c`,
  `\ud800`,
  `\ud800"+${RUN}+"`,
  `constructor`,
  `__proto__`,
  `toString`,
  `hasOwnProperty`,
  `value`,
  `context`,
  `check_0`,
  `External`,
  `return`,
  `await`,
  "",
  " ",
  "0",
  "-1",
  "ſ",
  "𝒳",
];

afterEach(() => {
  Reflect.deleteProperty(globalThis, MARK);
});

function ran(): boolean {
  return Reflect.has(globalThis, MARK);
}

/** Like a literal, but "__proto__" is a key as any other. */
function record(key: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([[key, value]]);
}

type Place = [
  name: string,
  put: (text: string) => Record<string, unknown>,
  good: (text: string) => unknown,
  bad: (text: string) => unknown,
];

const PLACES: Place[] = [
  [
    "the name of a property",
    (text) => ({ type: "object", properties: record(text, { type: "string" }) }),
    (text) => record(text, "x"),
    (text) => record(text, 5),
  ],
  [
    "the name of a nested property",
    (text) => ({
      properties: record(text, { type: "object", properties: record(text, { type: "string" }) }),
    }),
    (text) => record(text, record(text, "x")),
    (text) => record(text, record(text, 5)),
  ],
  [
    "a required name",
    (text) => ({ required: [text] }),
    (text) => record(text, 1),
    () => ({ x: 1 }),
  ],
  ["a value of enum", (text) => ({ enum: [text] }), (text) => text, (text) => `${text}!`],
  ["a const", (text) => ({ const: text }), (text) => text, (text) => `${text}!`],
  [
    "a const inside an object",
    (text) => ({ const: record(text, text) }),
    (text) => record(text, text),
    (text) => record(text, `${text}!`),
  ],
  [
    "the names of a closed object",
    (text) => ({ properties: record(text, {}), additionalProperties: false }),
    (text) => record(text, 1),
    (text) => record(`${text}!`, 1),
  ],
  [
    "the names beside further properties",
    (text) => ({ properties: record(text, {}), additionalProperties: { type: "string" } }),
    (text) => record(text, 1),
    (text) => record(`${text}!`, 1),
  ],
  [
    "a name that others depend on",
    (text) => ({ dependentRequired: record(text, ["other"]) }),
    () => ({ unrelated: 1 }),
    (text) => record(text, 1),
  ],
  [
    "the name of a definition",
    (text) => ({
      items: { $ref: `#/$defs/${encodeURIComponent(pointerOf(text))}` },
      $defs: record(text, { type: "string" }),
    }),
    () => ["x"],
    () => [5],
  ],
  [
    "notes that decide nothing",
    (text) => ({
      type: "string",
      title: text,
      description: text,
      format: text,
      default: text,
      $comment: text,
      ...record(`x-${text}`, text),
    }),
    () => "x",
    () => 5,
  ],
];

function pointerOf(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isEncodable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

describe("nothing of a schema runs", () => {
  it.each(PLACES)("as %s", async (name, put, good, bad) => {
    // A lone surrogate cannot stand in a URI.
    const texts = ESCAPES.filter(
      (text) => name !== "the name of a definition" || isEncodable(text),
    );
    for (const text of texts) {
      const validator = await compileValidator(put(text), { guard, guardMs });
      expect([text, validator.check(good(text)).ok]).toEqual([text, true]);
      expect([text, validator.check(bad(text)).ok]).toEqual([text, false]);
      expect([text, ran()]).toEqual([text, false]);
    }
  });

  it("as a keyword whose value should be a number, a flag or a type", async () => {
    const keywords = [
      "minLength",
      "maximum",
      "multipleOf",
      "minItems",
      "maxProperties",
      "type",
      "uniqueItems",
    ];
    for (const keyword of keywords) {
      for (const value of [RUN, { toString: () => RUN, valueOf: () => RUN }, [RUN]]) {
        await expect(compileValidator({ [keyword]: value }, { guard })).rejects.toMatchObject({
          reason: "schema_invalid",
        });
      }
    }
    expect(ran()).toBe(false);
  });

  it("as a function that the compiler knows by name", async () => {
    const check = () => {
      Reflect.set(globalThis, MARK, true);
      return true;
    };
    const validator = await compileValidator({
      "~refine": [{ check, error: check }],
      type: "string",
    });
    expect(validator.check("x")).toEqual({ ok: true });
    expect(ran()).toBe(false);
  });

  it("and a naive generator in the same run does run it", () => {
    const naive = (name: string) =>
      new Function("value", `return typeof value["${name}"] === "string"`);
    naive(ESCAPES[0] ?? "")({});
    expect(ran()).toBe(true);
  });
});

describe("where code from strings is forbidden", () => {
  it("the same schemas give the same answers", async () => {
    const folder = mkdtempSync(join(tmpdir(), "clawtools-schema-code-"));
    try {
      const entry = `
        import { compileValidator } from "./src/core/index.ts";
        const schema = {
          type: "object",
          properties: { a: { type: "string", pattern: "^[a-z]{1,8}$" }, b: { enum: ["x", 1, null] } },
          required: ["a"],
          additionalProperties: false,
        };
        const validator = await compileValidator(schema);
        const values = [{ a: "ok" }, { a: "ok", b: 1 }, { a: "NO" }, {}, { a: "ok", b: 2 }, { a: "ok", c: 1 }, 5];
        let made = "code from strings";
        try { new Function("return 1")(); } catch { made = "nothing"; }
        console.log(JSON.stringify([made, ...values.map((value) => validator.check(value))]));
      `;
      const outfile = join(folder, "check.mjs");
      await build({
        stdin: { contents: entry, resolveDir: PROJECT_DIR, loader: "ts" },
        bundle: true,
        platform: "node",
        format: "esm",
        outfile,
      });
      const run = (...flags: string[]) =>
        JSON.parse(execFileSync(process.execPath, [...flags, outfile], { encoding: "utf8" }));
      const [freeMade, ...freeAnswers] = run();
      const [strictMade, ...strictAnswers] = run("--disallow-code-generation-from-strings");
      expect([freeMade, strictMade]).toEqual(["code from strings", "nothing"]);
      expect(strictAnswers).toEqual(freeAnswers);
      expect(strictAnswers.map(({ ok }: { ok: boolean }) => ok)).toEqual([
        true,
        true,
        false,
        false,
        false,
        false,
        false,
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
