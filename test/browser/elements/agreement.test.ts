// Our roles and names beside those of Playwright's ariaSnapshot, over a corpus of pages. Where they
// differ on purpose, the difference is written down here with its reason.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTabFixture, type TabFixture } from "./tab-fixture.js";

const CORPUS = join(import.meta.dirname, "corpus");
const PAGES = join(import.meta.dirname, "../pages/html");
const LEAST_AGREEMENT = 0.99;
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
  ...["forms/all-inputs", "forms/long-form", "forms/calendar", "forms/login", "odd/right-to-left"].map(
    (name) => join(PAGES, `${name}.html`),
  ),
];

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
});
afterAll(() => fixture.close());

interface Difference {
  readonly file: string;
  readonly theirs: readonly string[];
  readonly ours: readonly string[];
}

test("roles and names of what can be acted on agree with ariaSnapshot for 99 of 100", async () => {
  const differences: Difference[] = [];
  let compared = 0;
  let agreed = 0;
  for (const file of FILES) {
    const tab = await fixture.open(readFileSync(file, "utf8"));
    const snapshot: unknown = await tab.page.ariaSnapshotJSON({ mode: "ai" });
    const { elements } = await tab.list();
    const theirs = collect(snapshot);
    const ours = elements
      .filter(({ role }) => COMPARED.has(role))
      .map(({ role, name }) => `${role} "${name}"`);
    const onlyTheirs = without(theirs, ours);
    const onlyOurs = without(ours, theirs);
    compared += theirs.length + onlyOurs.length;
    agreed += theirs.length - onlyTheirs.length;
    if (onlyTheirs.length + onlyOurs.length > 0) {
      differences.push({ file: file.slice(file.lastIndexOf("/") + 1), theirs: onlyTheirs, ours: onlyOurs });
    }
    await tab.page.close();
  }
  console.log(agreed, compared, JSON.stringify(differences, null, 1));
  expect(agreed / compared).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
});

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
