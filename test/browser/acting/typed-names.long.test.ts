// Fields whose own name changes while they are typed into, as pages do that judge a text at once.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const TEXT = "hello@x";

const type = async (html: string, slowly: boolean) => {
  scene = await stage.open(`<form onsubmit="window.sent = q.value; return false">${html}</form>`);
  const field = (await scene.listed()).find(({ role }) => /textbox|combobox|searchbox/.test(role));
  const action = { kind: "type", ref: field?.ref ?? "", text: TEXT, submit: true } as const;
  return scene.port.act({ ...action, slowly }, scope);
};

const WAYS: readonly (readonly [string, string])[] = [
  [
    "a word behind its label",
    `<label>Password <b id=w>weak</b> <input id=q
    oninput="w.textContent = value.length < 4 ? 'weak' : 'strong'"></label>`,
  ],
  [
    "a word that comes",
    `<label>Password <b id=w></b> <input id=q
    oninput="w.textContent = value.length < 4 ? 'weak' : 'strong'"></label>`,
  ],
  [
    "a label that complains",
    `<label><b id=w>Email</b> <input id=q
    oninput="w.textContent = value.includes('@') ? 'Email' : 'Email is invalid'"></label>`,
  ],
  [
    "a label that asks no more",
    `<label for=q id=w>Name (required)</label>
    <input id=q oninput="w.textContent = 'Name'">`,
  ],
  [
    "a label by reference",
    `<input id=q aria-labelledby=w oninput="w.textContent = 'Email ✓'">
    <i id=w>Email</i>`,
  ],
  [
    "results in its aria-label",
    `<input id=q aria-label=Search
    oninput="ariaLabel = 'Search, ' + value.length + ' results available'">`,
  ],
  ["another role", `<input id=q aria-label=City oninput="role = 'combobox'">`],
  ["no title any more", `<input id=q title="Please fill" oninput="title = ''">`],
  ["no placeholder, by the focus", `<input id=q placeholder=Search onfocus="placeholder = ''">`],
  ["another role, by the focus", `<input id=q aria-label=City onfocus="role = 'combobox'">`],
  [
    "a hint in its label, by the focus",
    `<div><label id=w>Name <input id=q
    onfocus="w.insertAdjacentHTML('beforeend', '<em>Type your name</em>'); onfocus = null"></label></div>`,
  ],
];

describe.each(WAYS)("a field that gets %s", (_what, html) => {
  it.each([false, true])("takes all keys (slowly: %s)", async (slowly) => {
    await type(html, slowly);
    expect(await scene.read("sent")).toBe(TEXT);
  });
});

const OTHERS: readonly (readonly [string, string])[] = [
  [
    "its label",
    `<label><b id=w>Note to Alice</b> <input id=q
    oninput="w.textContent = 'Note to Bob'"></label>`,
  ],
  [
    "the beginning of its label",
    `<label><b id=w>Alice</b>, a note <input id=q
    oninput="w.textContent = 'Bob'"></label>`,
  ],
  [
    "its placeholder",
    `<input id=q placeholder="Message Ann" oninput="placeholder = 'Message Anna'">`,
  ],
];

describe.each(OTHERS)("a field that becomes another by %s", (_what, html) => {
  it.each([false, true])("gets no more keys (slowly: %s)", async (slowly) => {
    const error = await refusal(type(html, slowly));
    expect(error.message).toMatch(/went in, then it became another one/);
    expect(await scene.read("[window.sent, q.value]")).toEqual([undefined, slowly ? "h" : TEXT]);
  });
});

describe.each(["li", "div", "p", "section"])("fields in %s whose labels are exchanged", (tag) => {
  const fields = (first: string, second: string) => `<${tag}><label>${first} <input id=q
    oninput="swap()"></label></${tag}><${tag}><label>${second} <input></label></${tag}><script>
    function swap() { const [x, y] = document.querySelectorAll("i");
      [x.textContent, y.textContent] = [y.textContent, x.textContent]; swap = () => 0; }</script>`;
  it.each([
    ["Pay to <i>Alice</i>", "Pay to <i>Bob</i>"],
    ["<i>Amount</i>", "<i>Amount due</i>"],
    ["<i>Amount due</i>", "<i>Amount</i>"],
  ])("get no more keys: %s", async (first, second) => {
    const error = await refusal(type(fields(first, second), true));
    expect(error.message).toMatch(/went in, then it became another one/);
    expect(await scene.read("[window.sent, q.value]")).toEqual([undefined, "h"]);
  });
});

describe("a field that becomes another before the first key", () => {
  it("gets none", async () => {
    const html = `<input id=q placeholder="Message Ann" onfocus="placeholder = 'Message Bob'">`;
    expect((await refusal(type(html, true))).reason).toMatch(/stale_ref|changed_under_click/);
    expect(await scene.read("[window.sent, q.value]")).toEqual([undefined, ""]);
  });
});

describe("keys after one that was held back", () => {
  it("are held back too, though the name is the old one again", async () => {
    const html = `<input id=q placeholder="Try shoes"
      oninput="placeholder = 'Try hats'" onkeyup="if (++ups === 3) placeholder = 'Try shoes'">
      <script>ups = 0</script>`;
    const error = await refusal(type(html, true));
    expect(error.message).toMatch(/some keys went in, then it became another one/);
    expect(await scene.read("[window.sent, q.value]")).toEqual([undefined, "h"]);
  });

  it("go nowhere when the focus comes back", async () => {
    const html = `<input id=q aria-label=Name oninput="o.focus()"><input id=o aria-label=Other
      onkeyup="if (event.key === 'l') q.focus()">`;
    await refusal(type(html, true));
    expect(await scene.read("[window.sent, q.value, o.value]")).toEqual([undefined, "h", ""]);
  });
});
