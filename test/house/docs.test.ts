// The documents hold what they say: links lead somewhere, the catalog page lists every tool, and
// the README shows real output.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClawtools, createNodeBridge, getToolCatalog } from "clawtools";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
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
    const missing = readdirSync(join(root, "docs"))
      .filter((name) => name !== "README.md")
      .filter((name) => !index.includes(`](${name})`));
    expect(missing).toEqual([]);
  });
});

describe("docs/catalog.md", () => {
  it("has one row per tool, with its section, profiles and state", () => {
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
    const expected = getToolCatalog().map(
      (meta) =>
        `| \`${meta.id}\` | ${meta.sectionId} | ${meta.profiles.join(", ") || "none"} | ${states.get(meta.id)} |`,
    );
    const shown = read("docs/catalog.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    expect(shown).toEqual(expected);
  });
});

describe("README.md", () => {
  it("shows the example that adds a tool, and its real output", () => {
    const readme = read("README.md");
    const example = read("examples/add-a-tool.mjs").split("\n").slice(1).join("\n").trim();
    expect(readme).toContain(example);
    const output = execFileSync(process.execPath, ["examples/add-a-tool.mjs"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(readme).toContain(output.trim());
  });
});
