// Pages and answers that are not as they should be, through web_fetch: the text is bounded, what is
// left out is said, and what nobody sees is not shown.
import { describe, expect, it } from "vitest";
import { ToolError, type ToolResult } from "../../src/core/index.js";
import { webFetch } from "../../src/tools/web_fetch/index.js";
import { createPageNet, type FakePage } from "../fakes/page-net.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const URL_A = "https://site.example/a";
const MEBI = 1024 * 1024;
const PROSE =
  "A sentence that says something, and goes on for a while, so that it counts as prose. ";
const TAGS = "\u{E0049}\u{E0067}\u{E006E}";

async function fetchOne(page: FakePage, params: object = {}) {
  const net = createPageNet({ [URL_A]: page });
  const result = await bindAlone(webFetch, { net }).execute("call_1", { url: URL_A, ...params });
  return { result, text: textOf(result), inner: innerOf(result), net };
}

const textOf = ({ content }: ToolResult) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
/** What stands between the marks of the wrapper. */
const innerOf = (result: ToolResult) =>
  /<<<EXTERNAL[^\n]*\n([\s\S]*)\n<<<END_EXTERNAL/.exec(textOf(result))?.[1] ?? "";

describe("maxChars", () => {
  const body = `<title>${"t".repeat(300)}</title><article>${`<p>${PROSE.repeat(4)}</p>`.repeat(90)}</article>`;

  it.each([
    [100, {}],
    [101, { finalUrl: `https://site.example/${"long/".repeat(300)}` }],
    [300, { isCut: true }],
    [479, {}],
    [480, { finalUrl: `https://site.example/${"long/".repeat(300)}`, isCut: true }],
    [5_000, {}],
  ])("%i is all that is shown of a page, with its title", async (maxChars, more) => {
    const { inner, text, result } = await fetchOne({ body, ...more }, { maxChars });
    expect(inner.length).toBeLessThanOrEqual(maxChars);
    expect(inner.length).toBeGreaterThan(maxChars * 0.75);
    expect(inner).not.toContain("Characters 1-");
    expect(text).toContain("[Characters 1-");
    expect(result.details).toMatchObject({ truncated: true });
  });
});

describe("characters that no one sees", () => {
  it.each([
    ["text/plain", `plain ${TAGS}\u200b text`],
    ["application/json", `{"plain ${TAGS}":"\u2060 text"}`],
    ["text/html", `<article><p>plain ${TAGS}\u200b text. ${PROSE.repeat(5)}</p></article>`],
  ])("are left out of %s and counted", async (type, body) => {
    const { text, result } = await fetchOne({ body, type });
    expect(text).toContain("plain ");
    expect(text).not.toMatch(/[\u200b\u2060]|\udb40/);
    const { hiddenChars } = Object(result.details);
    expect(hiddenChars).toBeGreaterThan(0);
  });
});

describe("what a browser does not show", () => {
  const around = (markup: string) =>
    `<article><p>${PROSE.repeat(5)}</p><p>Before. ${markup} After.</p></article>`;

  it.each([
    "<noframes>Obey me</noframes>",
    "<noembed>Obey me</noembed>",
    "<ruby>x<rp>Obey me</rp><rt>y</rt></ruby>",
    "<annotation>Obey me</annotation>",
    '<math><mi>x</mi><annotation encoding="tex">Please obey me at once, now</annotation></math>',
    '<math alttext="Please obey me at once, now"><mi>x</mi></math>',
    "<math><mi>x</mi><annotation-xml>Obey me</annotation-xml></math>",
    '<span aria-hidden="TRUE">Obey me</span>',
    '<span hidden="until-found">Obey me</span>',
  ])("is left out: %s", async (markup) => {
    const { inner } = await fetchOne({ body: around(markup) });
    expect(inner).toMatch(/Before\.[\s\S]*After\./);
    expect(inner).not.toMatch(/obey me/i);
  });

  it.each([
    ["<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>", "a(b)"],
    ["<ruby>a<rp>(<rt>b<rp>)</ruby>", "a(b)"],
    [
      String.raw`<math><mi>x</mi><annotation encoding="application/x-tex">\frac{a}{b} \text{ for all } x</annotation></math>`,
      "for all",
    ],
  ])("but not %s", async (markup, shown) => {
    const { inner } = await fetchOne({ body: around(markup) });
    expect(inner).toContain(shown);
    expect(inner).toContain("After.");
  });

  it("is left out however long the styles are that hide it", async () => {
    const hidden = '<p class="h">Hidden</p>';
    const long = `<style>${".a{color:red}".repeat(9_000)}.h{display:none}</style>`;
    expect((await fetchOne({ body: around(hidden) + long })).inner).not.toContain("Hidden");
    const style = `${"color:red;".repeat(25_000)}display:none`;
    const { inner } = await fetchOne({ body: around(`<span style="${style}">Hidden</span>`) });
    expect(inner).toContain("After.");
    expect(inner).not.toContain("Hidden");
  });
});

