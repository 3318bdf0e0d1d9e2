// Every page of test/data/pages through the tool: what its gold wants is there, what it forbids is
// not, and headings, code, tables and lists are as many as they should be.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { webFetch } from "../../src/tools/web_fetch/index.js";
import { createPageNet } from "../fakes/page-net.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const FOLDER = new URL("../data/pages/", import.meta.url);
const MIN_PAGES = 25;
const MIN_CLASSES = 11;

interface Gold {
  readonly class: string;
  readonly url: string;
  readonly pageKind?: string;
  readonly must: readonly string[];
  readonly mustNot: readonly string[];
  readonly structure: Readonly<Record<string, number>>;
}

const PAGES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".html"))
  .map((file) => ({
    name: file.replace(".html", ""),
    source: readFileSync(new URL(file, FOLDER), "utf8"),
    // The files are ours.
    gold: JSON.parse(
      readFileSync(new URL(file.replace(".html", ".gold.json"), FOLDER), "utf8"),
    ) as Gold,
  }));

async function fetchPage({ source, gold }: { source: string; gold: Gold }, params = {}) {
  const net = createPageNet({ [gold.url]: { body: source } });
  const result = await bindAlone(webFetch, { net }).execute("call_1", { url: gold.url, ...params });
  const [block] = result.content;
  return { text: block?.type === "text" ? block.text : "", result };
}

/** Marks of Markdown are no part of a phrase. */
const flatten = (text: string) =>
  text
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/[`*_[\]\\]/g, "")
    .replace(/\s+/g, " ");

function countStructure(markdown: string): Record<string, number> {
  const withoutCode = markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, "CODE-BLOCK");
  const count = (pattern: RegExp) => (withoutCode.match(pattern) ?? []).length;
  return {
    headings: count(/^#{1,6} /gm) - 1,
    codeBlocks: count(/^CODE-BLOCK$/gm),
    tableRows: count(/^\|(?! ---)/gm),
    listItems: count(/^\s*(?:-|\d+\.) /gm),
    quotes: count(/^> /gm),
  };
}

describe("the pages", () => {
  it("are of many classes", () => {
    expect(PAGES.length).toBeGreaterThanOrEqual(MIN_PAGES);
    expect(new Set(PAGES.map(({ gold }) => gold.class)).size).toBeGreaterThanOrEqual(MIN_CLASSES);
  });

  const readable = PAGES.filter(({ name }) => name !== "shell-root");
  it.each(readable)("$name: says what it must and nothing that it must not", async (page) => {
    const { text } = await fetchPage(page);
    const flat = flatten(text);
    expect(page.gold.must.filter((phrase) => !flat.includes(flatten(phrase)))).toEqual([]);
    expect(page.gold.mustNot.filter((phrase) => flat.includes(flatten(phrase)))).toEqual([]);
  });

  it.each(readable.filter(({ gold }) => gold.class !== "forum" && gold.class !== "shell"))(
    "$name: keeps its structure",
    async (page) => {
      const { text } = await fetchPage(page);
      const { links: _links, ...wanted } = page.gold.structure;
      expect(countStructure(text)).toEqual(wanted);
    },
  );

  it.each(PAGES.filter(({ gold }) => gold.pageKind))(
    "$name: is known for what it is",
    async (page) => {
      const { result } = await fetchPage(page);
      expect(result.details).toMatchObject(
        page.name === "shell-root"
          ? { status: "error", reason: "script_rendered" }
          : { pageKind: page.gold.pageKind },
      );
    },
  );

  it("are free of marks and addresses in text mode", async () => {
    const page = PAGES.find(({ name }) => name === "article-semantic");
    if (page === undefined) throw new Error("The page is missing.");
    const { text } = await fetchPage(page, { extractMode: "text" });
    expect(text).toContain("three neighbouring ports");
    expect(text).not.toMatch(/data\.example|\*\*|^## /m);
  });
});
