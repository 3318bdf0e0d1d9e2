// What many documents have nothing of, and what is looked for in vain only once: labels that name a
// field, references, disabled groups, dialogs. When one comes, it counts.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createTabFixture, scope, type TabFixture, toLine } from "./tab-fixture.js";

/** So many that the whole page is not read again. */
const MANY = 3_000;
const FILLER = Array.from({ length: MANY }, (_, at) => `<p><a href="/${at}">l${at}</a></p>`).join(
  "",
);
const BASE = `<div id=first></div><input id=field><p id=words>Old</p><button id=go></button>
  <div id=group><button>In</button></div><div id=last></div>`;
const OVER = `<div role=dialog aria-modal=true aria-label=Over><button>Close</button></div>`;

const CASES: readonly (readonly [title: string, script: string, told: readonly string[]])[] = [
  ["a label", `first.innerHTML = "<label for=field>Name</label>"`, [`~> textbox "Name"`]],
  ["a reference", `go.setAttribute("aria-labelledby", "words")`, [`~> button "Old"`]],
  [
    "what is referred to",
    `words.textContent = "New"`,
    [`+ text "New"`, `- text "Old"`, `~> button "New"`],
  ],
  ["a group", `group.setAttribute("aria-disabled", "true")`, [`~ button "In" [disabled]`]],
  [
    "a dialog",
    `last.insertAdjacentHTML("afterend", ${JSON.stringify(OVER)}); group.ariaHidden = "true"`,
    [`+ button "Close"`, `+ dialog "Over"`, `- button "In" [disabled]`],
  ],
];

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
});
afterAll(() => fixture.close());

test.each([
  ["small", ""],
  ["large", FILLER],
])("what comes first to a %s page counts at once", async (_, filler) => {
  const tab = await fixture.open(`${BASE}<div id=rest>${filler}</div>`);
  await tab.list();
  const told = [];
  for (const [title, script] of CASES) {
    await tab.elements.watch(scope());
    await tab.page.evaluate(script);
    const { added, removed, changed } = await tab.elements.changes(scope());
    const flat = (element: Parameters<typeof toLine>[0]) => toLine({ ...element, depth: 0 });
    const signs = [
      ...added.map((element) => `+ ${flat(element)}`),
      ...removed.map((element) => `- ${flat(element)}`),
      ...changed.map(({ from, now }) => `${from ? "~>" : "~"} ${flat(now)}`),
    ];
    told.push([title, signs.sort()]);
  }
  expect(told).toEqual(CASES.map(([title, , lines]) => [title, [...lines].sort()]));
  await tab.page.evaluate("rest.remove()");
  const { elements } = await tab.list();
  const names = elements.filter(({ role }) => role !== "text").map(({ name }) => name);
  expect(names.filter(Boolean)).toEqual(["Name", "New", "Over", "Close"]);
  await tab.page.close();
});
