// Edits of JSON and JSON5 text: the value is changed, and every byte that is not about it stays.

import json5 from "json5";
import { describe, expect, it } from "vitest";
import { parseKeyPath } from "../problem.js";
import { changeValue, editDocument } from "./plan-change.js";

async function set(text: string, path: string, value: unknown): Promise<string> {
  const edited = await editDocument(text, { path: parseKeyPath(path), value });
  return edited.ok ? edited.text : edited.why;
}

async function unset(text: string, path: string): Promise<string> {
  const edited = await editDocument(text, { path: parseKeyPath(path), remove: true });
  return edited.ok ? edited.text : edited.why;
}

const JSON5_FILE = `// ours
{
  // which tools
  tools: {
    'profile': 'coding', // for all
    deny: ["tts", /* loud */ "write"],
  },
  "limits": { resultChars: 0x10, },
}
`;

describe("a value that is set", () => {
  const ROWS: [what: string, text: string, path: string, value: unknown, after: string][] = [
    [
      "takes the place of the old one",
      JSON5_FILE,
      "tools.profile",
      "full",
      JSON5_FILE.replace("'coding'", '"full"'),
    ],
    [
      "may be a list",
      JSON5_FILE,
      "tools.deny",
      [],
      JSON5_FILE.replace('["tts", /* loud */ "write"]', "[]"),
    ],
    [
      "may be one entry of a list",
      JSON5_FILE,
      "tools.deny[1]",
      "x",
      JSON5_FILE.replace('"write"', '"x"'),
    ],
    [
      "may be appended to a list",
      JSON5_FILE,
      "tools.deny.2",
      "x",
      JSON5_FILE.replace('"write"]', '"write", "x"]'),
    ],
    [
      "is added behind the last key, with its comma",
      JSON5_FILE,
      "tools.exec.ask",
      "off",
      JSON5_FILE.replace(
        '"write"],\n',
        '"write"],\n    "exec": {\n      "ask": "off"\n    },\n'.replaceAll(
          /"(exec|ask)"/g,
          "'$1'",
        ),
      ),
    ],
    [
      "is added on the same line where the object is on one line",
      JSON5_FILE,
      "limits.turnChars",
      5,
      JSON5_FILE.replace("0x10,", "0x10, turnChars: 5,"),
    ],
    ["leaves strict JSON strict", '{"a": 1}', "b", 2, '{"a": 1, "b": 2}'],
    ["fills an empty object", "{}\n", "a.b", 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    [
      "keeps the comment of an empty object",
      "{\n  // nothing yet\n}\n",
      "a",
      1,
      '{\n  // nothing yet\n  "a": 1\n}\n',
    ],
    [
      "puts the comma before a comment",
      '{\n\t"a": 1 // one\n}\n',
      "b",
      2,
      '{\n\t"a": 1, // one\n\t"b": 2\n}\n',
    ],
    [
      "keeps CRLF and a byte order mark",
      '\ufeff{\r\n  "a": 1\r\n}\r\n',
      "b",
      [1],
      '\ufeff{\r\n  "a": 1,\r\n  "b": [1]\r\n}\r\n',
    ],
    ["finds a key that is written with escapes", '{"\\u0061": 1}', "a", 2, '{"\\u0061": 2}'],
    [
      "replaces no key that has the same name elsewhere",
      "{a: {b: 1}, b: 2}",
      "b",
      3,
      "{a: {b: 1}, b: 3}",
    ],
    [
      "takes names that must be quoted",
      "{a: 1}",
      'b["x/y"]',
      true,
      '{a: 1, b: {\n  "x/y": true\n}}',
    ],
  ];

  it.each(ROWS)("%s", async (_, text, path, value, after) => {
    expect(await set(text, path, value)).toBe(after);
  });

  const REFUSED: [text: string, path: string, why: string][] = [
    ["{a: 1}", "a.b", "has a value there that takes no keys"],
    ["{a: [1]}", "a[2]", "has no such entry there"],
    ["{a: [1]}", "a.b", "has no such entry there"],
    ["{a: 1, a: 2}", "a", 'has the key "a" twice on line 1'],
    ["{a: ", "a", "is not valid JSON5 at line 1, column 5: it ends too early"],
  ];

  it.each(REFUSED)("%s at %s is refused", async (text, path, why) => {
    expect(await set(text, path, 0)).toBe(why);
  });
});

describe("an entry that is inserted into a list", () => {
  const LINES = `[
  // first
  1, // one
  // second
  2,
]`;
  it.each<[text: string, index: number, after: string]>([
    ["[1, 2]", 0, "[9, 1, 2]"],
    ["[1, 2]", 1, "[1, 9, 2]"],
    ["[1, 2]", 2, "[1, 2, 9]"],
    ["[ /* c */ 1 ]", 0, "[ /* c */ 9, 1 ]"],
    ["[\n  1\n]", 0, "[\n  9,\n  1\n]"],
    [LINES, 0, LINES.replace("[\n", "[\n  9,\n")],
    [LINES, 1, LINES.replace("// one\n", "// one\n  9,\n")],
    [LINES, 2, LINES.replace("2,\n", "2,\n  9,\n")],
  ])("in %j at %i", async (list, index, after) => {
    const change = { path: ["a", index], value: 9, insert: true };
    const edited = await editDocument(`{a: ${list}}`, change);
    expect(edited).toEqual({ ok: true, text: `{a: ${after}}` });
  });
});

describe("a value that is unset", () => {
  const ROWS: [text: string, path: string, after: string][] = [
    [JSON5_FILE, "tools.deny", JSON5_FILE.replace('    deny: ["tts", /* loud */ "write"],\n', "")],
    [JSON5_FILE, "tools.profile", JSON5_FILE.replace("'profile': 'coding', ", "")],
    [JSON5_FILE, "limits.resultChars", JSON5_FILE.replace("{ resultChars: 0x10, }", "{}")],
    ['{"a": 1, "b": 2}', "a", '{"b": 2}'],
    ['{"a": 1, "b": 2}', "b", '{"a": 1}'],
    ['{"a": [1, 2, 3]}', "a[1]", '{"a": [1, 3]}'],
    ['{\n  "a": 1,\n  "b": 2\n}\n', "b", '{\n  "a": 1\n}\n'],
    ['{\n  "a": 1, // one\n  "b": 2\n}\n', "b", '{\n  "a": 1 // one\n}\n'],
    ["{a: 1}", "b", "has nothing there"],
    ["{a: 1}", "", "has nothing there"],
  ];

  it.each(ROWS)("in %j at %s", async (text, path, after) => {
    expect(await unset(text, path)).toBe(after);
  });
});

describe("any document", () => {
  /** A small generator with a seed, so that a failure can be seen again. */
  function createRandom(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  const NOISE = ["", " ", "\n", "\n  ", " /* c, } */ ", " // d: {\n", "\r\n\t"];
  const NAMES = ["a", "b", '"c d"', "'e'", "$f", '"\\u0067"'];

  function writeAny(random: (below: number) => number, depth: number): string {
    const noise = () => NOISE[random(NOISE.length)] ?? "";
    const kind = depth === 0 ? 2 : random(4);
    if (kind > 1) return ["1", "-.5", "+0xF", "'x'", '"a // b"', "null", "true"][random(7)] ?? "0";
    const count = random(4);
    const names = NAMES.toSorted(() => random(3) - 1);
    const items = Array.from({ length: count }, (_, index) => {
      const value = `${noise()}${writeAny(random, depth - 1)}${noise()}`;
      return kind === 0 ? `${noise()}${names[index]}${noise()}:${value}` : value;
    });
    const tail = count > 0 && random(2) === 0 ? `,${noise()}` : "";
    const inner = items.join(",") + tail;
    return kind === 0 ? `{${inner}${noise()}}` : `[${inner}${noise()}]`;
  }

  function listPaths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
    if (Array.isArray(value)) {
      return [path, ...value.flatMap((item, index) => listPaths(item, [...path, index]))];
    }
    if (typeof value !== "object" || value === null) return [path];
    return [
      path,
      ...Object.entries(value).flatMap(([key, item]) => listPaths(item, [...path, key])),
    ];
  }

  it("is edited as told at every place, and keeps every comment outside it", async () => {
    let edits = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const random = createRandom(seed);
      const text = `${NOISE[random(7)]}{top:${writeAny(random, 3)}}${NOISE[random(7)]}`;
      const value: unknown = json5.parse(text);
      for (const path of listPaths(value)) {
        for (const change of [
          { path, value: { n: [1, "2"] } },
          { path: [...path, "new"], value: false },
          { path, remove: true as const },
        ]) {
          const edited = await editDocument(text, change);
          if (!edited.ok) {
            expect(edited.why, `${seed} ${text}`).not.toContain("cannot be edited");
            continue;
          }
          edits += 1;
          expect(json5.parse(edited.text)).toEqual(changeValue(value, change));
          if ("value" in change && change.value === false) {
            // Nothing was taken away: the old text is there in order.
            expect(isSubsequence(text, edited.text), `${seed} ${text}`).toBe(true);
          }
        }
      }
    }
    expect(edits).toBeGreaterThan(500);
  });

  /** Spaces before a closing bracket may change. */
  function isSubsequence(part: string, whole: string): boolean {
    let at = 0;
    for (const sign of part.replace(/\s+/g, "")) {
      at = whole.indexOf(sign, at) + 1;
      if (at === 0) return false;
    }
    return true;
  }
});
