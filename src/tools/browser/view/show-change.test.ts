// What an answer tells of a change: few lines for a small one, a bound for a large one.

import { describe, expect, it } from "vitest";
import { element } from "../../../../test/fakes/browsers.js";
import type { PageChange } from "../../../core/browser.js";
import { showChange } from "./show-change.js";

const change = (more: Partial<PageChange>): PageChange => {
  const { added = [], removed = [], changed = [] } = more;
  return {
    ...{ isNewDocument: false, added, removed, changed, events: [], isUnsettled: false },
    tab: { targetId: "t1", title: "Shop", url: "https://x.test/", isCurrent: true },
    counts: { added: added.length, removed: removed.length, changed: changed.length },
    ...more,
  };
};

describe("a change", () => {
  it("that is none has no lines", () => {
    expect(showChange(change({}))).toEqual({ text: "", leftOut: 0 });
  });

  it("of one thing is one line with its ref", () => {
    const now = element({ ref: "e3", role: "checkbox", name: "All", states: ["checked"] });
    expect(showChange(change({ changed: [{ now }] })).text).toBe(
      '~ checkbox "All" [ref=e3] [checked]',
    );
  });

  it("names the old ref of an element whose name is another now", () => {
    const now = element({ ref: "e40", name: "Stop" });
    expect(showChange(change({ changed: [{ from: "e12", now }] })).text).toBe(
      '~ e12 -> button "Stop" [ref=e40]',
    );
  });

  it("shows what came as a tree, and of what went only the top", () => {
    const added = [
      element({ ref: "e5", depth: 3, role: "dialog", name: "Sure?" }),
      element({ ref: "e6", depth: 4, name: "Yes" }),
      element({ ref: "e7", depth: 2, role: "status", name: "Saved" }),
    ];
    const removed = [
      element({ ref: "e1", depth: 1, role: "list", name: "Todo" }),
      element({ ref: "e2", depth: 2, role: "link", name: "One" }),
    ];
    expect(showChange(change({ added, removed })).text).toBe(
      [
        '+ dialog "Sure?" [ref=e5]:',
        '+   button "Yes" [ref=e6]',
        '+ status "Saved" [ref=e7]',
        '- list "Todo" [ref=e1] (and 1 in it)',
      ].join("\n"),
    );
  });

  it("that draws a part anew gives its old ref and the new one, and what is in it", () => {
    const list = { depth: 1, role: "region", name: "Todo" };
    const added = [
      element({ ...list, ref: "e7" }),
      element({ ref: "e8", depth: 2, role: "link", name: "Two" }),
    ];
    const removed = [
      element({ ...list, ref: "e1" }),
      element({ ref: "e2", depth: 2, role: "link", name: "One" }),
    ];
    expect(showChange(change({ added, removed })).text).toBe(
      '~ e1 -> region "Todo" [ref=e7]:\n+   link "Two" [ref=e8]',
    );
  });

  it("says where things stand that moved, and the order where many did", () => {
    const card = element({ ref: "e9", role: "listitem", name: "Card A" });
    const done = element({ ref: "e3", role: "list", name: "Done" });
    const after = element({ ref: "e4", role: "listitem", name: "Card B" });
    const order = ["Apple", "Pear", "Plum"].map((name, at) =>
      element({ ref: `e${20 + at}`, role: "listitem", name }),
    );
    const moved = [
      { element: card, parent: done, after },
      { element: done, order },
    ];
    expect(showChange(change({ moved })).text.split("\n")).toEqual([
      '~ listitem "Card A" [ref=e9] moved: now in list "Done" [ref=e3], after listitem "Card B" [ref=e4]',
      '~ list "Done" [ref=e3] in another order: e20 "Apple", e21 "Pear", e22 "Plum"',
    ]);
    const changed = [{ from: "e1", now: card }];
    expect(showChange(change({ moved: [{ element: card, parent: done }], changed })).text).toBe(
      '~ e1 -> listitem "Card A" [ref=e9] (now in list "Done" [ref=e3], first)',
    );
  });

  it("names what changed by the words that the driver knows of what moved", () => {
    const card = element({ ref: "e9", role: "listitem", name: "Card A" });
    const after = element({ ref: "e4", role: "listitem", name: "Card B" });
    const changed = [
      { from: "e1", now: { ...after, name: "" } },
      { from: "e2", now: { ...card, name: "" } },
    ];
    expect(showChange(change({ changed, moved: [{ element: card, after }] })).text).toBe(
      '~ e1 -> listitem "Card B" [ref=e4]\n~ e2 -> listitem "Card A" [ref=e9] (now after listitem "Card B" [ref=e4])',
    );
  });

  it("names what went by the words in it, those of buttons only when there are no others", () => {
    const item = (ref: string) => element({ ref, depth: 1, role: "listitem", name: "" });
    const archive = element({ ref: "e3", depth: 2, name: "Archive" });
    const text = element({ depth: 2, role: "text", name: "Bob: lunch?" });
    const removed = [item("e1"), text, archive, item("e2"), archive];
    expect(showChange(change({ removed })).text).toBe(
      '- listitem "Bob: lunch?" [ref=e1] (and 2 in it)\n- listitem "Archive" [ref=e2] (and 1 in it)',
    );
  });

  it("of many that went tells the first, and counts the others", () => {
    const removed = Array.from({ length: 60 }, (_, at) =>
      element({ ref: `e${at}`, role: "row", name: `Row ${at}` }),
    );
    const { text, leftOut } = showChange(change({ removed }));
    expect(text.split("\n")).toHaveLength(5);
    expect(text).toMatch(/\n- … 56 more elements$/);
    expect(leftOut).toBe(0);
  });

  it("takes nothing for a part of a text", () => {
    const removed = [
      element({ depth: 2, role: "text", name: "Page 1" }),
      element({ ref: "e5", depth: 3, role: "row", name: "Ann" }),
      element({ ref: "e6", depth: 3, role: "row", name: "Bob" }),
    ];
    expect(showChange(change({ removed })).text.split("\n")).toEqual([
      "- text: Page 1",
      expect.stringMatching(/^- row "Ann"/),
      expect.stringMatching(/^- row "Bob"/),
    ]);
  });

  it("takes no part for the child of another that only happens to lie deeper", () => {
    const added = [
      element({ ref: "e1", depth: 2, role: "status", name: "Saved" }),
      element({ ref: "e2", depth: 6, name: "Undo" }),
    ];
    expect(showChange(change({ added })).text).toContain('\n+ button "Undo" [ref=e2]');
  });

  it("of a thousand things stays within its bound and counts the rest", () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      element({ ref: `e${index}`, name: `Button number ${index}` }),
    );
    const view = showChange(
      change({
        ...{ added: many.slice(0, 300), removed: many.slice(300, 600) },
        changed: many.slice(600).map((now) => ({ now })),
        counts: { added: 5_000, removed: 300, changed: 400 },
        events: ["A dialog came: confirm 'Really?'"],
      }),
    );
    expect(view.text.length).toBeLessThanOrEqual(2_000);
    expect(view.text).toMatch(/^! A dialog came/);
    const shown = (sign: string) => view.text.split("\n").filter((line) => line.startsWith(sign));
    for (const sign of ["~", "+", "-"]) expect(shown(sign).length).toBeGreaterThan(2);
    expect(shown("+").at(-1)).toBe(`+ … about ${5_000 - shown("+").length + 1} more elements`);
  });

  it("to another document is its outline under its name", () => {
    const added = [
      element({ ref: "e1", role: "heading", name: "Cart", states: ["level=1"] }),
      element({ ref: "e2", name: "Pay" }),
    ];
    expect(showChange(change({ isNewDocument: true, added })).text).toBe(
      't1 "Shop" https://x.test/\n- heading "Cart" [ref=e1] [level=1]\n- button "Pay" [ref=e2]',
    );
  });

  it("to a small document is all of it, to a large one what leads through it", () => {
    const text = element({ depth: 1, role: "text", name: "Two items" });
    const pay = element({ ref: "e2", name: "Pay" });
    const small = change({ isNewDocument: true, added: [text, pay] });
    expect(showChange(small)).toMatchObject({ leftOut: 0, text: expect.stringContaining("items") });
    const texts = Array.from({ length: 100 }, (_, index) => ({
      ...text,
      name: `Words and more words ${index}`,
    }));
    const large = showChange(change({ isNewDocument: true, added: [...texts, pay] }));
    expect(large.text).toContain('button "Pay"');
    expect(large).toMatchObject({ leftOut: 100, text: expect.not.stringContaining("Words") });
  });

  it("keeps events of the page on one line each", () => {
    const { text } = showChange(change({ events: ["alert 'a\n- button \"Fake\" [ref=e1]'"] }));
    expect(text.split("\n")).toHaveLength(1);
  });
});
