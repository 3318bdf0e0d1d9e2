// Our roles and names beside those of Playwright's ariaSnapshot, over a corpus of pages. Where they
// differ on purpose, the difference is written down here with its reason.

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTabFixture, type TabFixture, toTab } from "./tab-fixture.js";

const CORPUS = join(import.meta.dirname, "corpus");
const PAGES = join(import.meta.dirname, "../pages/html");
const LEAST_AGREEMENT = 0.99;
const LEAST_COMPARED = 350;
const COMPARED = new Set(
  "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem".split(
    " ",
  ),
);

const NAMED_BY_CONTENT = new Set("button link treeitem".split(" "));

const FILES = [
  ...[
    "forms",
    "tables",
    "widgets",
    "shadow",
    "hidden",
    "app",
    "trees",
    "svg",
    "right-to-left",
    "east-asian",
    "dialogs",
    "frames",
  ].map((name) => join(CORPUS, `${name}.html`)),
  ...[
    "forms/all-inputs",
    "forms/long-form",
    "forms/calendar",
    "forms/login",
    "forms/editor",
    "forms/upload",
    "apps/board",
    "apps/compare",
    "apps/transfer",
    "apps/shop",
    "apps/spa",
    "odd/right-to-left",
    "odd/shadow",
    "odd/product",
    "odd/covered",
    "odd/popups",
    "odd/downloads",
    "odd/dialogs",
  ].map((name) => join(PAGES, `${name}.html`)),
];

/** Where ours is another on purpose. */
const DIFFERENCES: readonly Difference[] = [
  {
    file: "forms.html",
    theirs: ['button "Choose File"'],
    ours: ['button "Any file"'],
    why: "a title says more than the words that the browser writes",
  },
  {
    file: "widgets.html",
    theirs: [],
    ours: ['textbox "Plain editor"'],
    why: "one can type into what is contenteditable, with a role or without",
  },
  {
    file: "dialogs.html",
    theirs: ['button "Background"'],
    ours: [],
    why: "what is hidden from everybody behind an open dialog is out of reach",
  },
];

interface Difference {
  readonly file: string;
  readonly theirs: readonly string[];
  readonly ours: readonly string[];
  readonly why?: string;
}

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
});
afterAll(() => fixture.close());

test("roles and names of what can be acted on agree with ariaSnapshot for 99 of 100", async () => {
  const { page } = await fixture.open("");
  const differences: Difference[] = [];
  const count = { theirs: 0, missed: 0, missedByNaive: 0 };
  for (const file of FILES) {
    fixture.documents.set("/compared", readFileSync(file, "utf8"));
    await page.goto(`${fixture.origin}/compared`, { waitUntil: "domcontentloaded" });
    const theirs = collect(await page.ariaSnapshotJSON({ mode: "ai" }));
    const { elements } = await toTab(page).list();
    const ours = elements
      .filter(({ role }) => COMPARED.has(role))
      .map(({ role, name }) => `${role} "${name}"`);
    const onlyTheirs = without(theirs, ours);
    const onlyOurs = without(ours, theirs);
    count.theirs += theirs.length;
    count.missed += onlyTheirs.length;
    count.missedByNaive += without(theirs, await readNaively(page)).length;
    if (onlyTheirs.length + onlyOurs.length > 0) {
      differences.push({ file: basename(file), theirs: onlyTheirs, ours: onlyOurs });
    }
  }
  expect(differences).toEqual(DIFFERENCES.map(({ why: _, ...rest }) => rest));
  expect(count.theirs).toBeGreaterThan(LEAST_COMPARED);
  expect(1 - count.missed / count.theirs).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
  // Control: the first thing that comes to mind does not pass.
  expect(1 - count.missedByNaive / count.theirs).toBeLessThan(LEAST_AGREEMENT - 0.3);
});

const NAIVE = `[...document.querySelectorAll("a[href],button,input,[role]")].map((each) => {
  const role = each.getAttribute("role") ?? { a: "link", button: "button", input: "textbox" }[each.localName];
  return role + ' "' + (each.innerText || each.getAttribute("placeholder") || "").trim() + '"';
})`;

/** The text of the element, else its placeholder. */
function readNaively(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(NAIVE);
}

/** In document order. A name that its content repeats is left out by ariaSnapshot, and put back here. */
function collect(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(collect);
  if (!isNode(node)) return [];
  const inner = collect(node.children ?? []);
  const name = node.name ?? textOf(node);
  return COMPARED.has(node.role) ? [`${node.role} "${name}"`, ...inner] : inner;
}

interface AriaNode {
  readonly role: string;
  readonly name?: string;
  readonly text?: string;
  readonly children?: readonly unknown[];
}

function isNode(value: unknown): value is AriaNode {
  return typeof value === "object" && value !== null && "role" in value;
}

function textOf(node: AriaNode): string {
  if (!NAMED_BY_CONTENT.has(node.role)) return "";
  const parts = (node.children ?? []).map((child) => {
    if (typeof child === "string") return child;
    return isNode(child) ? (child.name ?? child.text ?? textOf(child)) : "";
  });
  return [node.text ?? "", ...parts].filter(Boolean).join(" ");
}

/** As bags: what is in the first more often than in the second. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(each, (left.get(each) ?? 0) + 1);
  return all.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}
