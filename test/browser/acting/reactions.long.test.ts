// What becomes of refs by our own acts: a row in which somebody acts stays that row while its words do,
// and no other content takes its place.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageAction } from "../../../src/core/browser.js";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const refsOf = async (name: string) =>
  (await scene.listed()).filter((each) => each.name === name).map(({ ref = "" }) => ref);
const act = (action: PageAction) => scene.port.act(action, scope);

const ROW = (inner: string) => `<ul>${["Tea", "Coffee", "Rum"]
  .map((name) => `<li><b>${name}</b> ${inner} <button>Buy</button></li>`)
  .join("")}</ul><script>window.bought = [];
  const rowOf = (element) => element.closest("li");
  addEventListener("click", ({ target }) => { if (target.textContent === "Buy")
    bought.push(rowOf(target).querySelector("b").textContent); });</script>`;

describe("a row that changes by our own act in it keeps its refs", () => {
  it.each([
    [
      "a count",
      `<i>1</i> pieces <button onclick="const i = rowOf(this).querySelector('i'); i.textContent = +i.textContent + 1">Do</button>`,
    ],
    [
      "a state",
      `<i>open</i> <button onclick="rowOf(this).querySelector('i').textContent = 'done'">Do</button>`,
    ],
    [
      "more of it",
      `<button onclick="rowOf(this).insertAdjacentHTML('beforeend', '<p>Details</p>')">Do</button>`,
    ],
    [
      "a state, a moment later",
      `<i>open</i> <button onclick="setTimeout(() => { rowOf(this).querySelector('i').textContent = 'done' }, 20)">Do</button>`,
    ],
    [
      "the word of a box",
      `<input type=checkbox aria-label=Do onchange="this.nextElementSibling.textContent = 'wrapped'"><i>plain</i>`,
    ],
  ])("by %s", async (_what, inner) => {
    scene = await stage.open(ROW(inner));
    const [, ref = ""] = await refsOf("Do");
    const [, buy = ""] = await refsOf("Buy");
    await act({ kind: "click", ref });
    await act({ kind: "click", ref });
    await act({ kind: "click", ref: buy });
    expect(await scene.read("bought")).toEqual(["Coffee"]);
  });

  it("by a drag of it", async () => {
    scene = await stage.open(
      `${ROW(`<i>here</i> <span role=button tabindex=0 draggable=true>Do</span>`)}
      <p role=button tabindex=0 id=zone>Zone</p><script>zone.ondragover = (event) => event.preventDefault();
      zone.ondrop = () => { document.querySelector("li i").textContent = "there"; };</script>`,
    );
    const [startRef = ""] = await refsOf("Do");
    const [endRef = ""] = await refsOf("Zone");
    const [buy = ""] = await refsOf("Buy");
    await act({ kind: "drag", startRef, endRef });
    expect(await scene.read(`document.querySelector("li i").textContent`)).toBe("there");
    await act({ kind: "click", ref: buy });
    expect(await scene.read("bought")).toEqual(["Tea"]);
  });
});

