// A form whose fields came under their names: refused, with the refs of those that are on the page.

import { expect, it } from "vitest";
import { createFakeBrowsers, element } from "../../../../test/fakes/browsers.js";
import { createManualClock, createRegistryOn } from "../../../../test/fakes/manual-clock.js";
import { resolveTool } from "../../../../test/fakes/resolve-tool.js";
import type { ToolResult } from "../../../core/index.js";
import { browser } from "../index.js";

const registry = createRegistryOn(createManualClock());
registry.register(browser);

const LISTED = [
  element({ ref: "e2", role: "heading", name: "Name" }),
  element({ ref: "e3", role: "textbox", name: "Name *" }),
  element({ ref: "e4", role: "textbox", name: "City" }),
  element({ ref: "e5", role: "textbox", name: "City" }),
];

async function fill(fields: unknown, { isOpen } = { isOpen: true }) {
  const browsers = createFakeBrowsers({ "http://x.example/": { listing: { elements: LISTED } } });
  const bound = resolveTool({ registry, name: "browser", ctx: { browsers } });
  if (isOpen) await bound.execute("call_1", { action: "open", targetUrl: "http://x.example/" });
  const result: ToolResult = await bound.execute("call_2", { action: "act", kind: "fill", fields });
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { text, isError: result.isError, browsers };
}

it.each([
  [{ Name: "Ann" }, '"Name" is not a ref', 'here "Name" is e3.'],
  [[{ name: "name", value: "Ann" }], '"name" is not a ref', 'here "name" is e3.'],
  [[{ City: "Bonn" }], '"City" is not a ref', 'here "City" is e4 or e5.'],
  [{ e3: "Ann", Zip: "1" }, '"Zip" is not a ref', "take a snapshot for them."],
  [{ Name: "Ann", City: "B" }, '"Name", "City" are not refs', '"Name" is e3, "City" is e4 or e5.'],
])("fill with %j is refused with the refs of these names", async (fields, said, found) => {
  const { text, isError, browsers } = await fill(fields);
  expect(isError).toBe(true);
  expect(text).toContain(said.replaceAll('"', '\\"'));
  expect(text).toContain("fields takes refs of a snapshot, such as");
  expect(text).toContain(found.replaceAll('"', '\\"'));
  expect(browsers.acts).toEqual([]);
});

it("fill by names opens no tab to look for them", async () => {
  const { text, browsers } = await fill({ Name: "Ann" }, { isOpen: false });
  expect(text).toContain("take a snapshot for them.");
  expect(await browsers.tabs({ signal: new AbortController().signal })).toEqual([]);
});

it("a field that says neither where nor what is told what is missing", async () => {
  expect((await fill([{}])).text).toContain("fields[0] needs ref.");
  expect((await fill([{ value: "x" }])).text).toContain("fields[0] needs ref.");
});
