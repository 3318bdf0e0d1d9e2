// Clicks through the port on a real page: what can be clicked is, what cannot says why and at once.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { itLong } from "../../fakes/campaign.js";
import { createStage, refusal, type Scene, type Stage, scope, timed } from "./stage.js";

/** Promised are 100 ms; other work shares the machine. */
const TOLD_MS = 6_000;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage(["--site-per-process"]);
});
afterEach(() => scene.close());
afterAll(() => stage.close());

describe("a click", () => {
  it("reaches the button, and the answer tells what changed", async () => {
    scene = await stage.open(
      `<button onclick="this.insertAdjacentHTML('afterend','<p><a href=#x>More</a></p>')">Go</button>`,
    );
    const { change } = await scene.click("button", "Go");
    expect(change.added.map(({ name }) => name)).toContain("More");
    expect(change).toMatchObject({ isNewDocument: false, isUnsettled: false });
  });

  it("is double, with the right button, or with keys held when that is asked for", async () => {
    scene = await stage.open(`<button id=b>Go</button><script>
      window.seen = [];
      for (const type of ["dblclick", "contextmenu", "click"])
        b.addEventListener(type, (e) => seen.push(type + (e.shiftKey ? "+shift" : "")));
    </script>`);
    const ref = await scene.ref("button", "Go");
    await scene.port.act({ kind: "click", ref, doubleClick: true }, scope);
    await scene.port.act({ kind: "click", ref, button: "right" }, scope);
    await scene.port.act({ kind: "click", ref, modifiers: ["Shift"] }, scope);
    expect(await scene.read("seen")).toEqual([
      "click",
      "click",
      "dblclick",
      "contextmenu",
      "click+shift",
    ]);
  });

  it("scrolls to what is far below, also inside a box that scrolls", async () => {
    scene = await stage.open(`<div style="height:3000px"></div>
      <div style="height:100px;overflow:auto"><div style="height:900px"></div>
      <button onclick="window.hit = true">Deep</button></div><div style="height:2000px"></div>`);
    await scene.click("button", "Deep");
    expect(await scene.read("hit")).toBe(true);
  });

  itLong("finds a free place beside a bar that lies over the page", async () => {
    scene =
      await stage.open(`<div style="position:fixed;inset:0 0 auto 0;height:60%;background:red">
      bar</div><button style="margin-top:10px" onclick="window.hit=true">Under</button>
      <div style="height:3000px"></div>`);
    await refusal(scene.click("button", "Nothing"));
    const outcome = await scene.click("button", "Under").catch((error: unknown) => error);
    expect(outcome).toMatchObject({ reason: "element_covered" });
    expect(await scene.read("window.hit")).toBeUndefined();
  });

  it("takes the label of a checkbox that is not to be seen", async () => {
    scene = await stage.open(`<style>input{opacity:0;position:absolute;left:-99px}</style>
      <label><input type=checkbox id=c> I agree</label>`);
    await scene.click("checkbox", "I agree");
    expect(await scene.read("c.checked")).toBe(true);
  });

  it("goes into open shadow roots and through slots", async () => {
    scene = await stage.open(`<x-card><button onclick="window.slotted=1">Slotted</button></x-card>
      <script>customElements.define("x-card", class extends HTMLElement { constructor() { super();
        this.attachShadow({mode:"open"}).innerHTML = "<button>Inner</button><slot></slot>";
        this.shadowRoot.querySelector("button").onclick = () => { window.inner = 1; }; } })</script>`);
    await scene.click("button", "Inner");
    await scene.click("button", "Slotted");
    expect(await scene.read("[window.inner, window.slotted]")).toEqual([1, 1]);
  });

  it.each(["first", "other"] as const)("goes into a frame of the %s site", async (host) => {
    const inner = stage.serve(
      `<h1>in</h1><button onclick="parent.postMessage('hit','*')">In</button>`,
      host,
    );
    scene = await stage.open(`<p>outer</p><iframe src="${inner}" style="margin:80px"></iframe>
      <script>onmessage = (e) => { window.got = e.data; }</script>`);
    await scene.port.act({ kind: "wait", text: "in" }, scope);
    await scene.click("button", "In");
    await expect.poll(() => scene.read("window.got")).toBe("hit");
  });

  itLong("does not reach a frame under something that lies over it in the page", async () => {
    const inner = stage.serve(`<button onclick="parent.postMessage('hit','*')">In</button>`);
    scene = await stage.open(`<iframe src="${inner}" style="border:0"></iframe>
      <div onclick="window.over=1" style="position:fixed;inset:0;background:#fffa">over</div>
      <script>onmessage = (e) => { window.got = e.data; }</script>`);
    await scene.port.act({ kind: "wait", loadState: "load" }, scope);
    const error = await refusal(scene.click("button", "In"));
    expect(["element_covered", "changed_under_click"]).toContain(error.reason);
    expect(await scene.read("[window.got, window.over]")).toEqual([undefined, undefined]);
  });

  it("by coordinates goes where it is told, on a canvas too", async () => {
    scene =
      await stage.open(`<canvas id=c width=300 height=200 style="position:absolute;left:0;top:0">
      </canvas><script>c.onclick = (e) => { window.at = [e.offsetX, e.offsetY]; }</script>`);
    const outside = await refusal(scene.port.act({ kind: "clickCoords", x: 5_000, y: 45 }, scope));
    expect(outside.message).toMatch(/^5000, 45 is outside the window, which is \d+ x \d+ pixels/);
    await scene.port.act({ kind: "clickCoords", x: 120, y: 45 }, scope);
    expect(await scene.read("at")).toEqual([120, 45]);
  });
});

