// What surrounds and repeats the text of a page nobody here wrote, through web_fetch.
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../src/core/index.js";
import { webFetch } from "../../src/tools/web_fetch/index.js";
import { createPageNet, type FakePage } from "../fakes/page-net.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const URL_A = "https://site.example/a";
const PROSE =
  "The harbour was rebuilt after the storm, and the ferries run again, though less often. ";

const textOf = ({ content }: ToolResult) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("\n");

async function fetchOne(
  page: FakePage,
  options: { params?: object; config?: Record<string, unknown> } = {},
) {
  const net = createPageNet({ [URL_A]: page });
  const tool = bindAlone(webFetch, { net, config: options.config ?? {} });
  const result = await tool.execute("call_1", { url: URL_A, ...options.params });
  return { text: textOf(result), details: Object(result.details) };
}

const page = (inner: string) =>
  `<title>Harbour</title><body><article><h1>Harbour</h1>${`<p>${PROSE.repeat(3)}</p>`.repeat(4)}${inner}</article></body>`;

describe("comments below a blog post", () => {
  const remark = (attributes: string, id: number) =>
    `<li ${attributes}><span class="author">Ann ${id}</span> <time>May 3</time><p>REMARK ${id}. ${PROSE.repeat(6)}</p></li>`;

  it.each([
    'class="comment"',
    'itemprop="comment" itemscope itemtype="https://schema.org/Comment"',
  ])("are no forum: %s", async (attributes) => {
    const remarks = Array.from({ length: 12 }, (_, id) => remark(attributes, id)).join("");
    const body = `<title>Harbour</title><body><article class="hentry"><h1>Harbour</h1><div class="entry-content">${`<p>POST ${PROSE.repeat(2)}</p>`.repeat(3)}</div></article><ol class="comment-list">${remarks}</ol></body>`;
    const { text, details } = await fetchOne({ body });
    expect(details.pageKind).toBe("article");
    expect(text).toContain("POST");
    expect(text).not.toContain("REMARK");
  });

  it("a thread without an article stays one", async () => {
    const remarks = Array.from({ length: 6 }, (_, id) => remark('class="comment"', id)).join("");
    const { text, details } = await fetchOne({
      body: `<title>Thread</title><body><h1>Thread</h1><ol>${remarks}</ol></body>`,
    });
    expect(details.pageKind).toBe("forum");
    expect(text).toContain("REMARK 5");
  });
});

describe("names of classes", () => {
  it.each([
    "MathJax CtxtMenu_Attached_0",
    "naval-history",
    "sharp-edges",
    "remarkable",
    "commentary",
    "replay",
    "sidebar-open",
  ])("%s hides nothing", async (name) => {
    const { text } = await fetchOne({
      body: page(`<p>So <span class="${name}">E = mc2</span> holds.</p>`),
    });
    expect(text).toContain("So E = mc2 holds.");
  });

  it.each(["share-bar", "nav-links", "comment-reply"])("%s still does", async (name) => {
    const { text } = await fetchOne({ body: page(`<div class="${name}">GONE with it</div>`) });
    expect(text).not.toContain("GONE");
  });
});

describe("a page in another encoding than its header says", () => {
  const chinese = [0xb5, 0xe7, 0xc4, 0xd4, 0xb8, 0xdb, 0xbf, 0xda];

  it.each([
    ["named by the page", '<meta charset="gbk">'],
    ["named by no one", ""],
  ])("is read again when many characters fail: %s", async (_, meta) => {
    const text = Array.from({ length: 200 }, () => [...chinese, 0xa3, 0xac]).flat();
    const body = Buffer.concat([
      Buffer.from(`<html><head>${meta}<title>x</title></head><body><article><p>`),
      Buffer.from(text),
      Buffer.from("</p></article></body></html>"),
    ]);
    const found = await fetchOne({ body, type: "text/html; charset=utf-8" });
    expect(found.text).toContain("电脑港口，电脑港口");
    expect(found.details.charset).toMatch(/^gb/);
  });
});

describe("the general limit of results", () => {
  it("is named when it allows less than maxChars and maxCharsCap", async () => {
    const config = {
      limits: { resultChars: 2_000 },
      tools: { web: { fetch: { maxCharsCap: 90_000 } } },
    };
    const { text } = await fetchOne(
      { body: page(`<p>${PROSE.repeat(60)}</p>`) },
      { params: { maxChars: 80_000 }, config },
    );
    expect(text).toContain("limits.resultChars allows no more in one result");
  });
});
