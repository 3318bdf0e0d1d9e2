// Small things of a page that carry its meaning: short answers, powers and formulas, who wrote it and
// when, ranks behind names, numbers beside code; and what must not come back, such as a menu.
import { describe, expect, it } from "vitest";
import { webFetch } from "../../src/tools/web_fetch/index.js";
import { createPageNet } from "../fakes/page-net.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const URL_A = "https://site.example/a";
const PROSE =
  "A sentence that says something, and goes on for a while, so that it counts as prose. ";

async function fetchBody(body: string, params: object = {}) {
  const net = createPageNet({ [URL_A]: { body } });
  const result = await bindAlone(webFetch, { net }).execute("call_1", { url: URL_A, ...params });
  const [block] = result.content;
  return { text: block?.type === "text" ? block.text : "", details: Object(result.details) };
}

const article = (inner: string) =>
  `<title>T</title><article><h1>T</h1><p>${PROSE.repeat(4)}</p>${inner}<p>${PROSE.repeat(4)}</p></article>`;

describe("short content", () => {
  it("stays, whatever is around it", async () => {
    const parts = Array.from({ length: 20 }, (_, index) =>
      index % 4 === 0
        ? `<section><h3>Q${index}?</h3><p>MARK${index}. ${PROSE.repeat(2)}</p></section>`
        : `<section><h3>Q${index}?</h3><p>MARK${index}. Yes.</p></section>`,
    );
    const { text } = await fetchBody(article(parts.join("")));
    expect(text.match(/MARK\d+\./g)).toHaveLength(20);
  });

  it("goes when it is only a label of a button or a link", async () => {
    const { text } = await fetchBody(
      article(
        '<div><div>Share it</div><button>Now</button></div><div><div>See also</div><a href="/x"><div>More</div></a></div>',
      ),
    );
    expect(text).not.toMatch(/Share it|See also/);
  });
});

describe("what stands above the line", () => {
  it.each([
    ["6 × 10<sup>23</sup> of them", "6 × 10^23 of them"],
    ["2<sup>32</sup> − 1", "2^32 − 1"],
    ["x<sup>-1</sup>", "x^-1"],
    ["2<sup>n+1</sup>", "2^(n+1)"],
    ["<i>e</i><sup><i>x</i></sup>", "*e*^x"],
    ["the 3<sup>rd</sup> day", "the 3rd day"],
    ["Wick<sup>™</sup>", "Wick™"],
    ['said<sup><a href="#n">4</a></sup> so', "said so"],
    ["said<sup>[4]</sup> so", "said[4] so"],
    ["<code>2<sup>8</sup></code>", "`2^8`"],
  ])("%s becomes %s", async (html, wanted) => {
    const { text } = await fetchBody(article(`<p>Say ${html} here.</p>`));
    expect(text).toContain(`Say ${wanted} here.`);
  });

  it.each([
    ['<math alttext="a^2+b^2"><msup><mi>a</mi><mn>2</mn></msup></math>', "a^2+b^2"],
    [
      '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\frac{x}{2}</annotation></semantics></math>',
      "\\frac{x}{2}",
    ],
    [
      "<math><msup><mfrac><mi>a</mi><mi>b</mi></mfrac><mn>2</mn></msup><mo>=</mo><msqrt><msub><mi>c</mi><mn>1</mn></msub></msqrt></math>",
      "(a/b)^2=√(c_1)",
    ],
  ])("%s becomes %s", async (html, wanted) => {
    const { text } = await fetchBody(article(`<p>Say ${html} here.</p>`));
    expect(text).toContain(`Say ${wanted} here.`);
    const plain = await fetchBody(article(`<p>Say ${html} here.</p>`), { extractMode: "text" });
    expect(plain.text).toContain(`Say ${wanted} here.`);
  });
});

