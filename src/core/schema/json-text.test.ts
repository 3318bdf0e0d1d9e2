// JSON text is measured before it is parsed.
import { describe, expect, it } from "vitest";
import {
  assertArgumentsWithinLimits,
  DEFAULT_MAX_ARGUMENT_CHARS,
  MAX_ARGUMENT_DEPTH,
  MAX_ARGUMENT_NODES,
  parseBoundedJson,
} from "./limits.js";

const parse = (text: string) => parseBoundedJson(text, DEFAULT_MAX_ARGUMENT_CHARS);

function thrownBy(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

describe("parseBoundedJson", () => {
  it.each([
    '{"a":[1,2,{"b":null}],"c":"[[[[{{{{"}',
    '"quotes \\" and backslashes \\\\"',
    " [ ] ",
    "[[],{},[ ],{ }]",
    "-1.5e3",
  ])("parses %s as JSON.parse does", (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each(["{path", "", "[1,", '"open', "}{", "nul", "[1]]"])(
    "says that %s is not JSON",
    (text) => {
      expect(thrownBy(() => parse(text))).toMatchObject({
        code: "invalid_input",
        reason: "json_invalid",
      });
    },
  );

  it("takes exactly what the limits for parsed arguments take", () => {
    const deepest = "[".repeat(MAX_ARGUMENT_DEPTH) + "]".repeat(MAX_ARGUMENT_DEPTH);
    const fullest = `[${Array.from({ length: MAX_ARGUMENT_NODES - 1 }, () => 0).join(",")}]`;
    for (const text of [deepest, fullest]) {
      expect(() => assertArgumentsWithinLimits(parse(text))).not.toThrow();
    }
    expect(thrownBy(() => parse(`[${deepest}]`))).toMatchObject({ reason: "arguments_too_deep" });
    expect(thrownBy(() => parse(`[0,${fullest.slice(1)}`))).toMatchObject({
      reason: "arguments_too_large",
    });
  });

  it("counts brackets inside texts as text", () => {
    const text = JSON.stringify({ code: "[{".repeat(5_000), escaped: '"[\\'.repeat(1_000) });
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it("refuses text longer than it is told", () => {
    expect(parseBoundedJson("[1]", 3)).toEqual([1]);
    expect(thrownBy(() => parseBoundedJson("[10]", 3))).toMatchObject({
      code: "limit",
      reason: "arguments_too_large",
    });
  });
});
