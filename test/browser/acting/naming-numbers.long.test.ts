// A row that has none beside it, and a number in it that our own act changes: one that says which row it
// is makes another row of it, one that says how many does not.

import { afterAll, beforeAll, expect, it } from "vitest";
import type { PageAction } from "../../../src/core/browser.js";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const act = (action: PageAction) => scene.port.act(action, scope);
const HITS = `<script>window.hits = []; const hit = () => hits.push(document.querySelector("b").textContent);
  const put = (text) => { document.querySelector("b").textContent = text; };</script>`;
const row = (before: string, after: string) =>
  `<b>${before}</b> <button onclick="put('${after}')">Do</button><button onclick="hit()">Pay</button>`;

it.each([
  ["an article", `<article>${row("Invoice 1001", "Invoice 1002")}</article>`],
  ["a list item", `<ul><li>${row("Order #7", "Order #8")} open</li></ul>`],
  ["a list item with a code", `<ul><li>${row("INV-1001", "INV-1002")} Tea</li></ul>`],
  [
    "a line of a table",
    `<table><tr><td>Tea<td>${row("Ticket no. 12", "Ticket no. 13")}</tr></table>`,
  ],
])("another number of %s is another item", async (_what, html) => {
  scene = await stage.open(HITS + html);
  const ref = await scene.ref("button", "Pay");
  await act({ kind: "click", ref: await scene.ref("button", "Do") });
  expect((await refusal(act({ kind: "click", ref }))).reason).toBe("stale_ref");
  expect(await scene.read("hits")).toEqual([]);
});

it("a number that is typed there is another item", async () => {
  scene = await stage.open(`${HITS}<article><b>Invoice 1001</b>
    <input aria-label=Go oninput="put('Invoice ' + this.value)"><button onclick="hit()">Pay</button></article>`);
  const ref = await scene.ref("button", "Pay");
  await act({ kind: "type", ref: await scene.ref("textbox", "Go"), text: "2002" });
  expect((await refusal(act({ kind: "click", ref }))).reason).toBe("stale_ref");
});

it.each([
  ["pieces", "Tea 1", "Tea 2"],
  ["items", "Cart 3 items", "Cart 4 items"],
  ["likes", "1024 likes", "1025 likes"],
  ["letters left", "Reply, 140 characters left", "Reply, 139 characters left"],
  ["a sum", "Total 250.00", "Total 375.00"],
  ["steps", "Step 1 of 3", "Step 2 of 3"],
  ["a count beside a number", "Invoice 1001, part 1 of 2", "Invoice 1001, part 2 of 2"],
])("a count of %s leaves the row as it is", async (_what, before, after) => {
  scene = await stage.open(`${HITS}<article>Desk ${row(before, after)}</article>`);
  const ref = await scene.ref("button", "Pay");
  await act({ kind: "click", ref: await scene.ref("button", "Do") });
  await act({ kind: "click", ref });
  expect(await scene.read("hits")).toEqual([after]);
});
