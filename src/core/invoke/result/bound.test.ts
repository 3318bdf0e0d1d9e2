// What of a long result is kept, and what the notice says.

import { describe, expect, it } from "vitest";
import type { ContentBlock } from "../../tool.js";
import { boundResult } from "../show-result.js";

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const text = (value: string): ContentBlock => ({ type: "text", text: value });

function textsOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "<image>")).join("|");
}

describe("boundResult", () => {
  it("gives back the same object when nothing is over the bound", () => {
    const result = { content: [text("x".repeat(1000))], details: { a: 1 } };
    expect(boundResult(result, 1000)).toBe(result);
  });

  it("keeps the beginning and the end and says how much is missing of how much", () => {
    const long = `${"a".repeat(5000)}${"z".repeat(5000)}`;
    const { content } = boundResult({ content: [text(long)] }, 1000);
    const shown = textsOf(content);
    expect(shown.startsWith("a".repeat(700))).toBe(true);
    expect(shown.endsWith("z".repeat(300))).toBe(true);
    expect(shown).toContain("9000 of 10000 characters left out");
    expect(shown.length).toBeLessThan(1000 + 120);
  });

  it("shares one bound among all blocks", () => {
    const blocks = Array.from({ length: 5000 }, () => text("b".repeat(900)));
    const { content } = boundResult({ content: blocks }, 1000);
    expect(
      textsOf(content)
        .match(/b{20,}/g)
        ?.join("").length,
    ).toBe(1000);
    expect(textsOf(content)).toContain("4998 further blocks left out");
    expect(textsOf(content).length).toBeLessThan(1300);
  });

  it("never cuts a surrogate pair in half", () => {
    for (const pad of ["", "x"]) {
      const { content } = boundResult({ content: [text(pad + "😀".repeat(2000))] }, 1001);
      expect(textsOf(content)).not.toMatch(LONE_SURROGATE);
    }
  });

  it("replaces an image that no provider would take by a note", () => {
    const image: ContentBlock = {
      type: "image",
      data: "A".repeat(10 * 1024 * 1024 + 4),
      mimeType: "image/png",
    };
    const { content } = boundResult({ content: [image] }, 1000);
    expect(textsOf(content)).toContain("was left out");
  });

  it("keeps an image beside text that is cut, and drops no image for it", () => {
    const image: ContentBlock = { type: "image", data: "AA==", mimeType: "image/png" };
    const { content } = boundResult({ content: [text("x".repeat(2000)), image] }, 1000);
    expect(content[1]).toEqual(image);
  });

  it("leaves details and isError alone", () => {
    const result = { content: [text("x".repeat(2000))], details: { a: 1 }, isError: true as const };
    expect(boundResult(result, 1000)).toMatchObject({ details: { a: 1 }, isError: true });
  });
});
