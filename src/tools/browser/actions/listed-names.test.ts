// A form whose fields came under their names is refused.

import { expect, it } from "vitest";
import { createFakeBrowsers } from "../../../../test/fakes/browsers.js";
import { createManualClock, createRegistryOn } from "../../../../test/fakes/manual-clock.js";
import { resolveTool } from "../../../../test/fakes/resolve-tool.js";
import type { ToolResult } from "../../../core/index.js";
import { browser } from "../index.js";

const registry = createRegistryOn(createManualClock());
registry.register(browser);

async function fill(fields: unknown) {
  const browsers = createFakeBrowsers({ "http://x.example/": {} });
  const bound = resolveTool({ registry, name: "browser", ctx: { browsers } });
  await bound.execute("call_1", { action: "open", targetUrl: "http://x.example/" });
  const result: ToolResult = await bound.execute("call_2", { action: "act", kind: "fill", fields });
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { text, isError: result.isError, browsers };
}

it.each([
  [{ Name: "Ann" }, '"Name" is not a ref'],
  [[{ name: "name", value: "Ann" }], '"name" is not a ref'],
  [{ e3: "Ann", Zip: "1" }, '"Zip" is not a ref'],
  [{ Name: "Ann", City: "B" }, '"Name", "City" are not refs'],
])("fill with %j is refused", async (fields, said) => {
  const { text, isError, browsers } = await fill(fields);
  expect(isError).toBe(true);
  expect(text).toContain(said.replaceAll('"', '\\"'));
  expect(text).toContain("fields takes refs of a snapshot, such as");
  expect(browsers.acts).toEqual([]);
});

it("a field that says neither where nor what is told what is missing", async () => {
  expect((await fill([{}])).text).toContain("fields[0] needs ref.");
  expect((await fill([{ value: "x" }])).text).toContain("fields[0] needs ref.");
});
