// A page that changes at the very moment of the click: no listener of the page hears of an event that
// was meant for another element, wherever it listens.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { holdsOf, LAYOUTS, toPage } from "../elements/layouts.js";
import { createStage, refusal, type Scene, type Stage, scope, signal } from "./stage.js";

const YOUNG_MS = 950;
const MAX_LOADS = 20;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterEach(() => scene.close());
afterAll(() => stage.close());

/** The pointer over the button renames it: between the look and the press. */
const RENAMED = `<button>Keep</button><script>
  window.heard = [];
  for (const type of ["pointerdown", "mousedown", "click"])
    window.addEventListener(type, (e) => heard.push(type + ":" + e.target.textContent), true);
  const b = document.querySelector("button");
  b.addEventListener("pointerover", () => { b.textContent = "Delete everything"; });
</script>`;

describe("a page that renames an element under the pointer", () => {
  it("hears nothing of the click, not even where it listened first", async () => {
    scene = await stage.open(RENAMED);
    const ref = await scene.ref("button", "Keep");
    const error = await refusal(scene.port.act({ kind: "click", ref }, scope));
    expect(error).toMatchObject({ code: "conflict" });
    expect(["stale_ref", "changed_under_click"]).toContain(error.reason);
    expect(await scene.read("heard")).toEqual([]);
  });

  it("would hear of it without the script at the start of documents", async () => {
    scene = await stage.open(RENAMED, { withoutGuard: true, guardName: "" });
    const ref = await scene.ref("button", "Keep");
    await refusal(scene.port.act({ kind: "click", ref }, scope));
    expect(await scene.read("heard")).toContain("pointerdown:Delete everything");
  });
});

describe("a page that renames an element by a style sheet alone", () => {
  const PAINTED = (
    how: string,
  ) => `<style>#b::before{content:"Alpha"} #b:hover .a,#b .z{display:none}
    #b:hover .z{display:inline}</style><button id=b style="width:200px;height:40px"
    onclick="window.hit = true">${how === "hover" ? "<i class=a>Keep</i><i class=z>Delete</i>" : ""}</button>
    <script>if ("${how}" === "rule") b.addEventListener("pointerover", () =>
      document.styleSheets[0].insertRule('#b::before{content:"Delete everything"}', 1))</script>`;
  it.each([
    ["a rule that it adds", "rule", "Alpha"],
    ["a rule for the pointer", "hover", "AlphaKeep"],
  ])("by %s gets no click", async (_what, how, name) => {
    scene = await stage.open(PAINTED(how));
    const error = await refusal(scene.click("button", name));
    expect(["stale_ref", "changed_under_click"]).toContain(error.reason);
    expect(await scene.read("window.hit")).toBeUndefined();
  });
});

describe("a page that moves things", () => {
  it("gets the click on the right one, when that is found again", async () => {
    scene =
      await stage.open(`<div id=box style="position:absolute;top:0"><button id=a>A</button></div>
      <button id=b style="position:absolute;top:200px">B</button><script>
      window.clicked = []; let moved = false;
      for (const button of [a, b]) button.onclick = () => clicked.push(button.id);
      a.addEventListener("pointerover", () => { if (!moved) { moved = true;
        box.style.top = "200px"; b.style.top = "0px"; } });
    </script>`);
    await scene.click("button", "A");
    expect(await scene.read("clicked")).toEqual(["a"]);
  });

  it("away for ever is told, and nothing is clicked", async () => {
    scene = await stage.open(`<button id=a style="position:absolute;top:0;left:0">A</button><script>
      window.clicked = [];
      addEventListener("click", (e) => clicked.push(e.target.id || e.target.tagName), true);
      document.addEventListener("pointermove", (e) => {
        a.style.top = (e.clientY > 300 ? 0 : 400) + "px"; }, true);
    </script>`);
    const error = await refusal(scene.click("button", "A"));
    expect(error.reason).toBe("changed_under_click");
    expect(await scene.read("clicked")).toEqual([]);
  });

  it("and swaps the rows of two equal buttons is refused", async () => {
    scene = await stage.open(`<ul><li><span>Ann</span> <button>Delete</button></li>
      <li><span>Bob</span> <button>Delete</button></li></ul><script>
      window.deleted = [];
      for (const button of document.querySelectorAll("button"))
        button.onclick = () => deleted.push(button.previousElementSibling.textContent);
    </script>`);
    const elements = await scene.listed();
    const refs = elements.filter(({ role }) => role === "button").map(({ ref }) => ref ?? "");
    await scene.read(`(() => { const [x, y] = document.querySelectorAll("span");
      [x.textContent, y.textContent] = [y.textContent, x.textContent]; })()`);
    const error = await refusal(scene.port.act({ kind: "click", ref: refs[0] ?? "" }, scope));
    expect(error).toMatchObject({ reason: "stale_ref", details: { why: "changed" } });
    expect(await scene.read("deleted")).toEqual([]);
  });
});

