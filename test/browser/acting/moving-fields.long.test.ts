// Fields that do not stay while they are typed into: drawn anew at each key, or one box for each letter of
// a code, to which the page moves the focus.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const DRAWN_ANEW = `<form onsubmit="event.preventDefault(); sent = form.firstChild.firstElementChild.value"></form><script>
  const [form] = document.forms;
  const draw = (value) => {
    form.innerHTML = "<label>Name <input></label>";
    const input = form.querySelector("input");
    input.value = value;
    input.oninput = () => { draw(input.value); form.querySelector("input").focus(); };
  };
  draw("old");
</script>`;

const box = (more: string) => `<input ${more} aria-label=Digit size=1>`;
const CODE = (
  more: string,
) => `<div id=code>${box(more).repeat(6)}</div><input aria-label=Other><script>
  const boxes = [...code.children];
  boxes.forEach((each, at) => { each.oninput = () => { if (each.value) (boxes[at + 1] ?? each).focus(); }; });
</script>`;
const VALUES = "[...document.querySelectorAll('input')].map(({ value }) => value)";

const typeInto = async (html: string, request: { text: string; slowly?: true; submit?: true }) => {
  scene = await stage.open(html);
  const [field] = (await scene.listed()).filter(({ role }) => role === "textbox");
  return scene.port.act({ kind: "type", ref: field?.ref ?? "", ...request }, scope);
};

describe("a field that is drawn anew at each key", () => {
  it.each([{}, { slowly: true as const }])("gets the whole text (%o)", async (how) => {
    await typeInto(DRAWN_ANEW, { text: "Alice Miller", ...how });
    expect(await scene.read(VALUES)).toEqual(["Alice Miller"]);
  });

  it("gets Enter after it, key by key", async () => {
    await typeInto(DRAWN_ANEW, { text: "Ann", slowly: true, submit: true });
    expect(await scene.read("sent")).toBe("Ann");
  });

  it("gets no more keys when another one has the focus instead", async () => {
    const html = `<div id=d><input aria-label=Name></div><input aria-label=Name value=Bob><script>
      d.firstChild.oninput = () => { d.innerHTML = ""; document.querySelector("input").focus(); };</script>`;
    const error = await refusal(typeInto(html, { text: "xyz", slowly: true }));
    expect(error.message).toMatch(/1 of 3 keys went in, then the focus was elsewhere/);
    expect(await scene.read(VALUES)).toEqual(["Bob"]);
  });
});

describe("the boxes of a code", () => {
  it.each([
    ["maxlength=1", {}],
    ["maxlength=1", { slowly: true as const }],
    ["maxlength=1 type=password", {}],
  ])("with %s get a letter each (%o)", async (more, how) => {
    const { change } = await typeInto(CODE(more), { text: "123456", ...how });
    expect(await scene.read(VALUES)).toEqual([..."123456", ""]);
    expect(change.events.join()).toMatch(
      /moved the focus on while it was typed: e\d+(?:, e\d+){5} took the text/,
    );
  });

  it("that are fewer than the letters get theirs, and the rest goes nowhere", async () => {
    const { change } = await typeInto(CODE("maxlength=1"), { text: "12345678" });
    expect(await scene.read(VALUES)).toEqual([..."123456", ""]);
    expect(change.events.join()).toMatch(/e\d+ was full before the end of the text/);
  });

  it("are not left for a field of another kind", async () => {
    const html = `<input maxlength=1 aria-label=Digit oninput="o.focus()"><input id=o aria-label=Other>`;
    const { change } = await typeInto(html, { text: "12" });
    expect(await scene.read(VALUES)).toEqual(["1", ""]);
    expect(change.events.join()).toMatch(/e\d+ holds "1", not what was typed/);
  });
});

describe("a box of one letter in each row", () => {
  const NEXT = `<script>const fields = [...document.querySelectorAll("input")];
    addEventListener("input", ({ target }) => fields[fields.indexOf(target) + 1]?.focus());</script>`;
  const each = (make: (name: string, at: number) => string) =>
    `${["Ann", "Bob", "Cyd"].map(make).join("")}${NEXT}`;
  const box = (more = "aria-label=Qty") => `<input maxlength=1 ${more}>`;

  it.each([
    ["a list", each((name) => `<li>${name} ${box()}</li>`)],
    ["a table", `<table>${each((name) => `<tr><td>${name}</td><td>${box()}</td></tr>`)}</table>`],
    ["flat", `<div>${each((name) => `<b>${name}</b>${box()}`)}</div>`],
    ["labels", each((name) => `<label>${name} ${box("")}</label>`)],
    ["groups", each((name) => `<div role=group aria-label=${name}>${box()}</div>`)],
    ["numbers", each((_name, at) => `<li>Room ${at + 11} ${box()}</li>`)],
    ["a word more", each((_name, at) => `<li>Milk ${["", "rice", "tea"][at]} ${box()}</li>`)],
  ])("gets nothing of what was typed into another row (%s)", async (_what, html) => {
    for (const slowly of [true, false]) {
      scene = await stage.open(html);
      const [first] = (await scene.listed()).filter(({ role }) => role === "textbox");
      const ref = first?.ref ?? "";
      const typing = scene.port.act({ kind: "type", ref, text: "42", slowly }, scope);
      await typing.catch(() => undefined);
      expect(await scene.read(VALUES)).toEqual(["4", "", ""]);
    }
  });

  it.each([
    ["labels", each((_name, at) => `<li><label>Digit ${at + 1} ${box("")}</label></li>`)],
    [
      "labels beside",
      each((_name, at) => `<label for=i${at}>Digit ${at + 1}</label>${box(`id=i${at}`)}`),
    ],
    ["words", each((_name, at) => box(`aria-label="${["First", "Second", "Third"][at]} digit"`))],
    [
      "a longer first",
      each(
        (_name, at) =>
          `<div>${box(`aria-label="${at ? "" : "Please enter the code. "}Digit ${at + 1}"`)}</div>`,
      ),
    ],
    ["marks between", each(() => `<span>${box("")}</span> - `)],
  ])("is one of a code (%s)", async (_what, html) => {
    scene = await stage.open(html);
    const [first] = (await scene.listed()).filter(({ role }) => role === "textbox");
    await scene.port.act({ kind: "type", ref: first?.ref ?? "", text: "123" }, scope);
    expect(await scene.read(VALUES)).toEqual(["1", "2", "3"]);
  });
});