describe("other content in the place of a row has no refs of it", () => {
  const SHIFT = `const all = [...document.querySelectorAll("b")];
    all.forEach((each, at) => { each.textContent = all[at + 1]?.textContent ?? "Zest"; });`;

  it.each([
    ["that our click in it put there", `onclick='${SHIFT}'`],
    ["that came a moment later", `onclick='setTimeout(() => { ${SHIFT} }, 20)'`],
  ])("%s", async (_what, handler) => {
    scene = await stage.open(ROW(`<button ${handler}>Do</button>`));
    const [, ref = ""] = await refsOf("Do");
    const all = await refsOf("Buy");
    await act({ kind: "click", ref });
    for (const buy of all) {
      expect((await refusal(act({ kind: "click", ref: buy }))).reason).toBe("stale_ref");
    }
    expect(await scene.read("bought")).toEqual([]);
  });

  it("where numbers alone set rows apart", async () => {
    const row = (at: number) => `<li>Order <b>${at}</b> <button>Pay</button></li>`;
    scene = await stage.open(`<ul>${[101, 102, 103].map(row).join("")}</ul><script>window.paid = [];
      addEventListener("click", ({ target }) => { if (target.localName !== "button") return;
        paid.push(target.parentNode.querySelector("b").textContent);
        document.querySelectorAll("b").forEach((each) => { each.textContent = +each.textContent + 10; }); });</script>`);
    const [first = "", second = ""] = await refsOf("Pay");
    await act({ kind: "click", ref: first });
    for (const ref of [first, second]) {
      expect((await refusal(act({ kind: "click", ref }))).reason).toBe("stale_ref");
    }
    expect(await scene.read("paid")).toEqual(["101"]);
  });

  it("where our clicks elsewhere write numbers, however often", async () => {
    const row = (name: string) => `<li><i>8</i>:15 to ${name} <button>Pay</button></li>`;
    scene =
      await stage.open(`<ul>${["Rome", "Oslo"].map(row).join("")}</ul><button>Later</button><script>
      window.paid = 0; addEventListener("click", ({ target }) => { if (target.textContent === "Pay") paid += 1;
        else document.querySelectorAll("i").forEach((each) => { each.textContent = +each.textContent + 1; }); });</script>`);
    const [pay = ""] = await refsOf("Pay");
    const [ref = ""] = await refsOf("Later");
    for (let times = 0; times < 4; times += 1) await act({ kind: "click", ref });
    expect((await refusal(act({ kind: "click", ref: pay }))).reason).toBe("stale_ref");
    expect(await scene.read("paid")).toBe(0);
  });

  const DRAWN = `const names = ["Alice", "Bob", "Carol", "Zack", "Zed", "Zoe"];
    window.paid = [];
    const draw = (from) => document.querySelectorAll(".name").forEach((each, at) => {
      each.textContent = names[from + at]; });
    addEventListener("click", ({ target }) => { if (target.textContent === "Pay")
      paid.push(target.closest("li, tr, section").querySelector(".name").textContent); });`;
  const LIST = `<ul>${["Alice", "Bob", "Carol"].map((name) => `<li><b class=name>${name}</b> <button>Pay</button></li>`).join("")}</ul>`;
  const ONE = `<section><h3 class=name>Alice</h3><button>Pay</button></section>`;
  const field = (more: string) => `<input aria-label=Search ${more} oninput="draw(3)">`;

  it.each<[string, string, (ref: string) => PageAction]>([
    ["typing", `${field("")}${LIST}`, (ref) => ({ kind: "type", ref, text: "z" })],
    ["keys", `${field("")}${LIST}`, (ref) => ({ kind: "type", ref, text: "z", slowly: true })],
    ["filling", `${field("")}${ONE}`, (ref) => ({ kind: "fill", fields: [{ ref, value: "z" }] })],
    [
      "a date",
      `${field("type=date")}${LIST}`,
      (ref) => ({ kind: "fill", fields: [{ ref, value: "2026-12-01" }] }),
    ],
    [
      "an option",
      `<select aria-label=Search onchange="draw(3)"><option>1<option>2</select>${LIST}`,
      (ref) => ({ kind: "select", ref, values: ["2"] }),
    ],
    [
      "Enter",
      `<button aria-label=Search onclick="draw(3)">Next</button>${LIST}`,
      (ref) => ({ kind: "press", ref, key: "Enter" }),
    ],
  ])("drawn by %s elsewhere", async (_how, html, action) => {
    scene = await stage.open(`<script>${DRAWN}</script><div>${html}</div>`);
    const [ref = ""] = await refsOf("Search");
    const [pay = ""] = await refsOf("Pay");
    await act(action(ref));
    expect(await scene.read(`document.querySelector(".name").textContent`)).toBe("Zack");
    const error = await refusal(act({ kind: "click", ref: pay }));
    expect(error).toMatchObject({ reason: "stale_ref", details: { why: "changed" } });
    expect(await scene.read("paid")).toEqual([]);
  });
});

