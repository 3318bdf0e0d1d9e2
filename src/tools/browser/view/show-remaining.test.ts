// After a filter: what is told of the rows that are left.

import { describe, expect, it } from "vitest";
import { element } from "../../../../test/fakes/browsers.js";
import type { ListedElement, PageChange } from "../../../core/browser.js";
import { findThinned, showRemaining } from "./show-remaining.js";

const PLAIN = { isInteractive: false };
const row = (at: number): ListedElement[] => [
  element({ ref: `e${at}`, depth: 2, role: "row", name: "", ...PLAIN }),
  element({ ref: `e${at + 1}`, depth: 3, role: "cell", name: `Person ${at}`, ...PLAIN }),
  element({ ref: `e${at + 2}`, depth: 3, role: "cell", name: "Delete", ...PLAIN }),
  element({ ref: `e${at + 3}`, depth: 4, name: "Delete" }),
];
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(at * 10)).flat();

const change = (more: Partial<PageChange>): PageChange => ({
  ...{ isNewDocument: false, added: [], removed: [], changed: [], events: [], isUnsettled: false },
  tab: { targetId: "t1", title: "Shop", url: "https://x.test/", isCurrent: true },
  counts: { added: 0, removed: 0, changed: 0 },
  ...more,
});

describe("what is left", () => {
  it("is asked for when many of one role went and little came", () => {
    const removed = [element({ depth: 1, role: "text", name: "300 people" }), ...rows(20)];
    expect(findThinned(change({ removed }))).toMatchObject({ role: "row", depth: 2 });
    expect(findThinned(change({ removed: rows(2) }))).toBeUndefined();
    const counts = { added: 4, removed: 80, changed: 0 };
    expect(findThinned(change({ removed, added: rows(1), counts }))).toBeDefined();
    expect(
      findThinned(change({ removed, added: rows(9), counts: { ...counts, added: 36 } })),
    ).toBeUndefined();
    expect(findThinned(change({ removed, isUnsettled: true }))).toBeUndefined();
  });

  it("of parts in a line has all that went with them", () => {
    const card = (at: number): ListedElement[] => [
      element({ ref: `e${at}`, depth: 1, role: "heading", name: `Card ${at}`, ...PLAIN }),
      element({ ref: `e${at + 1}`, depth: 1, name: "Buy" }),
    ];
    const cards = (count: number) => Array.from({ length: count }, (_, at) => card(at * 2)).flat();
    const thinned = findThinned(change({ removed: cards(12) }));
    expect(thinned).toEqual({ role: "heading", depth: 1, siblingRoles: ["button"] });
    const foot = element({ ref: "e99", depth: 1, role: "link", name: "Foot" });
    expect(thinned && showRemaining([...cards(1), foot], thinned)).toBe(
      '~ 1 heading left:\n~   heading "Card 0" [ref=e0]\n~   button "Buy" [ref=e1]',
    );
  });

  it("is shown when it is little, else counted", () => {
    const head = [
      element({ ref: "e900", depth: 2, role: "row", name: "" }),
      element({ ref: "e901", depth: 3, role: "columnheader", name: "Name" }),
    ];
    const table = element({ ref: "e899", depth: 1, role: "table", name: "" });
    const foot = element({ ref: "e990", depth: 0, role: "contentinfo", name: "Foot" });
    const thinned = { role: "row", depth: 2, siblingRoles: [] };
    expect(showRemaining([table, ...head, ...rows(2), foot], thinned)).toBe(
      [
        "~ 2 rows left:",
        "~   row [ref=e0]: Person 0",
        '~     button "Delete" [ref=e3]',
        "~   row [ref=e10]: Person 10",
        '~     button "Delete" [ref=e13]',
      ].join("\n"),
    );
    expect(showRemaining([table, ...head, ...rows(40)], thinned)).toBe("~ 40 rows left");
    expect(showRemaining([table, ...head], thinned)).toBe("~ no rows left");
    const many = showRemaining([table, ...rows(12)], thinned);
    expect(many).toMatch(/^~ 12 rows left, the first:\n/);
    expect(many.length).toBeLessThan(700);
  });
});