const REFUSED: { what: string; html: string; reason: string; says: RegExp }[] = [
  {
    what: "covered",
    html: `<button>X</button><div role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:#fff"></div>`,
    reason: "element_covered",
    says: /Cookies/,
  },
  {
    what: "disabled",
    html: "<button disabled>X</button>",
    reason: "element_disabled",
    says: /disabled/,
  },
  {
    what: "disabled by its fieldset",
    html: "<fieldset disabled><button>X</button></fieldset>",
    reason: "element_disabled",
    says: /disabled/,
  },
  {
    what: "disabled by aria",
    html: "<button aria-disabled=true>X</button>",
    reason: "element_disabled",
    says: /disabled/,
  },
];

describe("a click on what holds other things to click", () => {
  const CARD = (
    style: string,
  ) => `<div id=card tabindex=0 role=button aria-label="Open Alice" onclick="seen.push('open')"
    style="width:400px;height:100px;display:flex;align-items:center;justify-content:center">
    <button style="${style}" onclick="event.stopPropagation(); seen.push('delete')">Delete</button></div>
    <script>window.seen = []</script>`;

  it("takes a place of its own", async () => {
    scene = await stage.open(CARD(""));
    await scene.click("button", "Open Alice");
    expect(await scene.read("seen")).toEqual(["open"]);
  });

  itLong("is refused when there is none, with what is there", async () => {
    scene = await stage.open(CARD("width:100%;height:100%"));
    const error = await refusal(scene.click("button", "Open Alice"));
    expect(error.reason).toBe("element_covered");
    expect(error.message).toMatch(/button "Delete" inside it takes every click/);
    expect(await scene.read("seen")).toEqual([]);
  });

  it("reaches what says all that it says", async () => {
    scene =
      await stage.open(`<ul role=menu><li role=menuitem tabindex=-1 onclick="seen.push('item')">
      <a href="#p" style="display:block">Profile</a></li></ul><script>window.seen = []</script>`);
    await scene.click("menuitem", "Profile");
    expect(await scene.read("[seen, location.hash]")).toEqual([["item"], "#p"]);
  });

  itLong("is refused for a box whose label is a link", async () => {
    scene =
      await stage.open(`<input type=checkbox id=c style="position:absolute;opacity:0;width:0;height:0">
      <label for=c><a href="#terms">Terms</a></label>`);
    const error = await refusal(scene.click("checkbox", "Terms"));
    expect(error.reason).toBe("element_covered");
    expect(error.message).toMatch(/link "Terms"/);
  });
});

