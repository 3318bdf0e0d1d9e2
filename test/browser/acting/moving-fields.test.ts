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
