// Fields of every kind through the port: the value arrives, the page hears of it, and what a field
// cannot take is refused in words.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itLong } from "../../fakes/campaign.js";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const heard = `<script>window.heard = []; for (const type of ["input", "change"])
  addEventListener(type, (e) => heard.push(type), true);</script>`;

const TYPES: { type: string; value: string; role?: string; becomes?: string }[] = [
  { type: "text", value: "Ünïcode 日本 👍" },
  { type: "search", value: "shoes", role: "searchbox" },
  { type: "email", value: "a@b.example" },
  { type: "url", value: "https://a.example/" },
  { type: "tel", value: "+49 30 1" },
  { type: "password", value: "hunter2" },
  { type: "number", value: "-12.5", role: "spinbutton" },
  { type: "date", value: "2026-03-09" },
  { type: "time", value: "14:05" },
  { type: "month", value: "2026-03" },
  { type: "week", value: "2026-W11" },
  { type: "datetime-local", value: "2026-03-09T14:05" },
  { type: "color", value: "#12AB34", becomes: "#12ab34" },
  { type: "range", value: "35", role: "slider" },
];

async function refByName(name: string): Promise<string> {
  const elements = await scene.listed();
  const found = elements.find((element) => element.ref && element.name === name);
  if (found?.ref === undefined) {
    throw new Error(`no element "${name}" among ${elements.map((element) => element.name)}`);
  }
  return found.ref;
}

describe("filling", () => {
  it("puts a value into inputs of every type in one act, and the page hears of each", async () => {
    const inputs = TYPES.map(
      ({ type }) => `<label>F ${type} <input type=${type} value=""></label>`,
    );
    scene = await stage.open(inputs.join("") + heard);
    const elements = await scene.listed();
    const fields = TYPES.map(({ type, value }) => {
      const ref = elements.find(({ name, ref }) => name === `F ${type}` && ref)?.ref ?? "";
      return { ref, value };
    });
    await scene.port.act({ kind: "fill", fields }, scope);
    const values = await scene.read("[...document.querySelectorAll('input')].map(i => i.value)");
    expect(values).toEqual(TYPES.map(({ value, becomes }) => becomes ?? value));
    const events = (await scene.read("heard")) as string[];
    expect(events.filter((type) => type === "input").length).toBeGreaterThanOrEqual(TYPES.length);
  });

  it("checks, unchecks, chooses and writes where it is no plain text", async () => {
    scene = await stage.open(`<label><input type=checkbox id=c> Box</label>
      <label><input type=checkbox id=d checked> Full</label>
      <label><input type=radio name=r id=r1 checked> Red</label>
      <label><input type=radio name=r id=r2> Blue</label>
      <label>Size <select id=s><option value=s>Small<option value=l>Large</select></label>
      <label>Note <textarea id=t>old</textarea></label>
      <div id=e contenteditable role=textbox aria-label=Rich><b>old</b> text</div>
      <div id=w role=switch aria-checked=false aria-label=Wifi tabindex=0
        onclick="this.setAttribute('aria-checked', 'true')">Wifi</div>`);
    const fields = [
      { ref: await refByName("Box"), value: true },
      { ref: await refByName("Full"), value: "false" },
      { ref: await refByName("Blue"), value: "true" },
      { ref: await refByName("Size"), value: "Large" },
      { ref: await refByName("Note"), value: "one\ntwo" },
      { ref: await refByName("Rich"), value: "new" },
      { ref: await refByName("Wifi"), value: 1 },
    ];
    await scene.port.act({ kind: "fill", fields }, scope);
    const values =
      "[c.checked, d.checked, r2.checked, s.value, t.value, e.innerText, w.getAttribute('aria-checked')]";
    expect(await scene.read(values)).toEqual([true, false, true, "l", "one\ntwo", "new", "true"]);
    // A second time nothing is left to do.
    await scene.port.act({ kind: "fill", fields: fields.slice(0, 3) }, scope);
    expect(await scene.read("[c.checked, d.checked, r2.checked]")).toEqual([true, false, true]);
  });

  it("clears a field", async () => {
    scene = await stage.open("<input aria-label=Name value=old id=i>");
    const fields = [{ ref: await refByName("Name"), value: "" }];
    await scene.port.act({ kind: "fill", fields }, scope);
    expect(await scene.read("i.value")).toBe("");
  });

  it.each([
    ["date", "tomorrow", /like 2026-03-09/],
    ["number", "many", /takes a number/],
    ["range", "500", /from 0 to 100/],
    ["file", "/etc/passwd", /upload/],
    ["checkbox", "perhaps", /true or false/],
  ])("refuses what an input of type %s cannot hold", async (type, value, says) => {
    scene = await stage.open(`<input aria-label=It type=${type} id=i>`);
    const fields = [{ ref: await refByName("It"), value }];
    const error = await refusal(scene.port.act({ kind: "fill", fields }, scope));
    expect(error).toMatchObject({ code: "failed", reason: "element_wrong_kind" });
    expect(error.message).toMatch(says);
  });

  it.each([
    ["readonly", /read-only/],
    ["disabled", /is disabled; do first/],
  ])("refuses a field that is %s", async (word, says) => {
    scene = await stage.open(`<input aria-label=It ${word} value=old id=i>`);
    const ref = await refByName("It");
    const error = await refusal(scene.port.act({ kind: "type", ref, text: "new" }, scope));
    expect(error).toMatchObject({
      reason: "element_disabled",
      message: expect.stringMatching(says),
    });
    const fields = [{ ref, value: "new" }];
    const again = await refusal(scene.port.act({ kind: "fill", fields }, scope));
    expect(again).toMatchObject({
      reason: "element_disabled",
      message: expect.stringMatching(says),
    });
    expect(await scene.read("i.value")).toBe("old");
  });

  it("says which fields it filled before the one that was refused", async () => {
    scene = await stage.open("<input aria-label=Name id=n><input aria-label=Age type=number>");
    const [name, age] = [await refByName("Name"), await refByName("Age")];
    const fields = [
      { ref: name, value: "Ada" },
      { ref: age, value: "many" },
    ];
    const error = await refusal(scene.port.act({ kind: "fill", fields }, scope));
    expect(error.details).toMatchObject({ ref: age, filled: [name] });
    expect(await scene.read("n.value")).toBe("Ada");
  });

  it("tells when the page made something else of the text, but never of a password", async () => {
    scene =
      await stage.open(`<input aria-label=Up id=i oninput="this.value=this.value.toUpperCase()">
      <input aria-label=Word type=password oninput="this.value='x'">`);
    const up = await scene.port.act(
      { kind: "fill", fields: [{ ref: await refByName("Up"), value: "abc" }] },
      scope,
    );
    expect(up.change.events.join()).toContain('"ABC"');
    const fields = [{ ref: await refByName("Word"), value: "hunter2" }];
    const word = await scene.port.act({ kind: "fill", fields }, scope);
    expect(word.change.events.join()).toMatch(/another text/);
    expect(word.change.events.join()).not.toMatch(/hunter2|"x"/);
  });
});

describe("typing", () => {
  it("replaces the text, key by key when asked, and submits", async () => {
    scene = await stage.open(`<form onsubmit="event.preventDefault(); window.sent = q.value">
      <input aria-label=Search id=q value=old></form>
      <script>window.keys = 0; q.onkeydown = () => { keys += 1; }</script>`);
    const ref = await refByName("Search");
    await scene.port.act({ kind: "type", ref, text: "quick" }, scope);
    expect(await scene.read("[q.value, keys]")).toEqual(["quick", 0]);
    await scene.port.act({ kind: "type", ref, text: "slow", slowly: true, submit: true }, scope);
    expect(await scene.read("[q.value, window.sent, keys]")).toEqual(["slow", "slow", 5]);
  });

  itLong("key by key of nothing clears the field", async () => {
    scene = await stage.open("<input aria-label=Name id=i value=old>");
    const ref = await refByName("Name");
    await scene.port.act({ kind: "type", ref, text: "", slowly: true }, scope);
    expect(await scene.read("i.value")).toBe("");
  });

  itLong("submits also when the page writes something beside the field meanwhile", async () => {
    scene =
      await stage.open(`<ul><li><form onsubmit="event.preventDefault(); window.sent = q.value">
      <input aria-label=Mail id=q oninput="m.textContent='looks good'"><span id=m></span></form></li>
      <li>Other</li></ul>`);
    const ref = await refByName("Mail");
    await scene.port.act({ kind: "type", ref, text: "a@b.c", submit: true }, scope);
    expect(await scene.read("window.sent")).toBe("a@b.c");
  });

  it("into a button is refused", async () => {
    scene = await stage.open("<button>Go</button>");
    const ref = await refByName("Go");
    const error = await refusal(scene.port.act({ kind: "type", ref, text: "x" }, scope));
    expect(error.reason).toBe("element_wrong_kind");
  });

  it("reaches what React-like code watches by a setter of its own", async () => {
    scene = await stage.open(`<input aria-label=It type=date id=i><script>
      let tracked = ""; const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      Object.defineProperty(i, "value", { get() { return own.get.call(this); },
        set(v) { tracked = v; own.set.call(this, v); } });
      i.addEventListener("input", () => { if (own.get.call(i) !== tracked) window.noticed = own.get.call(i); });
    </script>`);
    const fields = [{ ref: await refByName("It"), value: "2026-01-02" }];
    await scene.port.act({ kind: "fill", fields }, scope);
    expect(await scene.read("window.noticed")).toBe("2026-01-02");
  });
});

describe("selecting", () => {
  it("goes by value, by label, by several, and names the options when there is no such one", async () => {
    scene = await stage.open(`<label>One <select id=o><option value=a>Alpha<option value=b>Beta
      <option value=c disabled>Gamma</select></label>
      <label>Many <select id=m multiple><option>x<option>y<option>z</select></label>`);
    const one = await refByName("One");
    await scene.port.act({ kind: "select", ref: one, values: ["b"] }, scope);
    expect(await scene.read("o.value")).toBe("b");
    await scene.port.act({ kind: "select", ref: one, values: ["alpha"] }, scope);
    expect(await scene.read("o.value")).toBe("a");
    await scene.port.act(
      { kind: "select", ref: await refByName("Many"), values: ["x", "z"] },
      scope,
    );
    expect(await scene.read("[...m.selectedOptions].map(o => o.value)")).toEqual(["x", "z"]);
    const error = await refusal(
      scene.port.act({ kind: "select", ref: one, values: ["Delta"] }, scope),
    );
    expect(error).toMatchObject({ code: "not_found", reason: "option_not_found" });
    expect(error.message).toContain('"Alpha", "Beta"');
    const off = await refusal(scene.port.act({ kind: "select", ref: one, values: ["c"] }, scope));
    expect(off.message).toMatch(/disabled/);
  });
});

describe("a word that is the value of one option and the label of another", () => {
  it("chooses none, until it is said which is meant", async () => {
    scene = await stage.open(`<label>Guests <select id=s><option value=0>1<option value=1>2
      <option value=2>3</select></label><label>Same <select id=t><option value=a>a<option value=b>b</select></label>`);
    const ref = await refByName("Guests");
    const choose = (value: string) =>
      scene.port.act({ kind: "select", ref, values: [value] }, scope);
    const error = await refusal(choose("1"));
    expect(error).toMatchObject({ code: "conflict", reason: "option_ambiguous" });
    expect(error.message).toMatch(/value of the option "2".*"value=1" or "label=1"/);
    expect(await scene.read("s.value")).toBe("0");
    await choose("value=1");
    expect(await scene.read("s.value")).toBe("1");
    await choose("label=1");
    expect(await scene.read("s.value")).toBe("0");
    await choose("3");
    expect(await scene.read("s.value")).toBe("2");
    await scene.port.act({ kind: "select", ref: await refByName("Same"), values: ["b"] }, scope);
    expect(await scene.read("t.value")).toBe("b");
  });
});

describe("pressing", () => {
  it("goes to the ref, or to whoever has the focus", async () => {
    scene = await stage.open(`<input aria-label=It id=i value=abc><script>
      window.keys = []; i.onkeydown = (e) => keys.push((e.ctrlKey ? "C-" : "") + e.key);</script>`);
    const ref = await refByName("It");
    await scene.port.act({ kind: "press", ref, key: "Control+a" }, scope);
    await scene.port.act({ kind: "press", ref, key: "Delete" }, scope);
    await scene.port.act({ kind: "press", key: "Escape" }, scope);
    expect(await scene.read("keys")).toEqual(
      ["Control", "C-a", "Delete", "Escape"].flatMap((key) =>
        key === "Control" ? ["C-Control"] : [key],
      ),
    );
    expect(await scene.read("i.value")).toBe("");
  });
});

describe("a script", () => {
  const run = async (fn: string) => scene.port.act({ kind: "evaluate", fn }, scope);

  it("that gives elements has them described", async () => {
    scene = await stage.open(`<button id=b name=go class=big>Save  it</button><p>x</p>`);
    expect((await run("b")).result).toBe(
      JSON.stringify('<button id="b" name="go" class="big"> Save it'),
    );
    expect((await run("({ at: document.querySelectorAll('p')[0] })")).result).toBe(
      '{"at":"<p> x"}',
    );
    expect((await run("document.querySelectorAll('p')")).result).toBe('["<p> x"]');
  });

  itLong("gives no more than is read, whatever the page made of JSON", async () => {
    scene = await stage.open(`<script>JSON.stringify = () => "x".repeat(5e6)</script>`);
    expect((await run("1")).result?.length).toBeLessThan(300_000);
  });

  it("that never ends is stopped, also when it ends with a semicolon", async () => {
    scene = await stage.open("<button>Go</button>", {});
    const fn = "for(;;);";
    const error = await refusal(
      scene.port.act({ kind: "evaluate", fn }, { timeoutMs: 800, ...scope }),
    );
    expect(error).toMatchObject({
      code: "timeout",
      details: { timeoutMs: expect.closeTo(800, -2) },
    });
    await scene.click("button", "Go");
    await scene.close();
  });

  itLong("that throws is quoted in its own lines, without ours", async () => {
    scene = await stage.open("<p>x</p>");
    const error = await refusal(run("throw new TypeError('first\\nsecond')"));
    expect(error.message).toBe("The script failed in the page: TypeError: first\nsecond");
  });

  itLong("that leads elsewhere is told by where it led", async () => {
    const before = stage.serve("<h1>Before</h1>");
    scene = await stage.open(before);
    await scene.port.navigate({ url: stage.serve("<h1>After</h1>"), ...scope });
    const { change } = await run("history.back(), new Promise(() => {})");
    expect(change.isNewDocument).toBe(true);
    expect(change.tab.url).toBe(before);
  });
});

describe("resizing", () => {
  it.each([
    [100, 500],
    [500, 5_000],
    [0, 0],
  ])("to %s x %s is refused", async (width, height) => {
    scene = await stage.open("<p>x</p>");
    const error = await refusal(scene.port.act({ kind: "resize", width, height }, scope));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/from 200 to 4096/);
  });
});

it.each([
  ["<input aria-label=Field>", "<input type=text>"],
  ["<input type=date aria-label=Field>", "<input type=date>"],
  ["<textarea aria-label=Field></textarea>", "<textarea>"],
])("true and false are for boxes, not for %s", async (html, kind) => {
  scene = await stage.open(html);
  const ref = (await scene.listed()).find(({ name }) => name === "Field")?.ref ?? "";
  const fill = (value: boolean | string) =>
    scene.port.act({ kind: "fill", fields: [{ ref, value }] }, scope);
  const error = await refusal(fill(true));
  expect(error.reason).toBe("element_wrong_kind");
  expect(error.message).toContain(`it is not a checkbox, but ${kind}`);
  expect(await scene.read("document.querySelector('input,textarea').value")).toBe("");
});