describe("a page that swaps the content of rows under the pointer", () => {
  it.each([
    "headings before buttons",
    "values of fields",
    "cards in shadow roots",
    "text by style sheet",
    "equal rows in titled groups",
  ])("marked up as %s gets no click", async (name) => {
    const layout = LAYOUTS[name];
    if (!layout) throw new Error(`no layout ${name}`);
    scene = await stage.open(`${toPage(layout, ["Alice", "Bob"])}<script>
      addEventListener("pointerover", (event) => {
        if (event.composedPath()[0].localName === "button" && !window.done) { done = true; swap("${holdsOf(layout)}"); }
      }, true);</script>`);
    const error = await refusal(scene.click("button", "Delete"));
    expect(["stale_ref", "changed_under_click"]).toContain(error.reason);
    expect(await scene.read("[hits, done]")).toEqual([[], true]);
  });
});

describe("a page that answers to the press", () => {
  const ROWS = (onPress: string) => `<ul>${["Ann", "Bob"]
    .map((name) => `<li><b>${name}</b> <button>Edit</button></li>`)
    .join("")}</ul><script>window.hits = [];
    addEventListener("pointerdown", ({ target }) => { if (target.localName !== "button") return;
      const row = target.parentNode, [x, y] = document.querySelectorAll("b"); ${onPress} });
    addEventListener("click", ({ target }) => { hits.push(target.parentNode.querySelector("b").textContent); });</script>`;

  it.each([
    ["another name", `target.setAttribute("aria-label", "Editing");`],
    ["a mark on the row", `row.insertAdjacentHTML("beforeend", "<small>selected</small>");`],
  ])("by %s gets the click", async (_what, onPress) => {
    scene = await stage.open(ROWS(onPress));
    await scene.click("button", "Edit");
    expect(await scene.read("hits")).toEqual(["Ann"]);
  });

  it.each([
    [
      "the content of another row",
      `[x.textContent, y.textContent] = [y.textContent, x.textContent];`,
    ],
    ["content that was nowhere", `x.textContent = "Cid";`],
    ["another role", `target.setAttribute("role", "link");`],
  ])("by %s does not", async (_what, onPress) => {
    scene = await stage.open(ROWS(onPress));
    const error = await refusal(scene.click("button", "Edit"));
    expect(error.reason).toBe("changed_under_click");
    expect(await scene.read("hits")).toEqual([]);
  });
});

describe("rows that change while they are filled", () => {
  const INVOICE = (onInput: string) => `<div id=rows>${["Tea", "Milk"]
    .map(
      (name) => `<div class=row><b>${name}</b> <input aria-label=Count> <input aria-label=Price>
      <i>nothing yet</i> <button>Save</button></div>`,
    )
    .join("")}</div><script>window.saved = [];
    const names = () => [...document.querySelectorAll("b")];
    addEventListener("input", (event) => { const row = event.target.parentNode; ${onInput} });
    addEventListener("click", (event) => { if (event.target.localName === "button")
      saved.push(event.target.parentNode.querySelector("b").textContent); });</script>`;
  const refs = async (role: string) =>
    (await scene.listed()).filter((each) => each.role === role).map(({ ref = "" }) => ref);

  it("by a sum of what is typed stay the same rows", async () => {
    scene = await stage.open(
      INVOICE(`row.querySelector("i").textContent =
      "makes " + [...row.querySelectorAll("input")].map(({ value }) => value).join(" times ");`),
    );
    const [count = "", price = ""] = await refs("textbox");
    const [save = ""] = await refs("button");
    const fields = [
      { ref: count, value: "3" },
      { ref: price, value: "4" },
    ];
    await scene.port.act({ kind: "fill", fields }, scope);
    await scene.port.act({ kind: "click", ref: save }, scope);
    expect(await scene.read("saved")).toEqual(["Tea"]);
  });

  it("and had changed before do not become the same again", async () => {
    scene = await stage.open(INVOICE(""));
    const [old = ""] = await refs("button");
    await scene.read(`{ const [x, y] = names(); x.textContent = "Salt"; y.textContent = "Oil"; }`);
    const [count = ""] = await refs("textbox");
    await scene.port.act({ kind: "type", ref: count, text: "3" }, scope);
    const error = await refusal(scene.port.act({ kind: "click", ref: old }, scope));
    expect(error.reason).toBe("stale_ref");
  });

  it("by another order of their content are other rows", async () => {
    scene = await stage.open(
      INVOICE(`const [x, y] = names(); if (!window.done) { done = true;
      [x.textContent, y.textContent] = [y.textContent, x.textContent]; }`),
    );
    const [count = ""] = await refs("textbox");
    const [save = ""] = await refs("button");
    await refusal(
      scene.port
        .act({ kind: "type", ref: count, text: "3" }, scope)
        .then(() => scene.port.act({ kind: "click", ref: save }, scope)),
    );
    expect(await scene.read("[saved, done]")).toEqual([[], true]);
  });
});

