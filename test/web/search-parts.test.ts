// The parts of web_search by tables of cases: parameters, times, turns, text, the page of DuckDuckGo.
import { describe, expect, it } from "vitest";
import { createPace } from "../../src/tools/web_search/ask-provider.js";
import {
  readRetryAfter,
  toPlainText,
  withSiteWords,
} from "../../src/tools/web_search/ask-server.js";
import type { WebSearchCall } from "../../src/tools/web_search/index.js";
import { readResultPage } from "../../src/tools/web_search/providers/duckduckgo.js";
import { readQuery } from "../../src/tools/web_search/read-query.js";

const read = (params: Partial<WebSearchCall["params"]>) =>
  readQuery({ query: "otters", ...params }, { count: 5 });

describe("a query", () => {
  it.each([
    [{}, { text: "otters", count: 5 }],
    [{ query: "  two\n words " }, { text: "two words" }],
    [{ country: "de" }, { country: "DE" }],
    [{ country: "all" }, { country: "ALL" }],
    [{ search_lang: "DE" }, { language: "de" }],
    [{ search_lang: "zh_TW" }, { language: "zh-tw" }],
    [{ ui_lang: "DE-de" }, { uiLanguage: "de-DE" }],
    [{ freshness: "pd" }, { freshness: "day" }],
    [{ freshness: "PW" }, { freshness: "week" }],
    [{ freshness: "month" }, { freshness: "month" }],
    [
      { freshness: "2026-01-01TO2026-01-31" },
      { dateAfter: "2026-01-01", dateBefore: "2026-01-31" },
    ],
    [{ date_after: "2026-01-01" }, { dateAfter: "2026-01-01" }],
    [{ date_before: "2024-02-29" }, { dateBefore: "2024-02-29" }],
    [{ freshness: " ", country: "" }, { text: "otters" }],
    [
      { domain_filter: ["Water.Example", "https://other.example/path", "*.third.example"] },
      { includeDomains: ["water.example", "other.example", "third.example"] },
    ],
    [
      { domain_filter: ["-a.example", "-b.example"] },
      { excludeDomains: ["a.example", "b.example"] },
    ],
    [{ domain_filter: ["bücher.example"] }, { includeDomains: ["xn--bcher-kva.example"] }],
  ])("reads %j", (params, expected) => {
    expect(read(params)).toMatchObject(expected);
  });

  it.each([
    [{ query: "   " }, "search_parameter_invalid"],
    [{ query: "x".repeat(1_001) }, "search_parameter_invalid"],
    [{ country: "Germany" }, "search_parameter_invalid"],
    [{ search_lang: "german" }, "search_parameter_invalid"],
    [{ ui_lang: "de" }, "search_parameter_invalid"],
    [{ freshness: "yesterday" }, "invalid_freshness"],
    [{ freshness: "constructor" }, "invalid_freshness"],
    [{ freshness: "2026-02-30to2026-03-01" }, "invalid_freshness"],
    [{ freshness: "2026-03-01to2026-02-01" }, "invalid_freshness"],
    [{ date_after: "2026-1-1" }, "invalid_freshness"],
    [{ date_after: "2026-02-01", date_before: "2026-01-01" }, "invalid_freshness"],
    [{ freshness: "day", date_after: "2026-01-01" }, "invalid_freshness"],
    [{ domain_filter: ["a.example", "-b.example"] }, "search_parameter_invalid"],
    [{ domain_filter: ["a b"] }, "search_parameter_invalid"],
  ])("refuses %j", (params, reason) => {
    expect(() => read(params)).toThrow(expect.objectContaining({ code: "invalid_input", reason }));
  });

  it("has domains as words for providers that read such words", () => {
    expect(withSiteWords(read({}))).toBe("otters");
    expect(withSiteWords(read({ domain_filter: ["a.example"] }))).toBe("otters site:a.example");
    expect(withSiteWords(read({ domain_filter: ["-a.example", "-b.example"] }))).toBe(
      "otters -site:a.example -site:b.example",
    );
  });
});

describe("retry-after", () => {
  const nowMs = Date.parse("2026-03-01T12:00:00Z");
  it.each([
    ["0", 0],
    [" 15 ", 15_000],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["Sunday, 01-Mar-26 12:00:30 GMT", 30_000],
    ["1.5", 1_500],
    ["-5", 60_000],
    ["1e9", 60_000],
    ["soon", 60_000],
    ["", undefined],
    [undefined, undefined],
    ["86400", 86_400_000],
    ["99999999", 86_400_000],
    ["999999999999", 86_400_000],
    ["9".repeat(400), 86_400_000],
    ["Sun, 01 Mar 2099 12:00:30 GMT", 86_400_000],
  ])("%j is %j milliseconds", (value, expected) => {
    expect(readRetryAfter(value, nowMs)).toBe(expected);
  });
});

describe("the turns of a provider", () => {
  it("let some through at once, then one by one, and fill up again", () => {
    const pace = createPace({ perSecond: 2, burst: 3 });
    const take = (nowMs: number) => pace.take({ nowMs, maxWaitMs: 1_000 });
    expect([0, 0, 0, 0, 0, 0].map(take)).toEqual([0, 0, 0, 500, 1_000, undefined]);
    expect(take(500)).toBe(1_000);
    expect([60_000, 60_000, 60_000, 60_000].map(take)).toEqual([0, 0, 0, 500]);
  });

  it("wait while the provider rests", () => {
    const pace = createPace({ perSecond: 1, burst: 1 });
    pace.pauseUntil(5_000);
    pace.pauseUntil(2_000);
    expect(pace.waitMs(1_000)).toBe(4_000);
    expect(pace.take({ nowMs: 1_000, maxWaitMs: 3_999 })).toBeUndefined();
    expect(pace.take({ nowMs: 1_000, maxWaitMs: 4_000 })).toBe(4_000);
    expect(pace.waitMs(5_000)).toBe(1_000);
  });
});

describe("text with markup", () => {
  it.each([
    ["a <strong>b</strong> c", "a b c"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["x &amp;lt; y", "x &lt; y"],
    ["&#39;&#x27;&quot;&nbsp;&hellip;", "''\"\u00A0…"],
    ["&unknown; &#xD800; &#99999999; &constructor;", "&unknown; \uFFFD \uFFFD &constructor;"],
  ])("%s", async (markup, text) => {
    expect(await toPlainText(markup)).toBe(text);
  });

  it("is read in one go, whatever it is", async () => {
    const hostile = ["<a".repeat(500_000), "<".repeat(1_000_000), "&#".repeat(500_000)];
    const startMs = performance.now();
    for (const text of hostile) {
      await toPlainText(text);
      await readResultPage(text);
      await readResultPage(`<a class="result__a" href="`.repeat(40_000));
    }
    expect(performance.now() - startMs).toBeLessThan(30_000);
  });
});

describe("a page of DuckDuckGo", () => {
  it.each([
    ["", "unknown"],
    ["<html><body>Something else</body></html>", "unknown"],
    ['<a class="result__a" href="', "unknown"],
    ['<div class="no-results">No results.</div>', "hits"],
    ['<form id="challenge-form"></form><div class="no-results">', "bot-check"],
  ])("%j is %s", async (html, kind) => {
    expect((await readResultPage(html)).kind).toBe(kind);
  });
});
