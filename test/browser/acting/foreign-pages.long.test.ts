// Pages as others write them: listeners without a role or a pointer, drawings, menus that follow the
// pointer, parts that are covered for a moment, fields with limits.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterEach(() => scene.close());
afterAll(() => stage.close());

const HEARD = `<script>
  window.heard = [];
  const hear = (selector, type = "click") => {
    for (const one of document.querySelectorAll(selector))
      one.addEventListener(type, ({ currentTarget }) => heard.push(currentTarget.id));
  };
</script>`;

const named = async (name: string) => (await scene.listed()).find((one) => one.name === name);
const refOf = async (name: string) => (await named(name))?.ref ?? "";
/** Items are listed without a name, and their words below them. */
const itemOf = async (name: string) => {
  const listed = await scene.listed();
  const at = listed.findIndex((one) => one.name === name);
  return [listed[at], listed[at - 1]].find((one) => one?.isInteractive);
};

describe("an element that only has a listener", () => {
  it.each([
    ["span", "click"],
    ["div", "mousedown"],
    ["td", "pointerdown"],
    ["li", "dblclick"],
  ])("has a ref and is clicked: %s, %s", async (tag, type) => {
    const item = `<${tag} id=one>Apple</${tag}><${tag} id=two>Pear</${tag}>`;
    const body = tag === "td" ? `<table><tr>${item}</tr></table>` : item;
    scene = await stage.open(`${HEARD}${body}<script>hear("#two", "${type}")</script>`);
    const ref = (await itemOf("Pear"))?.ref ?? "";
    expect(ref).not.toBe("");
    expect(await itemOf("Apple")).toBeUndefined();
    await scene.port.act({ kind: "click", ref, doubleClick: type === "dblclick" }, scope);
    expect(await scene.read("heard")).toEqual(["two"]);
  });

  it("has one as a shape of a drawing, told apart by its class and colour", async () => {
    scene = await stage.open(`${HEARD}<svg width=300 height=100>
      <circle id=a class=dot cx=50 cy=50 r=20 fill=red /><rect id=b x=100 y=30 width=40 height=40 fill=blue />
      <text x=200 y=50>label</text></svg><script>hear("circle,rect")</script>`);
    const ref = await refOf("rect b blue");
    expect((await named("circle dot red"))?.ref).toBeTruthy();
    await scene.port.act({ kind: "click", ref }, scope);
    expect(await scene.read("heard")).toEqual(["b"]);
  });

  it("has one inside of something that is clicked as a whole", async () => {
    scene = await stage.open(`${HEARD}<div id=card style="cursor:pointer;width:300px">
      <b id=title>Harbour</b> <i id=star>star</i></div><script>hear("#card"); hear("#star")</script>`);
    await scene.port.act({ kind: "click", ref: await refOf("star") }, scope);
    expect(await scene.read("heard")).toEqual(["star", "card"]);
  });

  it("gives one to each item when their list listens for all", async () => {
    scene = await stage.open(`<ul id=list><li>One</li><li>Two</li><li>Three</li></ul><script>
      list.addEventListener("click", ({ target }) => { window.heard = target.textContent; });</script>`);
    await scene.port.act({ kind: "click", ref: (await itemOf("Two"))?.ref ?? "" }, scope);
    expect(await scene.read("heard")).toBe("Two");
  });

  it("does not make one thing of a page that listens as a whole", async () => {
    scene = await stage.open(`<main>${"<p>Some words of a long text about harbours.</p>".repeat(20)}
      <button>Go</button></main><script>
      for (const one of [document, document.body, document.querySelector("main")])
        one.addEventListener("click", () => {});</script>`);
    const listed = await scene.listed();
    expect(listed.filter(({ isInteractive }) => isInteractive).map(({ name }) => name)).toEqual([
      "Go",
    ]);
    expect(listed.filter(({ name }) => name.startsWith("Some words"))).toHaveLength(20);
  });
});

