// What the answer to an act says of what it led to, and of what was in its way, in a real Chromium.
import { expect, test } from "vitest";
import { useFlow } from "../flows/flow-setting.js";
import { createShow, inner } from "../flows/show-page.js";

const flow = useFlow();
const show = createShow(flow);
const click = async (html: string, name = "Go") => {
  const { ref } = await show(html);
  return flow.act({ kind: "click", ref: ref("button", name) });
};

test("an element that a style keeps from the pointer is told so, and not as covered", async () => {
  const { isError, details, text } = await click(
    "<div><button style='pointer-events: none'>Go</button></div>",
  );
  expect(isError).toBe(true);
  expect(details).toMatchObject({ reason: "element_disabled" });
  expect(text).toContain("(pointer-events: none) lets no pointer reach it");
  expect(text).not.toContain("covered");
});

test.each([100, 400, 900])("of %s paragraphs that came the rest is counted once", async (count) => {
  const { text } = await click(`<button onclick="for (let n = 0; n < ${count}; n++)
    o.append(Object.assign(document.createElement('p'), { textContent: 'Paragraph ' + n }))">Go</button><div id=o></div>`);
  const lines = inner(text).match(/^\+ paragraph|^\+ text/gm) ?? [];
  const [, about, rest] = /\+ … (about )?(\d+) more elements/.exec(text) ?? [];
  expect(lines.length + Number(rest)).toBe(count);
  expect(about !== undefined).toBe(count > 500);
});

test.each([0, 60, 150, 300, 350])("what a click shows after %s ms is told with it", async (ms) => {
  const { text } = await click(
    `<button onclick="setTimeout(() => o.textContent = 'Done', ${ms})">Go</button><p id=o role=status></p>`,
  );
  expect(text).toContain("Done");
});

test("so is what a key leads to, and what a timer fetches", async () => {
  const { ref } = await show(
    `<input aria-label=Search oninput="clearTimeout(window.t); window.t = setTimeout(async () => {
      o.textContent = (await (await fetch('data:,found')).text()) + ' ' + this.value }, 250)"><p id=o role=status></p>`,
  );
  const { text } = await flow.act({ kind: "type", ref: ref("textbox", "Search"), text: "ann" });
  expect(text).toContain("found ann");
});

test("timers that the page sets by itself, or for long, hold nothing up", async () => {
  const { ref } = await show(`<button onclick="setTimeout(() => 0, 3000)">Go</button><script>
    (function again() { setTimeout(again, 100) })()</script>`);
  const go = ref("button", "Go");
  const took: number[] = [];
  for (let times = 0; times < 4; times++) {
    const beganMs = performance.now();
    const { text } = await flow.act({ kind: "click", ref: go });
    took.push(performance.now() - beganMs);
    expect(text).toContain("nothing on the page changed");
  }
  // Far below the timer of three seconds, on a slow machine too.
  expect(Math.min(...took)).toBeLessThan(2_000);
});

test.each(["351", "'20'", "{ valueOf() { throw 1 } }"])(
  "a timer of %s ms is not waited for, and set as ever",
  async (ms) => {
    const { text } = await click(
      `<button onclick="try { setTimeout(() => 0, ${ms}) } catch { o.textContent = 'Thrown' }">Go</button><p id=o role=status></p>`,
    );
    if (ms.includes("throw")) expect(text).toContain("Thrown");
    else expect(text).toContain("nothing on the page changed");
  },
);

test("the timer of the page is its own again after the input", async () => {
  await click(
    `<script>window.own = setTimeout</script><button onclick="setTimeout(() => 0, 10)">Go</button>`,
  );
  const { details } = await flow.act({ kind: "evaluate", fn: "setTimeout === own" });
  expect(details).toMatchObject({ result: true });
});

test("a request that is still under way is named", async () => {
  await flow.open("/product");
  await flow.act({
    kind: "evaluate",
    fn: "document.body.innerHTML = '<button onclick=\"fetch(`/slow?ms=5000`)\">Go</button>'",
  });
  const { text } = await flow.act({ kind: "click", ref: await flow.ref("button", "Go") });
  expect(text).toMatch(/! A request is still under way: GET http.*\/slow\?ms=5000/);
});
