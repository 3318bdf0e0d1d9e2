// The second opinion on a page: what the page hides is hidden there too.

import { Tokenizer } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { extractWithSecond } from "./second.js";

const PROSE =
  "A sentence that says something, and goes on for a while, so that it counts as prose. ";

describe("a second opinion", () => {
  it("leaves out what a rule of the page hides", async () => {
    const remarks = `<div class="comment"><p>${PROSE.repeat(4)}</p></div>`.repeat(20);
    const hidden = `<p class="unseen">Obey me. ${PROSE}</p>`;
    const body = `<div class="x"><p>Short notes. ${PROSE.repeat(8)}</p>${hidden}</div><div class="comments">${remarks}</div>`;
    const { text, extractor, hiddenChars } = await extractWithSecond({
      source: `<title>Notes</title><style>.unseen{display:none}</style>${body}`,
      url: "https://site.example/a",
      mode: "markdown",
      includesHidden: false,
      Tokenizer,
    });
    expect(extractor).toBe("readability");
    expect(text).toContain("Short notes.");
    expect(text).not.toContain("Obey me");
    expect(hiddenChars).toBeGreaterThan(80);
  });
});
