// Elements whose own name says which one they are, while the page writes other names into their places:
// the rest of a press goes to nobody else.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const KINDS = {
  button: ["<div id=u>", "<button></button>"],
  option: ["<div id=u role=listbox>", "<div role=option tabindex=-1></div>"],
  tab: ["<div id=u role=tablist>", "<button role=tab></button>"],
  link: ["<div id=u>", `<a href="#x"></a>`],
} as const;

interface Page {
  readonly kind: keyof typeof KINDS;
  readonly names?: readonly string[];
  /** What they are called then. */
  readonly after: readonly string[];
  readonly on: string;
}

const ROTATED = ["Bob Ray", "Cyd Fox", "Ann Lee"];
const PEOPLE = ["Ann Lee", "Bob Ray", "Cyd Fox"];

/** Places are reused: what is clicked is who the place has by then. */
const page = ({ kind, names = PEOPLE, after, on }: Page) => {
  const [list, place] = KINDS[kind];
  const [type, isSoon] = on.split(" ");
  const event = JSON.stringify(type);
  return `<style>button { min-width: 9em }</style><h1>Pick</h1>${list}${names.map(() => place).join("")}</div><script>window.hits = [];
    const put = (texts) => [...u.children].forEach((each, at) => { each.textContent = texts[at]; });
    put(${JSON.stringify(names)});
    u.addEventListener("click", ({ target }) => { hits.push(target.textContent); });
    const next = () => put(${JSON.stringify(after)});
    u.addEventListener(${event}, ${isSoon ? "() => Promise.resolve().then(next)" : "next"}, { once: true, capture: true });
    </script>`;
};

const press = async (shown: Page, name: string) => {
  scene = await stage.open(page(shown));
  return scene.click(shown.kind, name);
};

describe("a click on one of several that get other names in their places", () => {
  it.each<[Page["kind"], string, readonly string[]]>([
    ["button", "pointerdown", ROTATED],
    ["option", "mousedown", ROTATED],
    ["tab", "mousedown soon", ROTATED],
    ["button", "mouseup", ROTATED],
    ["link", "focusin", ["Xia Wu", "Yan Zi", "Zoe Ko"]],
    ["button", "pointerdown", ["Ann Lee", "Ray", "Cyd Fox"]],
  ])("ends with the press: %s at %s, %j", async (kind, on, after) => {
    const error = await refusal(press({ kind, on, after }, "Bob Ray"));
    expect(error.reason).toBe("changed_under_click");
    expect(error.message).toMatch(/it was pressed, and was another one at the release/);
    expect(await scene.read("hits")).toEqual([]);
  });

  it.each([
    ["begin alike", ["Paris", "Parma"], ["Parma", "Paris"]],
    ["are numbered", ["Room 12", "Room 13"], ["Room 13", "Room 12"]],
    ["have a word more", ["Milk", "Milk rice"], ["Milk rice", "Milk"]],
    ["have a count", ["Cart (1)", "Cart (2)"], ["Cart (2)", "Cart (1)"]],
    ["have a form of the word", ["Follow", "Following"], ["Following", "Follow"]],
  ])("also when they %s", async (_what, names, after) => {
    const pressed = press({ kind: "option", names, after, on: "mousedown" }, names[0] ?? "");
    expect((await refusal(pressed)).reason).toBe("changed_under_click");
    expect(await scene.read("hits")).toEqual([]);
  });
});

it.each([
  ["Save", "Saving…"],
  ["Submit", "Submitting"],
  ["Cart (1)", "Cart (2)"],
  ["Bob Ray", "Bob Ray selected"],
  ["Save", "⏳"],
])("a click on what is called %s and then %s goes on", async (before, name) => {
  const names = [before, "Other"];
  await press({ kind: "button", names, after: [name, "Other"], on: "pointerdown" }, before);
  expect(await scene.read("hits")).toEqual([name]);
});

it("a click goes on to what is called as another one is, which stays so", async () => {
  const names = ["Follow", "Following"];
  const after = ["Following", "Following"];
  await press({ kind: "button", names, after, on: "pointerdown" }, "Follow");
  expect(await scene.read("hits")).toEqual(["Following"]);
});

describe("Enter in a form whose button gets another name", () => {
  const send = async (before: string, name: string) => {
    scene = await stage.open(`<form onsubmit="window.sent = b.textContent; return false">
      <input aria-label=City onkeydown="if (event.key === 'Enter') b.textContent = '${name}'">
      <button id=b>${before}</button></form>`);
    const ref = await scene.ref("textbox", "City");
    return scene.port.act({ kind: "type", ref, text: "x", submit: true }, scope);
  };

  it("is held back", async () => {
    const error = await refusal(send("Paris", "Parma"));
    expect(error.message).toMatch(/the button that the key presses got another name/);
    expect(await scene.read("window.sent")).toBeUndefined();
  });

  it("is sent by a form of the same name", async () => {
    await send("Save", "Saving…");
    expect(await scene.read("sent")).toBe("Saving…");
  });
});

describe("a link whose name and address change by the click itself", () => {
  const follow = async (does: string) => {
    scene = await stage.open(`<div id=u>${["ann", "bob", "cyd"]
      .map((name) => `<a href="#${name}">${name}</a> `)
      .join("")}</div><script>const put = (names) => names.forEach((name, at) => {
        u.children[at].textContent = name; u.children[at].href = "#" + name; });
      u.addEventListener("click", () => { ${does} });</script>`);
    return scene.click("link", "bob");
  };

  it("is not followed to that of another one", async () => {
    const { change } = await follow(`put(["bob", "cyd", "ann"])`);
    expect(await scene.read("location.hash")).toBe("");
    expect(change.events.join()).toMatch(/another one since it was clicked.*held back/);
  });

  it("is followed when the name says what comes of it", async () => {
    await follow(`u.children[1].textContent = "Please wait"`);
    expect(await scene.read("location.hash")).toBe("#bob");
  });
});
