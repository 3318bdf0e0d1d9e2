// Values inside messages: short, on one line, nothing invisible.
import { describe, expect, it } from "vitest";
import { MAX_SHOWN_CHARS, showLiteral, showPath, showReceived, showText } from "./json-value.js";

describe("showReceived", () => {
  it.each([
    ["ten", '"ten"'],
    [5, "number 5"],
    [true, "true"],
    [null, "null"],
    [undefined, "nothing"],
    [[1], "an array of 1 item"],
    [[1, 2, 3], "an array of 3 items"],
    [{}, "an empty object"],
    [{ a: 1 }, "an object with key a"],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, "an object with keys a, b, c, d, e, …"],
    [{ "odd key": 1 }, 'an object with key "odd key"'],
  ])("shows %j as %s", (value, shown) => {
    expect(showReceived(value)).toBe(shown);
  });
});

describe("showText", () => {
  it("stays within 60 characters however long or odd the text is", () => {
    const texts = [
      "x".repeat(1_000),
      "\u0007".repeat(100),
      '"'.repeat(100),
      "\u{1f600}".repeat(50),
    ];
    for (const text of texts) {
      expect(showText(text).length).toBeLessThanOrEqual(MAX_SHOWN_CHARS);
      expect(showText(text)).toMatch(/^".*…"$/u);
    }
  });

  it("escapes what cannot be seen or turns the line around", () => {
    const shown = showText("a\u0000b\u001bc\nd\u202ee\u2028f\u200bg");
    expect(shown).toMatch(/^[\x20-\x7e]+$/);
    expect(shown).toContain("\\n");
  });

  it("leaves ordinary text of any language as it is", () => {
    expect(showText("größe 大きさ")).toBe('"größe 大きさ"');
  });
});

describe("showLiteral", () => {
  it("writes values as the model would", () => {
    expect([null, true, 5, "a", { a: "b" }].map(showLiteral)).toEqual([
      "null",
      "true",
      "5",
      '"a"',
      '{"a":"b"}',
    ]);
  });
});

describe("showPath", () => {
  it.each([
    [[], ""],
    [["path"], "path"],
    [["edits", 0, "oldText"], "edits[0].oldText"],
    [[2, "a"], "[2].a"],
    [["headers", "content-type"], "headers.content-type"],
    [["a b", "c"], '["a b"].c'],
  ])("writes %j as %s", (segments, path) => {
    expect(showPath(segments)).toBe(path);
  });

  it("is cut when keys are endless", () => {
    expect(showPath(Array.from({ length: 100 }, () => "name")).length).toBeLessThan(300);
  });
});
