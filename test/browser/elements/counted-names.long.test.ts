// Names, headings and labels with numbers in them that say how many or how long: with another number
// they name the same, unless another element is told apart by nothing else.

import { describe, expect, it } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { scope } from "./tab-fixture.js";

/** More than what counts as one change. */
const APART_MS = 40;

const shown = useShownTab();
const { show, run, allWhy } = shown;
const refsOf = async (start: string) =>
  (await shown.tab.list()).elements
    .filter(({ name }) => name.startsWith(start))
    .map(({ ref = "" }) => ref);
const turn = (texts: readonly string[]) =>
  run(`(async () => {
    for (const text of ${JSON.stringify(texts)}) {
      for (const each of document.querySelectorAll("i")) each.textContent = text;
      await new Promise((done) => setTimeout(done, ${APART_MS}));
    }
  })()`);

describe("a name that goes on by itself", () => {
  const COUNTED = ["Resend (29)", "Resend (28)", "Resend (27)", "Resend (26)"];
  const SECONDS = ["29", "28", "27", "26"];
  const row = (words: string) => `<li>${words} <button>Resend <i>30</i></button></li>`;
  it.each([
    ["is the same", "<button><i>Resend (30)</i></button>", COUNTED],
    ["in pieces is the same", "<button>Resend in <i>30</i> s</button>", SECONDS],
    ["in a row is the same", `<ul>${row("Code")}</ul>`, SECONDS],
    ["of several in rows is the same", `<ul>${row("Ann")}${row("Bob")}</ul>`, SECONDS],
  ])("%s", async (_what, html, texts) => {
    await show(html);
    const refs = await refsOf("Resend");
    await turn(texts.slice(0, 3));
    expect(new Set(await allWhy(refs))).toEqual(new Set(["found"]));
    expect(await refsOf("Resend")).toEqual(refs);
    await turn(texts.slice(3));
    expect(new Set(await allWhy(refs))).toEqual(new Set(["found"]));
    expect(await refsOf("Resend")).toEqual(refs);
  });

  it("is another where it names one, or where nothing else tells two apart", async () => {
    await show("<button>Accept order <i>7</i></button>");
    const naming = await refsOf("Accept");
    await turn(["8", "9", "10", "11"]);
    expect(await allWhy(naming)).toEqual(["changed"]);
    await show("<button>Bid <i>1</i></button><button id=y>Bid 5</button>");
    const bids = await refsOf("Bid");
    await turn(["2", "3", "4", "5"]);
    expect(await allWhy(bids)).toEqual(["changed", "found"]);
  });
});

