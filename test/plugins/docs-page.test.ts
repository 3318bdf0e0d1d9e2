// The page docs/plugins.md: its example runs, its tables and numbers are those of the code.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadPlugins } from "clawtools/plugins";
import { ToolRegistry } from "clawtools/tools";
import { expect, it } from "vitest";
import { DEFAULT_REGISTER_TIMEOUT_MS } from "../../src/plugins/entry.js";
import { MAX_MANIFEST_BYTES, PROBLEM_CODES } from "../../src/plugins/manifest.js";
import { MAX_FOLDER_ENTRIES } from "../../src/plugins/search.js";
import { createTempFolder } from "./temp-folder.js";

const PAGE = new URL("../../docs/plugins.md", import.meta.url);
const NAMED_BLOCK = /^`([^`]+)`\n\n```\w+\n([\s\S]*?)^```$/gm;
const PROBLEM_ROW = /^\| `(\w+)` \| (?:failed|skipped) \|/gm;

it("215 · the example of the page loads, and its tool throws a die with as many sides as set", async () => {
  const page = await readFile(PAGE, "utf8");
  const files = Object.fromEntries(
    [...page.matchAll(NAMED_BLOCK)].map(([, name, text]) => [name, text]),
  );
  const folder = await createTempFolder(files);
  const tools = new ToolRegistry();
  const rows = await loadPlugins({
    searchPaths: [join(folder, "plugins")],
    toolRegistry: tools,
    config: { plugins: { entries: { dice: { config: { sides: 20 } } } } },
  });
  expect(rows).toMatchObject([{ id: "dice", status: "loaded", ignored: [] }]);
  const tool = tools.resolve("throw_dice");
  expect(tool?.description).toContain("20 sides");
  const result = await tool?.execute("call_1", {});
  const thrown = result?.content[0]?.type === "text" ? Number(result.content[0].text) : 0;
  expect(thrown).toBeGreaterThanOrEqual(1);
  expect(thrown).toBeLessThanOrEqual(20);
});

it("the page lists every problem that the loader can name", async () => {
  const page = await readFile(PAGE, "utf8");
  const listed = [...page.matchAll(PROBLEM_ROW)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(PROBLEM_CODES).sort());
});

it("the limits on the page are those of the code", async () => {
  const page = await readFile(PAGE, "utf8");
  expect(page).toContain(`Default ${DEFAULT_REGISTER_TIMEOUT_MS.toLocaleString("en-US")}.`);
  expect(page).toContain(`more than ${MAX_FOLDER_ENTRIES.toLocaleString("en-US")} entries`);
  expect(page).toContain(`may have ${MAX_MANIFEST_BYTES / 1024} KiB`);
});