describe("an element that goes away when it is pressed", () => {
  it("was pressed, and what lies below is not clicked", async () => {
    scene =
      await stage.open(`<button id=below style="position:absolute;inset:0;width:200px;height:80px">
      Below</button><button id=top style="position:absolute;inset:0;width:200px;height:80px">Top</button>
      <script>window.seen = []; below.onclick = () => seen.push("below");
      top.onmousedown = () => 0;
      document.getElementById("top").addEventListener("mousedown", (e) => {
        seen.push("top"); e.target.remove(); });</script>`);
    const { change } = await scene.click("button", "Top");
    expect(change.events.join()).toMatch(/went away when it was pressed/);
    expect(await scene.read("seen")).toEqual(["top"]);
  });

  it.each([
    [
      "takes the pointer from the page",
      "document.body.style.pointerEvents = 'none'",
      "position:absolute;top:90px;pointer-events:auto",
    ],
    ["lies over it", "", "position:fixed;inset:0"],
  ])(
    "that opens a menu by its press, which %s, is told with the menu",
    async (_how, more, style) => {
      scene = await stage.open(`<button id=c aria-haspopup=menu>Options</button>
      <div id=place></div><script>window.hits = [];
      for (const type of ["pointerup", "mouseup", "click"])
        addEventListener(type, (e) => hits.push(type), true);
      c.onpointerdown = () => { ${more};
        place.innerHTML = '<div role=menu style="${style}"><div role=menuitem>Delete all</div></div>'; };
      </script>`);
      const { change } = await scene.click("button", "Options");
      expect(change.events.join()).toMatch(/was no longer under the pointer when it was pressed/);
      expect(change.added.map(({ name }) => name)).toContain("Delete all");
      expect(await scene.read("hits")).toEqual([]);
    },
  );
});

describe("a document that has just come", () => {
  it("takes no input that was meant for the one before, and takes what is meant for it", async () => {
    const url = stage.serve(
      `<body onclick="hits += 1" style="height:300px"><script>hits = 0</script>`,
    );
    scene = await stage.open("<p>before</p>");
    let hits: unknown;
    let ageMs = Number.POSITIVE_INFINITY;
    // On a busy machine a document may be old before it was looked at; then the next one counts.
    for (let tries = 0; tries < MAX_LOADS && ageMs >= YOUNG_MS; tries += 1) {
      await scene.page.goto(url);
      await scene.page.mouse.click(50, 50);
      hits = await scene.read("hits");
      ageMs = Number(await scene.read("performance.now()"));
    }
    expect(ageMs).toBeLessThan(YOUNG_MS);
    expect(hits).toBe(0);
    await scene.read("hits = 0");
    await scene.port.act({ kind: "clickCoords", x: 50, y: 50 }, scope);
    expect(await scene.read("hits")).toBe(1);
  });
});

describe("a click that is not done leaves nobody shut out", () => {
  const expectOpen = async () => {
    await scene.page.mouse.click(20, 20);
    expect(await scene.read("hits")).toBe(1);
  };
  const FREE = `<button style="position:fixed;inset:0 auto auto 0;width:40px;height:40px"
    onclick="hits += 1">Free</button><script>hits = 0</script>`;

  it("when a frame is refused", async () => {
    scene = await stage.open(`${FREE}<iframe title=Inner srcdoc="<p>In</p>" style="margin:60px">`);
    const error = await refusal(scene.click("iframe", "Inner"));
    expect(error).toMatchObject({ reason: "element_wrong_kind" });
    await expectOpen();
  });

  it("when the page answers too late", async () => {
    scene = await stage.open(`${FREE}<button id=b style="margin:60px">Go</button>`);
    const ref = await scene.ref("button", "Go");
    await scene.read(
      `setTimeout(() => { for (const until = Date.now() + 1500; Date.now() < until;); })`,
    );
    await refusal(scene.port.act({ kind: "click", ref }, { ...scope, timeoutMs: 300 }));
    await scene.read("0");
    await expectOpen();
  });
});

describe("an element that becomes another one by the first of two clicks", () => {
  it("gets one of them, and that is told", async () => {
    scene =
      await stage.open(`<button onclick="window.n = (window.n ?? 0) + 1; this.textContent = 'Stop'">
      Start</button>`);
    const ref = await scene.ref("button", "Start");
    const { change } = await scene.port.act({ kind: "click", ref, doubleClick: true }, scope);
    expect(await scene.read("n")).toBe(1);
    expect(change.events.join()).toMatch(/second was held back/);
  });
});