describe("a heading that our own act changes", () => {
  const MONTHS = `<main><h1>Book</h1><div role=dialog aria-label=Date><h2>May</h2><button>Next</button>
    <button>15</button></div><button>Book</button></main><script>window.hits = [];
    const [heading] = document.querySelectorAll("h2"), names = ["June", "July", "August"];
    addEventListener("click", ({ target }) => { hits.push(target.textContent);
      if (target.textContent === "Next") heading.textContent = names.shift(); });</script>`;

  it("leaves the ref of what was acted on, and of what stands elsewhere", async () => {
    scene = await stage.open(MONTHS);
    const [next = ""] = await refsOf("Next");
    const [day = ""] = await refsOf("15");
    const book = await scene.ref("button", "Book");
    await act({ kind: "click", ref: next });
    await act({ kind: "click", ref: next });
    expect((await refusal(act({ kind: "click", ref: day }))).reason).toBe("stale_ref");
    await act({ kind: "click", ref: book });
    expect(await scene.read("hits")).toEqual(["Next", "Next", "Book"]);
  });

  it.each([
    ["takes the place of", "heading.outerHTML = '<h2>Bob</h2>'"],
    ["comes below", "heading.insertAdjacentHTML('afterend', '<h2>Bob</h2>')"],
    ["is shown instead of", "heading.hidden = true; heading.nextElementSibling.hidden = false"],
  ])("is of another part when another element %s it", async (_what, script) => {
    scene =
      await stage.open(`<main><h2>Ann</h2><h2 hidden>Bob</h2><button>Delete</button></main><script>window.hits = [];
      addEventListener("click", () => { const heading = document.querySelector("h2");
        hits.push(heading.textContent); ${script}; });</script>`);
    const [ref = ""] = await refsOf("Delete");
    await act({ kind: "click", ref });
    expect((await refusal(act({ kind: "click", ref }))).reason).toBe("stale_ref");
    expect(await scene.read("hits")).toEqual(["Ann"]);
  });
});

it("a heading that another took the place of is missed also when the browser has forgotten it", async () => {
  scene = await stage.open(`<main><h2>Ann</h2><button>Delete</button></main><script>window.hits = 0;
    addEventListener("click", () => { hits++;
      document.querySelector("h2").outerHTML = "<h2>Bob</h2>"; });</script>`);
  const [ref = ""] = await refsOf("Delete");
  await act({ kind: "click", ref });
  const session = await scene.page.context().newCDPSession(scene.page);
  await session.send("HeapProfiler.collectGarbage");
  expect((await refusal(act({ kind: "click", ref }))).reason).toBe("stale_ref");
  expect(await scene.read("hits")).toBe(1);
});

describe("a button that is alone, in one of several cells", () => {
  const cells = (more: string) => `${more}<script>window.hits = [];
    addEventListener("click", ({ target }) => { if (target.textContent === "Delete") hits.push("Delete"); });
    </script>`;
  const write = (text: string) => `document.querySelector("i").textContent = "${text}"`;

  it.each([
    [
      "counts in its line",
      `<table><tr><td>Alice</td><td><i>12</i> likes</td><td><button onclick='${write("13")}'>Like</button></td>
      <td><button>Delete</button></td></tr></table>`,
    ],
    [
      "has another word below its title",
      `<article><h3>Alice</h3><i>nice</i><div><div>Mine <button onclick='${write("loved")}'>Like</button></div>
      <div>Danger <button>Delete</button></div></div></article>`,
    ],
  ])("is the same when our own act %s", async (_what, html) => {
    scene = await stage.open(cells(html));
    const [like = ""] = await refsOf("Like");
    const [ref = ""] = await refsOf("Delete");
    await act({ kind: "click", ref: like });
    await act({ kind: "click", ref });
    expect(await scene.read("hits")).toEqual(["Delete"]);
  });

  it("is another when our own act puts another card there", async () => {
    scene = await stage.open(
      cells(`<article><h3>Talk</h3><div><div class=c>Hello <button>Reply</button></div>
      <div class=c><i>Mine</i> <button>Delete</button></div></div>
      <button onclick='${write("Other")}'>Next</button></article>`),
    );
    const [next = ""] = await refsOf("Next");
    const [ref = ""] = await refsOf("Delete");
    await act({ kind: "click", ref: next });
    expect((await refusal(act({ kind: "click", ref }))).reason).toBe("stale_ref");
    expect(await scene.read("hits")).toEqual([]);
  });
});

it("what our own act in a frame changes in the row of that frame leaves the refs in it", async () => {
  const frame = `<iframe srcdoc="<button onclick='parent.count(frameElement)'>Pay</button>"></iframe>`;
  scene =
    await stage.open(`<ul><li>Ann <i>0</i> ${frame}</li><li>Bob <i>0</i> ${frame}</li></ul><script>
    window.count = (of) => { of.parentNode.querySelector("i").textContent++; };</script>`);
  const [first = "", second = ""] = await refsOf("Pay");
  await act({ kind: "click", ref: first });
  await act({ kind: "click", ref: first });
  await act({ kind: "click", ref: second });
  expect(
    await scene.read(`[...document.querySelectorAll("i")].map((each) => each.textContent)`),
  ).toEqual(["2", "1"]);
});
