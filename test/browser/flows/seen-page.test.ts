// What the tasks read out of answers: both line formats, and the marks of a change.
import { describe, expect, test } from "vitest";
import { createSeenPage } from "./seen-page.js";

const save = { role: "button", name: "Save" };

describe("what is known of a page", () => {
  test("comes from the lines of either tool", () => {
    const page = createSeenPage();
    page.replace(
      [
        '- main [ref=e2]:\n  - button "Save" [disabled] [ref=f1e3]',
        "  - 'textbox \"To: whom\" [ref=e4]'",
        '  - status [ref=e5]: Saved "Plan"',
      ].join("\n"),
    );
    expect(page.find(save)?.ref).toBe("f1e3");
    expect(page.find({ role: "textbox", name: /^To/ })?.ref).toBe("e4");
    expect(page.shows('Saved "Plan"')).toBe(true);
  });

  test("grows, shrinks and is renamed by a change", () => {
    const page = createSeenPage();
    page.replace('- button "Save" [ref=e3]\n- button "Old" [ref=e4]\n- button "Gone" [ref=e5]');
    page.change(
      '+   button "Added" [ref=e6]\n~ e4 -> button "New" [ref=e7]\n- button "Gone" [ref=e5]',
    );
    expect(page.elements.map(({ name, ref }) => [name, ref])).toEqual([
      ["Save", "e3"],
      ["Added", "e6"],
      ["New", "e7"],
    ]);
  });

  test("has no element without a ref, and none by half a name", () => {
    const page = createSeenPage();
    page.replace('- button "Save"\n- button "Save as" [ref=e9]');
    expect(page.find(save)).toBeUndefined();
  });

  test("takes quotes in a name for what they are", () => {
    const page = createSeenPage();
    page.replace(String.raw`- button "Open \"A\"" [ref=e1]`);
    expect(page.find({ role: "button", name: 'Open "A"' })?.ref).toBe("e1");
  });
});