describe("a count behind", () => {
  it.each([
    ["its name", "<button id=x>Go (1)</button>"],
    [
      "its name in a list",
      "<ul><li><button id=x>Go (1)</button></li><li><a href=#>Sent (4)</a></li></ul>",
    ],
    [
      "its name, with another that is hidden",
      "<button id=x>Go (1)</button><button hidden>Go (1)</button>",
    ],
    ["a heading", "<main><h1 id=x>Go (1)</h1><button>Go</button></main>"],
    [
      "the name of its group",
      "<fieldset><legend id=x>Go (1)</legend><button>Go</button></fieldset>",
    ],
    [
      "the tab of its panel",
      `<div role=tablist><b role=tab id=x aria-selected=true>Go (1)</b><b role=tab>Done (1)</b></div>
       <div role=tabpanel aria-labelledby=x><button>Go</button></div>`,
    ],
  ])("%s may be another", async (_what, html) => {
    await show(html);
    const refs = await shown.refsWith({ role: "button" });
    for (const text of ["Go (2)", "Go (1,204)", "Go", "Go (99+)"]) {
      await run(`x.textContent = "${text}"`);
      expect(await allWhy(refs)).toEqual(["found"]);
      expect(await shown.refsWith({ role: "button" })).toEqual(refs);
    }
    await run(`x.textContent = "Other (99+)"`);
    expect(await allWhy(refs)).toEqual(["changed"]);
  });

  it.each([
    ["that was listed", "<button id=x>Go (1)</button><button id=y>Go (2)</button>", ""],
    ["that went", "<button id=x>Go (1)</button><button id=y>Go (2)</button>", "y.remove()"],
    [
      "that came",
      "<button id=x>Go (1)</button>",
      `x.insertAdjacentHTML("afterend", "<button>Go (1)</button>")`,
    ],
    [
      "of headings",
      "<main><section><h2>Go (2)</h2></section><h2 id=x>Go (1)</h2><button>Go</button></main>",
      "",
    ],
    [
      "of tabs",
      `<div role=tablist><b role=tab id=x aria-selected=true>Go (1)</b><b role=tab>Go (2)</b></div>
       <div role=tabpanel aria-labelledby=x><button>Go</button></div>`,
      "",
    ],
    [
      "of headings that are shown in turn",
      "<main><h2 id=y>Go (1)</h2><h2 id=x hidden>Go (1)</h2><button>Go</button></main>",
      "y.hidden = true; x.hidden = false",
    ],
    ["that it names", "<main><h1 id=x>Order (1001)</h1><button>Go</button></main>", ""],
  ])("a name tells it from another %s", async (_what, html, script) => {
    await show(html);
    const [ref = ""] = await shown.refsWith({ role: "button" });
    await run(`x.textContent = x.textContent.replace("1)", "2)"); ${script}`);
    expect(await allWhy([ref])).toEqual(["changed"]);
  });

  it("a name tells it from another that went after one of them was listed again", async () => {
    await show("<button id=x>Go (1)</button><button id=y>Go (2)</button>");
    const [ref = ""] = await shown.refsWith({ role: "button" });
    await shown.tab.elements.list({ ref }, scope());
    await run(`y.remove(); x.textContent = "Go (2)"`);
    expect(await allWhy([ref])).toEqual(["changed"]);
    const [now = ""] = await shown.refsWith({ role: "button" });
    await run(`x.textContent = "Go (3)"`);
    expect(await allWhy([now])).toEqual(["found"]);
  });

  it("a name is told when it is another", async () => {
    await show("<button id=x>Go (1)</button>");
    const ref = await shown.tab.refOf("button", "Go (1)");
    await run(`x.textContent = "Go (2)"`);
    expect(await shown.tab.refOf("button", "Go (2)")).toBe(ref);
  });
});

describe("a field", () => {
  const FIELD = "<label id=x>Mail <input></label>";
  const says = (words: string) => `x.insertAdjacentHTML("beforeend", "<span>${words}</span>")`;
  it.each([
    ["alone", FIELD],
    ["in a list", `<ul><li>${FIELD}</li><li><label>Name <input></label></li></ul>`],
  ])("%s whose label says more is the same", async (_what, html) => {
    await show(html);
    const [ref = ""] = await shown.refsWith({ role: "textbox" });
    await run(says(" Please give a mail"));
    expect(await allWhy([ref])).toEqual(["found"]);
    expect((await shown.refsWith({ role: "textbox" }))[0]).toBe(ref);
    await run(`x.querySelector("span").remove()`);
    expect(await allWhy([ref])).toEqual(["found"]);
  });

  it.each([
    ["its label is another", FIELD, `x.firstChild.data = "Mail of Ann "`],
    ["its label has a number behind it", FIELD, says(" 2")],
    [
      "another was called so",
      `${FIELD}<p><label>Mail work <input></label></p>`,
      `${says(" work")}; document.querySelector("p").remove()`,
    ],
  ])("is another when %s", async (_what, html, script) => {
    await show(html);
    const [ref = ""] = await shown.refsWith({ role: "textbox" });
    await run(script);
    expect(await allWhy([ref])).toEqual(["changed"]);
  });
});