describe("keys", () => {
  it("do not go to a field that takes the focus for itself", async () => {
    scene = await stage.open(`<input aria-label=Name id=a><input aria-label=Thief id=b><script>
      a.addEventListener("focus", () => setTimeout(() => b.focus(), 0));</script>`);
    const ref = await scene.ref("textbox", "Name");
    await refusal(scene.port.act({ kind: "type", ref, text: "secret" }, scope)).catch(
      () => undefined,
    );
    expect(await scene.read("b.value")).toBe("");
  });

  it("pressed one by one stop when the focus moves on", async () => {
    scene =
      await stage.open(`<input aria-label=One id=a maxlength=1><input aria-label=Two id=b><script>
      a.addEventListener("input", () => b.focus());</script>`);
    const ref = await scene.ref("textbox", "One");
    const error = await refusal(
      scene.port.act({ kind: "type", ref, text: "123", slowly: true }, scope),
    );
    expect(error.reason).toBe("changed_under_click");
    expect(await scene.read("[a.value, b.value]")).toEqual(["1", ""]);
  });

  it.each(["Space", "Enter"])("like %s do not click a button that they renamed", async (key) => {
    scene = await stage.open(`<button id=b onkeydown="b.textContent='Delete everything'"
      onclick="window.hit = b.textContent">Alpha</button>`);
    const ref = await scene.ref("button", "Alpha");
    const error = await refusal(scene.port.act({ kind: "press", key, ref }, scope));
    expect(error.reason).toBe("changed_under_click");
    expect(await scene.read("window.hit")).toBeUndefined();
  });

  it("click the button they are meant for, and the one that sends the form", async () => {
    scene = await stage.open(`<button id=b onclick="window.hit = true">Alpha</button>
      <form onsubmit="window.sent = true; return false"><input aria-label=Name><button>Send</button></form>`);
    const ref = await scene.ref("button", "Alpha");
    await scene.port.act({ kind: "press", key: "Space", ref }, scope);
    const name = await scene.ref("textbox", "Name");
    await scene.port.act({ kind: "type", ref: name, text: "x", submit: true }, scope);
    expect(await scene.read("[window.hit, window.sent]")).toEqual([true, true]);
  });

  it("end when the field has another name, though numbers in it may count", async () => {
    scene = await stage.open(`<form onsubmit="window.sent = true; return false">
      <label><span id=l>Note to Alice</span> <input id=i></label></form><script>
      window.rename = "Note to Bob";
      i.addEventListener("beforeinput", () => { l.textContent = rename; })</script>`);
    const ref = await scene.ref("textbox", "Note to Alice");
    const typed = scene.port.act({ kind: "type", ref, text: "hello", submit: true }, scope);
    expect((await refusal(typed)).message).toMatch(/it became another one/);
    expect(await scene.read("window.sent")).toBeUndefined();
    await scene.read(`l.textContent = "0 of 9"; rename = "5 of 9"; i.value = ""`);
    const counted = await scene.ref("textbox", "0 of 9");
    await scene.port.act({ kind: "type", ref: counted, text: "hello", submit: true }, scope);
    expect(await scene.read("window.sent")).toBe(true);
  });

  it("are heard by nobody else while they are guarded, and by all afterwards", async () => {
    scene = await stage.open(`<button id=b>Focus</button><input aria-label=In id=i>`);
    await scene.port.act({ kind: "type", ref: await scene.ref("textbox", "In"), text: "x" }, scope);
    await scene.page.focus("#b");
    await scene.read("b.addEventListener('keydown', () => { window.heard = true; })");
    await scene.port.act({ kind: "press", key: "a" }, scope);
    expect(await scene.read("heard")).toBe(true);
  });
});

describe("a guard that nobody takes away", () => {
  it.each([
    ["holds as long as it was told", 60_000, []],
    ["ends then by itself", 1, ["b"]],
  ])("%s", async (_what, forMs, heard) => {
    scene = await stage.open(`<button id=a>A</button><button id=b>B</button><script>
      window.heard = []; addEventListener("click", (e) => heard.push(e.target.id));</script>`);
    const ref = Number((await scene.ref("button", "A")).slice(1));
    const asks = { op: "arm", ref, input: "pointer", guardName: stage.guardName, forMs } as const;
    await scene.elements.ask<"arm">(scene.page.mainFrame(), asks, { signal, timeoutMs: 5_000 });
    await scene.page.click("#b");
    expect(await scene.read("heard")).toEqual(heard);
  });
});
