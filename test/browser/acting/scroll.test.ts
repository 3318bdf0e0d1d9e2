// Scrolling by a direction: the page goes on, and no field gets a key.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStage, type Stage, scope } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const FORM = `<label>Qty <input type=range value=30></label><label>Pick <select>
  <option>One<option>Two<option>Three</select></label><label>Num <input type=number value=5></label>
  <div style="height:4000px"></div><p>End</p>`;

test.each(["input[type=range]", "select", "input[type=number]"])(
  "a page goes on, and %s with the focus keeps its value",
  async (selector) => {
    const { port, read } = await stage.open(FORM);
    await read(`document.querySelector("${selector}").focus()`);
    const before = await read(`document.querySelector("${selector}").value`);
    const { change } = await port.act({ kind: "scroll", to: "down" }, scope);
    expect(change.scrolled?.top).toBeGreaterThan(400);
    const end = await port.act({ kind: "scroll", to: "bottom" }, scope);
    expect(end.change.scrolled?.top).toBe(end.change.scrolled?.ofPx);
    await port.act({ kind: "scroll", to: "up", px: 100 }, scope);
    const bottom = end.change.scrolled?.top ?? 0;
    expect(await read("scrollY")).toBe(bottom - 100);
    expect(await read(`document.querySelector("${selector}").value`)).toBe(before);
    await port.act({ kind: "scroll", to: "top" }, scope);
    expect(await read("scrollY")).toBe(0);
  },
);

test("a list that grows at its end grows, and at the end of all that is told", async () => {
  const { port, read } = await stage.open(`<ul id=l></ul><p id=end style="height:50px">…</p><script>
    let count = 0; const add = () => { for (let n = 0; n < 40 && count < 120; n++) {
      const one = document.createElement("li"); one.textContent = "Row " + ++count; one.style.height = "30px"; l.append(one); } };
    new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) add(); }).observe(end);</script>`);
  const { change } = await port.act({ kind: "scroll", to: "bottom" }, scope);
  expect(change.added.map(({ name }) => name).join()).toContain("Row 41");
  for (let times = 0; times < 4; times += 1) {
    await port.act({ kind: "scroll", to: "bottom" }, scope);
  }
  expect(await read("l.children.length")).toBe(120);
  const over = await port.act({ kind: "scroll", to: "down" }, scope);
  expect(over.change.events).toEqual(["Nothing here scrolls further down."]);
});

test("the part that scrolls is found: a box, a dialog over a page, a frame", async () => {
  const tall = `<div style="height:3000px">Tall</div>`;
  const box =
    await stage.open(`<style>html, body { height: 100%; margin: 0; overflow: hidden }</style>
    <div id=box style="height:100%; overflow:auto">${tall}</div>`);
  const boxed = await box.port.act({ kind: "scroll", to: "down", px: 200 }, scope);
  expect(await box.read("box.scrollTop")).toBe(200);
  expect(boxed.change.scrolled).toMatchObject({ top: 200 });
  const over =
    await stage.open(`${tall}<dialog id=d><div id=in style="height:300px; overflow:auto">${tall}
    </div></dialog><script>d.showModal()</script>`);
  await over.port.act({ kind: "scroll", to: "down" }, scope);
  expect(
    await over.read("in.scrollTop > 200 && scrollY === 0".replaceAll("in.", "window.in.")),
  ).toBe(true);
  const framed = await stage.open(
    `<style>body { margin: 0; overflow: hidden }</style><iframe srcdoc='${tall}' style="width:100%; height:700px; border:0"></iframe>`,
  );
  await framed.port.act({ kind: "scroll", to: "down", px: 300 }, scope);
  expect(await framed.read("frames[0].scrollY")).toBe(300);
});

test("a page that is wider than the window goes to the right", async () => {
  const { port, read } = await stage.open(`<div style="width:4000px; height:20px">Wide</div>`);
  const { change } = await port.act({ kind: "scroll", to: "right", px: 250 }, scope);
  expect(await read("scrollX")).toBe(250);
  expect(change.events.join()).toMatch(/^Scrolled to 250 of \d{4} px from the left\.$/);
});
