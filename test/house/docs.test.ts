// The documents hold what they say: links lead somewhere, the catalog page lists every tool, numbers
// are those of the code, and what is shown as an answer is the real one.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createClawtools,
  createNodeBridge,
  getCoreToolCatalog,
  getToolCatalog,
  type ToolProfile,
} from "clawtools";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { groupOf } from "../../src/toolkit/catalog.js";
import { CATALOG } from "../../src/tools/catalog.js";
import { resolveTool } from "../fakes/resolve-tool.js";
import { runNode } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";

const root = join(import.meta.dirname, "../..");
const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".md"),
);
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...docs.map((name) => `docs/${name}`),
  "bench/README.md",
];

const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("links", () => {
  it.each(pages)("every link of %s leads to a file", (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(
      ([, link]) => link ?? "",
    );
    const broken = links.filter((link) => !existsSync(join(root, dirname(page), link)));
    expect(broken).toEqual([]);
  });

  it("docs/README.md names every page", () => {
    const index = read("docs/README.md");
    const missing = docs
      .filter((name) => name !== "README.md")
      .filter((name) => !index.includes(`](${name})`));
    expect(missing).toEqual([]);
  });
});

/** The text of every block of code in a page, with the word behind its fence. */
function listBlocks(page: string): { language: string; text: string }[] {
  const found = read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = "", text = ""]) => ({ language, text }));
}

/** The block that has `word` in it, and the one behind it. */
function findBlock(page: string, word: string): { code: string; next: string } {
  const blocks = listBlocks(page);
  const at = blocks.findIndex(({ text }) => text.includes(word));
  return { code: blocks[at]?.text ?? "", next: blocks[at + 1]?.text ?? "" };
}

/** What a program prints that runs in the folder of the project, against the built package. */
async function printed(program: string, env: Readonly<Record<string, string>> = {}) {
  const run = await runNode(["--input-type=module", "--eval", program], env);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  return run.stdout;
}

