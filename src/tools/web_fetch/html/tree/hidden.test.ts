// Which elements count as hidden, and which ordinary styles do not.

import { describe, expect, it } from "vitest";
import { isHidden, readHiddenRules } from "./hidden.js";

const NO_RULES = readHiddenRules("");

describe("isHidden", () => {
  it.each([
    "display:none",
    "color:red; DISPLAY : NONE !important",
    "visibility:hidden",
    "opacity:0",
    "opacity: 0.0;",
    "font-size:0",
    "font-size: 1px",
    "position:absolute; left:-9999px",
    "text-indent:-999em",
    "clip: rect(0, 0, 0, 0)",
    "clip-path: inset(50%)",
    "width:0;height:0;overflow:hidden",
    "max-height: 0px; overflow: hidden",
    "transform: translate(1px) scale(0)",
    "color:#fff;background-color:white",
    "color: rgb(0, 0, 0); background: #000",
    "color: transparent",
    "display:/**/none",
    "/* a; */display:none",
    String.raw`d\69splay:none`,
    String.raw`display:\6eone`,
    `${"color:red;".repeat(1_000)}display:none`,
    "opacity:0.01",
    "font:0/0 a",
    "font: italic 0 a",
    "scale:0",
    "zoom: 0",
    "filter: opacity(0)",
    "transform: translateX(-9999px)",
    "-webkit-text-fill-color:transparent",
  ])("knows the style %s", (style) => {
    expect(isHidden({ style }, NO_RULES)).toBe(true);
  });

  it.each([
    "display:block",
    "opacity:0.9",
    "opacity: 0.05",
    "font-size:10px",
    "font-size: 0.9em",
    "left:-10px",
    "overflow:hidden; width:100%",
    "overflow:hidden; height: 10px",
    "color:#fff;background:#000",
    "transform: scale(0.5)",
    "backdisplay:none",
    "color:red;/*display:none*/",
    "font: 10px/1 a",
    "font: 0.9em/1.5 a",
    "scale: 0.5",
    "filter: opacity(0.9)",
    "transform: translateX(-100%)",
    "color: transparent; background-clip: text; background: linear-gradient(red, blue)",
    "",
  ])("leaves the style %s alone", (style) => {
    expect(isHidden({ style }, NO_RULES)).toBe(false);
  });

  it("knows the attributes", () => {
    expect(isHidden({ hidden: "" }, NO_RULES)).toBe(true);
    expect(isHidden({ hidden: "until-found" }, NO_RULES)).toBe(true);
    expect(isHidden({ ariaHidden: " TRUE " }, NO_RULES)).toBe(true);
    expect(isHidden({ ariaHidden: "true" }, NO_RULES)).toBe(true);
    expect(isHidden({ ariaHidden: "false" }, NO_RULES)).toBe(false);
  });

  it("knows plain rules of the page for a class or an id", () => {
    const rules = readHiddenRules(
      "a{color:red} .x, .y-z { display: none } #w{visibility:hidden} p .q{display:none}",
    );
    expect(isHidden({ className: "a y-z" }, rules)).toBe(true);
    expect(isHidden({ className: "x" }, rules)).toBe(true);
    expect(isHidden({ id: "w" }, rules)).toBe(true);
    expect(isHidden({ className: "q" }, rules)).toBe(false);
    expect(isHidden({ className: "xx", id: "x" }, rules)).toBe(false);
  });

  it("leaves rules alone that hold only at times", () => {
    const rules = readHiddenRules(
      "@media print { .x{display:none} .y{display:none} } .z{display:none}",
    );
    expect(isHidden({ className: "x y" }, rules)).toBe(false);
    expect(isHidden({ className: "z" }, rules)).toBe(true);
  });

  it("reads rules behind many others, and through comments", () => {
    const many = ".a{color:red}".repeat(5_000);
    const long = `.long{${"color:red;".repeat(500)}display:none}`;
    const rules = readHiddenRules(`${many}${long}/* } { */.h/**/{display:/**/none}`);
    expect(["long", "h", "a"].map((className) => isHidden({ className }, rules))).toEqual([
      ...[true, true, false],
    ]);
  });

  it.each([
    ["spaces", `opacity:${" ".repeat(190_000)}x`],
    ["zeros", `opacity:${"0".repeat(190_000)}x`],
    ["openings", ";clip:rect(0".repeat(15_000)],
    ["comments", "/*".repeat(95_000)],
    ["escapes", "\\".repeat(190_000)],
    ["filters", ";filter:opacity(".repeat(10_000)],
    ["fonts", ";font: a a a a a".repeat(10_000)],
  ])("takes no long time for a style of %s", (_what, style) => {
    const startMs = performance.now();
    expect(isHidden({ style }, NO_RULES)).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it("ends on styles that are broken", () => {
    expect(readHiddenRules(".a{display:none").size).toBe(1);
    expect(readHiddenRules("{".repeat(100_000)).size).toBe(0);
  });
});
