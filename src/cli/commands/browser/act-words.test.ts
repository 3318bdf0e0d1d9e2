// The words of `clawtools browser act` as a request, and what is said of words that cannot be meant.

import { describe, expect, it } from "vitest";
import { readActWords } from "./act-words.js";

describe("act words", () => {
  it.each([
    [["click", "e1"], { kind: "click", ref: "e1" }],
    [["type", "e1", "two", "words"], { kind: "type", ref: "e1", text: "two words" }],
    [["select", "e1", "M", "L"], { kind: "select", ref: "e1", values: ["M", "L"] }],
    [
      ["fill", "e1=Ann", "e2=a=b"],
      { kind: "fill", fields: [field("e1", "Ann"), field("e2", "a=b")] },
    ],
    [["select", "e1"], { kind: "select", ref: "e1" }],
    [["press", "Enter"], { kind: "press", key: "Enter" }],
    [["drag", "e1", "e2"], { kind: "drag", startRef: "e1", endRef: "e2" }],
    [["scrollintoview", "e1"], { kind: "scrollIntoView", ref: "e1" }],
    [["scroll"], { kind: "scroll", direction: "down" }],
    [["scroll", "top"], { kind: "scroll", direction: "top" }],
    [["scroll", "e3"], { kind: "scroll", ref: "e3" }],
    [["check", "e3"], { kind: "check", ref: "e3" }],
    [["wait", "Saved", "now"], { kind: "wait", text: "Saved now" }],
    [["wait"], { kind: "wait" }],
    [["type", "e1"], { kind: "type", ref: "e1" }],
    [["type", "e1", ""], { kind: "type", ref: "e1", text: "" }],
    [["close"], { kind: "close" }],
    [["clickCoords", "10", "20"], { kind: "clickCoords", x: "10", y: "20" }],
    [
      ["batch", '{"kind":"click","ref":"e1"}', '{"kind":"press","key":"Enter"}'],
      {
        kind: "batch",
        actions: [
          { kind: "click", ref: "e1" },
          { kind: "press", key: "Enter" },
        ],
      },
    ],
    [
      ['{"kind":"click","ref":"e1","button":"right"}'],
      { kind: "click", ref: "e1", button: "right" },
    ],
  ])("%j", (words, wanted) => {
    expect(readActWords(words)).toEqual(wanted);
  });

  it.each([
    [["fly"], /Unknown action "fly"\. Use one of click, /],
    [["fill", "e1=Ann", "Lee"], /fill takes REF=TEXT.* in quotes when it has spaces/],
    [["{kind"], /not valid JSON/],
    [["hover", "e2", "extra"], /Unexpected argument "extra" for hover/],
    [["close", "t1"], /Unexpected argument "t1"/],
    [["batch", "click"], /not valid JSON/],
    [['{"kind":"close"}', '{"kind":"close"}'], /use batch for several/],
  ])("%j is refused", (words, wanted) => {
    expect(() => readActWords(words)).toThrow(wanted);
  });
});

function field(ref: string, value: string) {
  return { ref, value };
}
