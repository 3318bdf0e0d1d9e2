// Pages made to hang or to flood a reader: each is read in bounded time, its text is bounded, and
// what can be read is read.

import { Tokenizer } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { sampleRows } from "../../../../test/fakes/campaign.js";
import { type Extraction, extractHtml } from "./extract.js";

/** Many times what any of them takes; what grows with the square would need minutes. */
const MAX_MS = 50_000;
const MAX_GROWTH = 2;
const ROOM_CHARS = 20_000;
const MAIN = "The main text of the page, with commas, stays where it is. ";
const PARAGRAPH = `<p>${MAIN.repeat(20)}</p>`;

function extract(source: string): Extraction {
  const url = "https://site.example/";
  return extractHtml({ source, url, mode: "markdown", includesHidden: false, Tokenizer });
}

function readTimed(source: string): Extraction {
  const start = performance.now();
  const extraction = extract(source);
  expect(performance.now() - start).toBeLessThan(MAX_MS);
  expect(extraction.text.length).toBeLessThan(source.length * MAX_GROWTH + ROOM_CHARS);
  return extraction;
}

describe("a hostile page with text in it", () => {
  it.each(
    sampleRows(
      [
        ["5,000 nested blocks", `${"<div>".repeat(5_000)}${PARAGRAPH}`],
        ["50,000 nested blocks", `${"<div>".repeat(50_000)}${PARAGRAPH}`],
        ["50,000 nested marks", `${"<b>".repeat(50_000)}${PARAGRAPH}`],
        ["20,000 nested tables", `${"<table><tr><td>".repeat(20_000)}${PARAGRAPH}`],
        ["50,000 nested quotations", `${"<blockquote>".repeat(50_000)}${PARAGRAPH}`],
        [
          "40,000 nested links within the page",
          `${'<a href="#x"><div>'.repeat(40_000)}${PARAGRAPH}`,
        ],
        ["100,000 nested pieces of code", `${"<code>".repeat(100_000)}${PARAGRAPH}`],
        ["100,000 stray end tags", `${PARAGRAPH}${"</div></b></td>".repeat(100_000)}`],
        ["250,000 attributes on one tag", `<div ${"a=1 ".repeat(250_000)}>${PARAGRAPH}</div>`],
        ["a picture of 2 MB in an address", `<img src="data:a,${"A".repeat(2e6)}">${PARAGRAPH}`],
        [
          "50,000 links in one paragraph",
          `${PARAGRAPH}<p>${'<a href="/x">a b</a> '.repeat(50_000)}</p>`,
        ],
        ["a comment without an end", `${PARAGRAPH}<!-- ${"x".repeat(1e6)}`],
        ["an attribute without an end", `${PARAGRAPH}<a href="${"x".repeat(1e6)}`],
        ["a script without an end", `${PARAGRAPH}<script>${"x<".repeat(5e5)}`],
        [
          "data of a million brackets",
          `<script type="application/ld+json">${"[".repeat(1e6)}</script>${PARAGRAPH}`,
        ],
        ["styles of many selectors", `<style>${".a,".repeat(3e5)}</style>${PARAGRAPH}`],
        ["a million characters that no one sees", `<p>${"\u200b".repeat(1e6)}</p>${PARAGRAPH}`],
        ["a title of a megabyte", `<title>${"a ".repeat(5e5)}</title>${PARAGRAPH}`],
      ],
      5,
    ),
  )("is read in spite of %s", (_name, source) => {
    expect(readTimed(source).text).toContain(MAIN.trim());
  });
});

describe("a hostile page", () => {
  it.each(
    sampleRows(
      [
        ["40,000 nested lists", "<ul><li>x".repeat(40_000)],
        ["100,000 breaks", `<p>${"a<br>".repeat(100_000)}</p>`],
        ["300,000 entities", `<p>${"&amp;".repeat(300_000)}</p>`],
        ["300,000 unfinished entities", `<p>${"&am".repeat(300_000)}</p>`],
        ["a million backticks", `<pre>${"`".repeat(1e6)}</pre>`],
        [
          "cells that span everything",
          `<table>${"<tr><th>a<td rowspan=9999 colspan=9999>b".repeat(20_000)}`,
        ],
        ["50,000 terms", "<dl><dt>a<dd>b".repeat(50_000)],
        [
          "50,000 classes",
          Array.from({ length: 50_000 }, (_, i) => `<div class="nav-${i}">t ${i}</div>`).join(""),
        ],
        ["60,000 entries", "<div class=x><h2><a href=/a>t</a></h2></div>".repeat(60_000)],
        ["2 MB of spaces", `<p>${" ".repeat(2e6)}x</p>`],
        ["half a million lines in a heading", `<h2>${"a\n".repeat(5e5)}</h2>`],
      ],
      4,
    ),
  )("of %s is read in bounded time and space", (_name, source) => {
    expect(readTimed(source).text).not.toBe("");
  });

  it("of a million beginnings of tags ends as well", () => {
    expect(readTimed("<".repeat(1e6)).keptChars).toBeGreaterThan(0);
    expect(readTimed("<a ".repeat(3e5)).text).toBe("");
  });
});

describe("links of a page", () => {
  const linkTo = (href: string, base = "") =>
    extract(
      `${base}<article><p>${MAIN.repeat(6)} See <a href="${href}">the place</a>.</p></article>`,
    ).text;

  it.each([
    ["/a/b?c=d", "[the place](https://site.example/a/b?c=d)"],
    ["../x", "[the place](https://site.example/x)"],
    ["//other.example/y", "[the place](https://other.example/y)"],
    ["https://other.example/a_(b)", "[the place](https://other.example/a_%28b%29)"],
    ["mailto:a@b.example", "[the place](mailto:a@b.example)"],
  ])("are absolute: %s", (href, wanted) => {
    expect(linkTo(href)).toContain(wanted);
  });

  it.each([
    "javascript:alert(1)",
    " java\tscript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "#part",
  ])("are plain text when nobody should follow them: %s", (href) => {
    expect(linkTo(href)).toContain("See the place.");
  });

  it("are relative to the base of the page", () => {
    expect(linkTo("c", '<base href="/a/b/">')).toContain("(https://site.example/a/b/c)");
  });
});