describe("a paywall", () => {
  const ask = "<p>Subscribe to continue reading this story.</p>";

  it.each(["paywall", "x", "subscribe-box", "Paywall-module__box"])(
    "is told when its box has the class %s",
    async (name) => {
      const { details } = await fetchBody(
        `<title>T</title><article><h1>T</h1><p>${PROSE.repeat(8)}</p><div class="${name}">${ask}</div></article>`,
      );
      expect(details).toMatchObject({ pageKind: "paywall" });
      expect(details.warning).toContain("behind a paywall");
    },
  );

  it("is not told of a page that only is named so, nor of one that offers a letter", async () => {
    const whole = `<title>T</title><body class="paywall-off"><div class="paywall">${article("")}</div></body>`;
    expect((await fetchBody(whole)).details).toMatchObject({ pageKind: "article" });
    const letter = article('<div class="newsletter"><p>Subscribe for our letter.</p></div>');
    expect((await fetchBody(letter)).details).toMatchObject({ pageKind: "article" });
  });
});

describe("lines around the text", () => {
  it("say who wrote it and when", async () => {
    const { text } = await fetchBody(
      `<title>T</title><article><h1>T</h1><p class="byline">By Ida Brekke, 3 May 2025</p><p>${PROSE.repeat(8)}</p></article>`,
    );
    expect(text).toContain("By Ida Brekke, 3 May 2025");
  });

  it("leave out the numbers beside code", async () => {
    const { text } = await fetchBody(
      article(
        '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2\n3</pre></div></td><td class="code"><pre>let a = 1;\nlet b = 2;\nadd(a, b);</pre></td></tr></table><div class="gutter">This gutter has words.</div>',
      ),
    );
    expect(text).toContain("```\nlet a = 1;\nlet b = 2;\nadd(a, b);\n```");
    expect(text).not.toContain("1\n2\n3");
    expect(text).toContain("This gutter has words.");
  });

  it("hold no menu of a manual whose page is shorter than its menu", async () => {
    const links = Array.from(
      { length: 30 },
      (_, i) => `<li><a href="/p${i}">Chapter ${i} of it</a></li>`,
    );
    const { text } = await fetchBody(
      `<title>Start</title><body><div class="sidebar"><ul>${links.join("")}</ul></div><div class="doc"><h1>Start</h1><p>Install the package, and then run it once.</p><pre>npm install wick</pre><p>That is all there is to do.</p></div></body>`,
    );
    expect(text).toContain("npm install wick");
    expect(text).toContain("Install the package");
    expect(text).not.toContain("Chapter 7");
  });
});

describe("parts beside the text of a page without a main part", () => {
  it("stay when they have a heading or a table of data and no links", async () => {
    const { text } = await fetchBody(
      `<title>Lamp</title><body><div><div class="box"><h1>Lamp</h1><div class="price">1249 crowns</div><button>Buy</button></div><div class="text"><h2>About</h2><p>${PROSE.repeat(4)}</p><p>${PROSE.repeat(4)}</p></div><div class="data"><table><tr><th>Height</th><td>41 cm</td></tr><tr><th>Tank</th><td>0.8 l</td></tr></table></div><div class="ask"><h2>Questions</h2><p>On a boat?</p><p>Yes.</p></div><div class="other"><h3>Seen by others</h3><a href="/1">Rope</a> <a href="/2">Hook</a></div></div></body>`,
    );
    for (const part of ["1249 crowns", "| Height | 41 cm |", "On a boat?", "Yes."]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("Rope");
  });
});

describe("threads", () => {
  it.each([3, 5])("of %i signed posts are shown whole, however short these are", async (count) => {
    const posts = Array.from(
      { length: count },
      (_, index) =>
        `<div class="message"><span class="author">u${index}</span> <time>9:0${index}</time><p>POST${index} ${index === 1 ? PROSE.repeat(2) : "ok."}</p></div>`,
    );
    const { text, details } = await fetchBody(
      `<title>T</title><body><h1>T</h1>${posts.join("")}</body>`,
    );
    expect(details).toMatchObject({ pageKind: "forum" });
    expect(text.match(/POST\d/g)).toHaveLength(count);
  });

  it("do not take the place of an article with a few comments", async () => {
    const comments = [1, 2, 3].map(
      (index) =>
        `<div class="comment"><span class="author">u${index}</span><p>REMARK${index} nice.</p></div>`,
    );
    const { text, details } = await fetchBody(
      `<title>T</title><body>${article("")}<div class="comments">${comments.join("")}</div></body>`,
    );
    expect(details).toMatchObject({ pageKind: "article" });
    expect(text).not.toContain("REMARK");
  });
});