describe("docs/catalog.md", () => {
  it("has one row per tool, with its section, group, profiles, catalog and state", () => {
    const rows = createClawtools({ catalog: "all" }).tools.explain({
      workspaceDir: root,
      bridge: createNodeBridge(root),
    });
    const states = new Map(
      rows.map(({ id, code, reason }) => [
        id,
        code === "not_built" ? reason.replace(/^.*?waits/, "waits") : "runs",
      ]),
    );
    const core = new Set(getCoreToolCatalog().map(({ id }) => id));
    const groups = new Map(CATALOG.map((row) => [row.tool.name, groupOf(row) ?? "none"]));
    const expected = getToolCatalog().map(
      ({ id, sectionId, profiles }) =>
        `| \`${id}\` | ${sectionId} | ${groups.get(id)} | ${profiles.join(", ") || "none"} | ${core.has(id) ? "core" : "all"} | ${states.get(id)} |`,
    );
    const shown = read("docs/catalog.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const missing = expected.filter((row) => !shown.includes(row));
    const stale = shown.filter((row) => !expected.includes(row));
    const advice = [
      ...missing.map((row) => `Put into docs/catalog.md, in the order of the catalog:\n${row}`),
      ...stale.map((row) => `Take out of docs/catalog.md:\n${row}`),
    ];
    expect(shown, advice.join("\n")).toEqual(expected);
  });
});

describe("numbers", () => {
  const core = getCoreToolCatalog();
  const inProfile = (profile: ToolProfile) =>
    core.filter(({ profiles }) => profiles.includes(profile)).length;
  const grouped = core.filter(({ includeInOpenClawGroup }) => includeInOpenClawGroup).length;

  /** The only sentences that say how many tools there are; the rest is told by the catalog. */
  const counts = [
    ["docs/catalog.md", `the ${core.length} tools of the documented catalog`],
    ["docs/registry.md", `the ${core.length} tools of the documented catalog`],
    ["docs/registry.md", `the ${grouped} tools whose metadata`],
    ["docs/registry.md", `| \`minimal\` | ${inProfile("minimal")}: `],
    ["docs/registry.md", `| \`coding\` | ${inProfile("coding")}: `],
    ["docs/registry.md", `| \`messaging\` | ${inProfile("messaging")}: `],
  ] as const;

  it.each(counts)("of %s: %j", (page, sentence) => {
    expect(read(page)).toContain(sentence);
  });

  it("of tools stand in no other sentence", () => {
    const loose = pages.flatMap((page) => {
      const held = counts.filter(([of]) => of === page).map(([, sentence]) => sentence);
      const found = [...read(page).matchAll(/\b(?:the |all )?\d+ (?:[\w-]+ ){0,2}tools\b.{0,30}/g)];
      return found
        .map(([text]) => text)
        .filter((text) => !held.some((sentence) => text.startsWith(sentence)))
        .map((text) => `${page}: ${text}`);
    });
    expect(loose).toEqual([]);
  });
});

describe("docs/errors.md", () => {
  it("shows what read really answers for a missing file", async () => {
    const { tools: registry } = createClawtools();
    const ctx = { root, bridge: createNodeBridge(root) };
    const result = await resolveTool({ registry, name: "read", ctx }).execute("call_1", {
      path: "nope.md",
    });
    const { code } = findBlock("docs/errors.md", '"tool":"read"');
    expect(result.content).toEqual([{ type: "text", text: code.trim() }]);
  });
});

describe("docs/file-bridge.md", () => {
  it("has a bridge that keeps files by their place and misses those that are not there", async () => {
    const { code } = findBlock("docs/file-bridge.md", "const bridge: FsBridge");
    const { code: sample } = await transform(code, { loader: "ts", target: "node20" });
    const output = await printed(`${sample}
      import { createClawtools } from "clawtools";
      const { tools } = createClawtools();
      const call = async (root, name, params) => {
        const { content, details } = await tools.resolve(name, { root, bridge }).execute("c", params);
        return details.reason ?? content[0].text;
      };
      const thrown = await bridge.readFile({ filePath: "b", cwd: "/one" }).catch((error) => error.code);
      console.log(JSON.stringify([
        await call("/one", "write", { path: "a", content: "text" }),
        await call("/one", "read", { path: "a" }),
        await call("/one", "read", { path: "/one/a" }),
        await call("/two", "read", { path: "a" }),
        thrown,
      ]));`);
    const wrote = "Wrote 4 bytes to a. The file was created.";
    expect(JSON.parse(output)).toEqual([wrote, "text", "text", "file_missing", "not_found"]);
  });
});

describe("a page that begins with a program", () => {
  it.each(["docs/memory.md", "docs/web_search.md", "docs/network.md"])(
    "shows its real output: %s",
    async (page) => {
      const { code, next } = findBlock(page, 'from "clawtools"');
      const folder = await createTempFolder({ "tmp/.keep": "" });
      const program = await transform(code, { loader: "ts", target: "node20" });
      expect(await printed(program.code, { TMPDIR: join(folder, "tmp") })).toBe(next);
    },
  );
});

describe("README.md", () => {
  it("shows the real output of its first example", async () => {
    const { code, next } = findBlock("README.md", "createNodeBridge(root)");
    expect(await printed(code)).toBe(next);
  });

  it("shows the example that adds a tool, and its real output", async () => {
    const { code, next } = findBlock("README.md", "defineTool({");
    expect(read("examples/add-a-tool.mjs").split("\n").slice(1).join("\n")).toBe(code);
    expect(await printed(code)).toBe(next);
  });

  it("names a group of tools that all run", () => {
    const { code } = findBlock("README.md", "include:");
    const groups = code.match(/group:\w+/g) ?? [];
    const { tools } = createClawtools({ tools: { include: groups } });
    const rows = tools.explain({ root, bridge: createNodeBridge(root) });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ code: state }) => state !== "ready")).toEqual([]);
  });
});