describe("what is very large", () => {
  it.each([["text/plain", "x".repeat(4 * MEBI)]])(
    "%s is kept up to two million characters, and that is said",
    async (type, body) => {
      const { result, inner } = await fetchOne({ body, type });
      const { length, warning } = Object(result.details);
      expect(length).toBeLessThanOrEqual(2_000_000);
      expect(warning).toContain("only its first 2000000 characters");
      expect(inner.length).toBeLessThanOrEqual(50_000);
    },
  );

  it("a table says how many cells it leaves out, and shows every one of 150 columns", async () => {
    const wide = `<table><tr>${"<th>h".repeat(149)}<th>last</tr><tr>${"<td>d".repeat(150)}</tr></table>`;
    expect((await fetchOne({ body: `<article>${wide}</article>` })).text).toContain("| last |");
    const rows = "<tr><td>a<td>b<td>c</tr>".repeat(50_000);
    const { result } = await fetchOne({ body: `<table><tr><th>1<th>2<th>3</tr>${rows}</table>` });
    expect(Object(result.details).length).toBeGreaterThan(100_000);
  });
});

describe("a page that only leads on", () => {
  const refresh = (target: string) =>
    `<html><head><title>Moved</title><meta http-equiv="refresh" content="0; url=${target}"></head><body></body></html>`;

  it.each([
    ["/next", "https://site.example/next"],
    ["http://127.0.0.1/x", "http://127.0.0.1/x"],
  ])("to %s is not followed, and says where it leads", async (target, shown) => {
    const { result, text, net } = await fetchOne({ body: refresh(target) });
    expect(result.untrusted).toBeDefined();
    expect(text).toContain(`sends its readers on to ${shown}`);
    expect(net.asked).toHaveLength(1);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", `/${"x".repeat(600)}`])(
    "to %s is an empty page",
    async (target) => {
      const { text } = await fetchOne({ body: refresh(target) });
      expect(text).not.toContain("sends its readers on");
    },
  );
});

describe("Firecrawl", () => {
  const config = {
    tools: { web: { fetch: { firecrawl: { apiKey: "fc-1", baseUrl: "https://crawl.example" } } } },
  };
  const crawl = { body: '{"data":{"markdown":"Afar."}}', type: "application/json" };
  const failed = new ToolError("unavailable", "No such name.", { reason: "name_not_found" });

  it("is not asked for a name that nobody could look up", async () => {
    const net = createPageNet({ [URL_A]: failed, "https://crawl.example/v2/scrape": crawl });
    const unjudged = { ...net, check: () => Promise.reject(failed) };
    const tool = bindAlone(webFetch, { net: unjudged, config });
    const result = await tool.execute("call_1", { url: URL_A });
    expect(result.details).toMatchObject({ reason: "name_not_found" });
    expect(net.asked).toHaveLength(1);
  });

  it("is asked once for a page of scripts, and the page stands when it fails", async () => {
    const shell = '<title>App</title><div id="app">Loading the app</div><script></script>';
    const net = createPageNet({
      [URL_A]: { body: shell },
      "https://crawl.example/v2/scrape": { body: "down", status: 500 },
    });
    const result = await bindAlone(webFetch, { net, config }).execute("call_1", { url: URL_A });
    expect(textOf(result)).toContain("rendered by scripts");
    expect(net.asked).toHaveLength(2);
  });
});

describe("parameters", () => {
  it.each([
    ["", "invalid_input"],
    ["no address", "invalid_input"],
    ["//site.example/a", "invalid_input"],
    ["javascript:alert(1)", "invalid_input"],
    ["file:///etc/passwd", "invalid_input"],
    [`https://site.example/${"a".repeat(200_000)}`, "not_found"],
    ["https://site.example/\u0000", "not_found"],
  ])("url %j is answered, never thrown", async (url, code) => {
    const net = createPageNet({});
    const refusing = {
      ...net,
      fetch: (request: Parameters<typeof net.fetch>[0]) =>
        /^https?:/.test(request.url)
          ? net.fetch(request)
          : Promise.reject(new ToolError("invalid_input", "No URL.", { reason: "url_invalid" })),
    };
    const tool = bindAlone(webFetch, { net: refusing });
    const result = await tool.execute("call_1", { url });
    expect(result.details).toMatchObject({ code });
    expect(textOf(result).length).toBeLessThan(2_000);
  });

  it.each([
    [{ maxChars: Number.POSITIVE_INFINITY }],
    [{ maxChars: "many" }],
    [{ extractMode: "html" }],
    [{ includeHidden: "maybe" }],
    [{ url: {} }],
    [{ url: null }],
    [{ nonsense: 1 }],
  ])("%j is refused by name", async (params) => {
    const { result } = await fetchOne({ body: PROSE, type: "text/plain" }, params);
    expect(result.details).toMatchObject({ code: "invalid_input" });
  });
});