describe("the pointer", () => {
  it("moves in steps, so that a menu which follows it stays on the item", async () => {
    scene =
      await stage.open(`<button id=b style="position:absolute;left:400px;top:300px">Go</button>
      <script>window.moves = 0; addEventListener("mousemove", () => { moves += 1; });
      b.addEventListener("mousedown", () => { window.before = moves; });</script>`);
    await scene.click("button", "Go");
    expect(Number(await scene.read("before"))).toBeGreaterThanOrEqual(4);
  });

  it("waits while something lies over the element, up to a second", async () => {
    scene = await stage.open(`<button onclick="window.hit = true">Under</button>
      <div id=over style="position:fixed;inset:0;background:white">Saved</div>
      <script>setTimeout(() => over.remove(), 400)</script>`);
    await scene.click("button", "Under");
    expect(await scene.read("hit")).toBe(true);
    scene = await stage.open(`<button>Under</button>
      <div style="position:fixed;inset:0;background:white">Stays</div>`);
    expect(await refusal(scene.click("button", "Under"))).toMatchObject({
      reason: "element_covered",
    });
  });

  it("clicks through to an only child that is the same thing", async () => {
    scene = await stage.open(`<div id=outer role=button tabindex=0 style="width:80px"><button
      aria-label="Save" onclick="window.hit = true" style="width:80px;height:30px"><svg width=9 height=9></svg></button></div>`);
    const ref = (await scene.listed()).find(({ ref: one }) => one !== undefined)?.ref ?? "";
    await scene.port.act({ kind: "click", ref }, scope);
    expect(await scene.read("hit")).toBe(true);
  });
});

describe("scroll", () => {
  it("scrolls the part that a ref names, by the direction", async () => {
    const box = (id: string) =>
      `<section id=${id} aria-label="${id}" tabindex=0 style="height:100px;overflow:auto"><p style="height:900px">text</p></section>`;
    scene = await stage.open(`${box("first")}${box("second")}<div style="height:3000px"></div>`);
    const ref = await refOf("second");
    await scene.port.act({ kind: "scroll", to: "down", px: 200, ref }, scope);
    expect(await scene.read("[first.scrollTop, second.scrollTop, scrollY]")).toEqual([0, 200, 0]);
    await scene.port.act({ kind: "scroll", to: "up", px: 150, ref }, scope);
    expect(await scene.read("second.scrollTop")).toBe(50);
  });
});

describe("a listing", () => {
  it("folds a long list of options and keeps the chosen one", async () => {
    const options = Array.from({ length: 200 }, (_, index) => `<option>Land ${index}</option>`);
    scene = await stage.open(`<select aria-label=Country>${options.join("")}</select>
      <script>document.querySelector("select").selectedIndex = 150</script>`);
    const shown = (await scene.listed()).filter(({ role }) => role === "option");
    expect(shown.map(({ name }) => name).at(-1)).toBe("Land 150");
    expect(shown).toHaveLength(11);
    expect(await named("200 options in all; choose any by its text")).toBeDefined();
    const ref = await refOf("Country");
    await scene.port.act({ kind: "select", ref, values: ["Land 77"] }, scope);
    expect(await scene.read("document.querySelector('select').value")).toBe("Land 77");
  });

  it("marks what a field takes and what is wrong with it", async () => {
    scene =
      await stage.open(`<input aria-label=Secret type=password><textarea aria-label=Story></textarea>
      <input aria-label=Age type=number min=1 max=9 value=12><input aria-label=Code pattern="[0-9]{4}">
      <select aria-label=Many multiple><option>a</select><button aria-haspopup=menu>More</button>
      <input aria-label=Mail type=email value=nobody><input aria-label=Empty required>
      <div aria-label=Log role=region tabindex=0 style="height:50px;overflow:auto"><p style="height:400px">x</p></div>`);
    const states = async (name: string) => (await named(name))?.states.join(" ") ?? "";
    expect(await states("Secret")).toContain("password");
    expect(await states("Story")).toContain("multiline");
    expect(await states("Age")).toMatch(/min=1 max=9 invalid="[^"]+"/);
    expect(await states("Code")).toContain("pattern=[0-9]{4}");
    expect(await states("Many")).toContain("multiple");
    expect(await states("More")).toContain("haspopup=menu");
    expect(await states("Mail")).toMatch(/invalid="[^"]+"/);
    expect(await states("Empty")).toBe("required");
    expect(await states("Log")).toContain("scrollable");
  });

  it("waits for a page that shows nothing yet, and names what is pending", async () => {
    const slow = stage.route("/slow", (_request, response) => {
      setTimeout(() => response.end("ready"), 500);
    });
    scene = await stage.open(`<div id=app></div><script>fetch("${slow}").then((r) => r.text())
      .then((text) => { app.innerHTML = "<button>" + text + "</button>"; });</script>`);
    expect((await scene.listed()).map(({ name }) => name)).toContain("ready");
    const never = stage.route("/never", () => undefined);
    scene = await stage.open(`<div></div><script>fetch("${never}")</script>`);
    const { gaps } = await scene.port.list({ ...scope });
    expect(gaps.join(" ")).toContain("The page waits for 1 request");
  });
});
