// Fields whose value is set in one step: the page may rewrite its rows, or the field, when it gets the
// focus, and then nothing is set.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const KINDS = [
  [
    "select",
    `<select aria-label=Value><option>user<option>admin</select>`,
    { kind: "select", values: ["admin"] },
  ],
  [
    "several",
    `<select multiple aria-label=Value><option>user<option>admin</select>`,
    { kind: "select", values: ["admin"] },
  ],
  ["date", `<input type=date aria-label=Value>`, { kind: "type", text: "2026-03-09" }],
  ["range", `<input type=range aria-label=Value>`, { kind: "type", text: "7" }],
  ["color", `<input type=color aria-label=Value>`, { kind: "type", text: "#12ab34" }],
] as const;

/** Rows without keys: the names move on by one, the fields stay. */
const page = (field: string, moment: string) => `
  <ul>${["Ann", "Bob", "Cy"].map((name) => `<li><b>${name}</b> ${field}</li>`).join("")}</ul>
  <script>window.log = [];
  const rotate = () => { const all = [...document.querySelectorAll("b")];
    const names = all.map((b) => b.textContent);
    all.forEach((b, at) => { b.textContent = names[(at + 1) % 3]; }); };
  addEventListener("change", (e) => log.push(
    e.target.closest("li").querySelector("b").textContent), true);
  document.querySelector("ul").addEventListener("focusin", () => { ${moment} }, { once: true });
  </script>`;

describe.each(KINDS)("a field that is set: %s", (_kind, field, act) => {
  const refOfBob = async () => {
    const fields = (await scene.listed()).filter(({ name }) => name.includes("Value"));
    return fields[1]?.ref ?? "";
  };

  it("is set in the row that was named", async () => {
    scene = await stage.open(page(field, ""));
    await scene.port.act({ ...act, ref: await refOfBob() }, scope);
    expect(await scene.read("log")).toEqual(["Bob"]);
  });

  it.each([
    ["the rows move on", "rotate()"],
    ["it is disabled", "event.target.disabled = true"],
    ["the list is drawn anew", "event.currentTarget.innerHTML = event.currentTarget.innerHTML"],
  ])("is left alone when with the focus %s", async (_what, moment) => {
    scene = await stage.open(page(field, moment));
    const error = await refusal(scene.port.act({ ...act, ref: await refOfBob() }, scope));
    expect(["stale_ref", "element_disabled", "changed_under_click"]).toContain(error.reason);
    expect(await scene.read("log")).toEqual([]);
  });
});

it("chooses by the words that the options have with the focus", async () => {
  scene = await stage.open(`<select aria-label=Plan id=p
    onfocus="this.options[0].text = 'Gold'; this.options[1].text = 'Basic'"><option>None<option>Gold</select>`);
  const ref = await scene.ref("combobox", "Plan");
  await scene.port.act({ kind: "select", ref, values: ["Gold"] }, scope);
  expect(await scene.read("p.selectedOptions[0].text")).toBe("Gold");
});