describe("a place that is no box", () => {
  it("like a box that only its label shows is filled", async () => {
    scene =
      await stage.open(`<label><input id=c type=checkbox style="opacity:0;width:0;height:0;position:absolute">
      <span style="display:inline-block;width:40px;height:20px;background:#888"></span> Dark</label>`);
    const ref = await scene.ref("checkbox", "Dark");
    await scene.port.act({ kind: "fill", fields: [{ ref, value: true }] }, scope);
    expect(await scene.read("c.checked")).toBe(true);
  });
});

describe("an element that cannot be clicked", () => {
  it.each(REFUSED)("because it is $what is told at once", async ({ html, reason, says }) => {
    scene = await stage.open(html);
    const ref = await scene.ref("button", "X");
    const { value, ms } = await timed(() => refusal(scene.port.act({ kind: "click", ref }, scope)));
    expect(value.reason).toBe(reason);
    expect(value.message).toMatch(says);
    expect(ms).toBeLessThan(TOLD_MS);
  });

  it.each([
    ["hidden", "document.querySelector('button').style.visibility='hidden'"],
    ["without a box", "document.querySelector('button').style.display='none'"],
  ])("because it is %s by now is told at once", async (_what, script) => {
    scene = await stage.open("<button>X</button>");
    const ref = await scene.ref("button", "X");
    await scene.read(script);
    const { value, ms } = await timed(() => refusal(scene.port.act({ kind: "click", ref }, scope)));
    expect(["element_hidden", "stale_ref"]).toContain(value.reason);
    expect(ms).toBeLessThan(TOLD_MS);
  });

  it("because it is inert by now is told at once", async () => {
    scene = await stage.open("<main><button>X</button></main>");
    const ref = await scene.ref("button", "X");
    await scene.read("document.querySelector('main').inert = true");
    const error = await refusal(scene.port.act({ kind: "click", ref }, scope));
    expect(error.reason).toMatch(/element_disabled|element_hidden|stale_ref/);
  });
});

describe("a ref that is old", () => {
  it.each([
    ["gone", "document.querySelector('button').remove()", "detached"],
    ["renamed", "document.querySelector('button').textContent = 'Delete all'", "changed"],
    ["replaced", "document.body.innerHTML = document.body.innerHTML", "detached"],
  ])("because the element is %s says so, with what is near", async (_what, script, why) => {
    scene = await stage.open("<button>Save</button> <button>Saved</button>");
    const ref = await scene.ref("button", "Save");
    await scene.read(script);
    const { value, ms } = await timed(() => refusal(scene.port.act({ kind: "click", ref }, scope)));
    expect(value).toMatchObject({ code: "conflict", reason: "stale_ref", details: { why } });
    expect(JSON.stringify(value.details?.near)).toContain("Saved");
    expect(ms).toBeLessThan(TOLD_MS);
  });

  it("of another document, or of none, says so", async () => {
    scene = await stage.open("<button>Save</button>");
    const ref = await scene.ref("button", "Save");
    await scene.port.navigate({ url: stage.serve("<button>Save</button>"), ...scope });
    const error = await refusal(scene.port.act({ kind: "click", ref }, scope));
    expect(error).toMatchObject({ reason: "stale_ref", details: { why: "other_document" } });
    const unknown = await refusal(scene.port.act({ kind: "click", ref: "e9999" }, scope));
    expect(unknown).toMatchObject({ reason: "stale_ref", details: { why: "unknown" } });
  });
});

it.each([
  ["click", 1e9],
  ["press", 30_001],
  ["click", -1],
] as const)(
  "a %s that is held for %i ms is refused by the name of the number",
  async (kind, delayMs) => {
    scene = await stage.open(
      `<button onpointerdown="window.hit = 1" onkeydown="window.hit = 1">Go</button>`,
    );
    const ref = await scene.ref("button", "Go");
    const error = await refusal(
      scene.port.act(
        kind === "click" ? { kind, ref, delayMs } : { kind, ref, key: "a", delayMs },
        scope,
      ),
    );
    expect(error).toMatchObject({ reason: "arguments_invalid", details: { parameter: "delayMs" } });
    expect(error.message).toMatch(/delayMs is from 0 to 30000/);
    expect(await scene.read("window.hit")).toBeUndefined();
  },
);
