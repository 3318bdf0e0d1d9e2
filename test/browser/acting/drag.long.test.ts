// Dragging from one element to another: by the pointer alone, and as the browser does it itself.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const STYLE = `<style>.box{width:120px;height:80px;border:1px solid;margin:20px}</style>`;
const HTML5 = `${STYLE}<button class=box id=a draggable=true>Card</button>
  <div class=box id=b role=region aria-label=Done>Done</div><script>
  window.seen = [];
  a.addEventListener("dragstart", (e) => { seen.push("dragstart"); e.dataTransfer.setData("text/plain", "card"); });
  b.addEventListener("dragover", (e) => e.preventDefault());
  b.addEventListener("drop", (e) => { e.preventDefault(); seen.push("drop:" + e.dataTransfer.getData("text/plain")); b.append(a); });
  </script>`;
const POINTER = `${STYLE}<button class=box id=a style="position:absolute;left:0;top:0;touch-action:none">Knob</button>
  <div class=box id=b role=region aria-label=Target style="position:absolute;left:400px;top:300px">Target</div><script>
  window.dropped = null; let held = false;
  a.addEventListener("pointerdown", (e) => { held = true; a.setPointerCapture(e.pointerId); });
  a.addEventListener("pointermove", (e) => { if (held) { a.style.left = e.clientX - 60 + "px"; a.style.top = e.clientY - 40 + "px"; } });
  a.addEventListener("pointerup", (e) => { held = false; a.style.pointerEvents = "none";
    dropped = document.elementFromPoint(e.clientX, e.clientY).id; a.style.pointerEvents = ""; });
  </script>`;

describe("a drag", () => {
  it("as the browser does it takes the data along", async () => {
    scene = await stage.open(HTML5);
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("region", "Done");
    await scene.port.act({ kind: "drag", startRef, endRef }, scope);
    expect(await scene.read("seen")).toEqual(["dragstart", "drop:card"]);
    expect(await scene.read("b.contains(a)")).toBe(true);
  });

  it("by the pointer ends on the target", async () => {
    scene = await stage.open(POINTER);
    const startRef = await scene.ref("button", "Knob");
    const endRef = await scene.ref("region", "Target");
    await scene.port.act({ kind: "drag", startRef, endRef }, scope);
    expect(await scene.read("dropped")).toBe("b");
  });

  it("to something that is gone is refused before anything moves", async () => {
    scene = await stage.open(HTML5);
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("region", "Done");
    await scene.read("b.remove()");
    const error = await refusal(scene.port.act({ kind: "drag", startRef, endRef }, scope));
    expect(error.reason).toBe("stale_ref");
    expect(await scene.read("seen")).toEqual([]);
  });

  const COLUMNS = (moves: string) => `<style>.c{width:200px;height:80px;border:1px solid}</style>
    <div id=card role=button tabindex=0 style="width:100px;height:30px;background:#ccc">Card</div>
    <div class=c role=group aria-label=Done>Done</div><div class=c role=group aria-label=Trash>Trash</div><script>
    let held = false, count = 0; window.dropped = null;
    const swap = () => { const [one, two] = document.querySelectorAll(".c"); one.before(two); };
    card.onmousedown = (e) => { held = true; e.preventDefault(); };
    onmousemove = (e) => { if (held && (count += 1, ${moves})) swap(); };
    onmouseup = (e) => { if (held) dropped = document.elementFromPoint(e.clientX, e.clientY).textContent; held = false; };
    </script>`;

  it("follows a target that the page moves away", async () => {
    scene = await stage.open(COLUMNS("count === 14"));
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("group", "Done");
    await scene.port.act({ kind: "drag", startRef, endRef }, scope);
    expect(await scene.read("dropped")).toBe("Done");
  });

  it("whose target never stays under the pointer ends where it began", async () => {
    scene = await stage.open(COLUMNS("e.target.textContent === 'Done'"));
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("group", "Done");
    const error = await refusal(scene.port.act({ kind: "drag", startRef, endRef }, scope));
    expect(error.reason).toBe("changed_under_click");
    expect(await scene.read("dropped")).not.toMatch(/Done|Trash/);
  });

  it("is not let go on another target that takes the place at the last moment", async () => {
    scene = await stage.open(`${COLUMNS("false")}<script>
      addEventListener("pointerup", () => { if (held) swap(); }, true);</script>`);
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("group", "Done");
    const error = await refusal(scene.port.act({ kind: "drag", startRef, endRef }, scope));
    expect(error.reason).toBe("changed_under_click");
    expect(await scene.read("dropped")).not.toBe("Trash");
  });

  it("ends on a target to which the page adds a hint", async () => {
    scene = await stage.open(`${STYLE}<button class=box id=a draggable=true>Card</button>
      <ul><li class=box id=b>Drop here</li><li class=box>Other</li></ul><script>window.dropped = 0;
      b.addEventListener("dragover", (e) => { e.preventDefault();
        if (!b.querySelector("i")) b.insertAdjacentHTML("beforeend", "<i>Release</i>"); });
      b.addEventListener("drop", (e) => { e.preventDefault(); dropped += 1; });</script>`);
    const startRef = await scene.ref("button", "Card");
    const endRef = (await scene.listed()).find(({ role }) => role === "listitem")?.ref ?? "";
    await scene.port.act({ kind: "drag", startRef, endRef }, scope);
    expect(await scene.read("dropped")).toBe(1);
  });

  it("ends on a target that has another name while it is dragged over, and counts", async () => {
    scene = await stage.open(`${STYLE}<button class=box id=a draggable=true>Card</button>
      <div class=box id=b role=button tabindex=0>Drop here <b>0</b></div><script>window.dropped = 0; let n = 0;
      addEventListener("dragover", (e) => { b.querySelector("b").textContent = n += 1; });
      b.addEventListener("dragover", (e) => { e.preventDefault(); b.firstChild.nodeValue = "Release to drop "; });
      b.addEventListener("drop", (e) => { e.preventDefault(); dropped += 1; });</script>`);
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("button", "Drop here 0");
    await scene.port.act({ kind: "drag", startRef, endRef }, scope);
    expect(await scene.read("dropped")).toBe(1);
  });

  it("whose target becomes another one on the way is dropped nowhere", async () => {
    scene = await stage.open(`${HTML5}<script>
      a.addEventListener("dragstart", () => { b.setAttribute("aria-label", "Trash"); });</script>`);
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("region", "Done");
    const error = await refusal(scene.port.act({ kind: "drag", startRef, endRef }, scope));
    expect(["stale_ref", "changed_under_click"]).toContain(error.reason);
    expect(await scene.read("seen")).not.toContain("drop:card");
  });
});

describe("a drag of one of several", () => {
  const DRAW = `window.dropped = []; let items = ["Pay Ann", "Fire Bob", "Call Cyd"];
    const draw = () => items.forEach((name, at) => { u.children[at].firstChild.textContent = name; });
    const turn = () => { items.push(items.shift()); draw(); };`;
  const PLACE = `<div id=d role=region aria-label=Done style="height:80px;border:1px solid">Drop here</div>`;
  const item = (more: string, inner: string) =>
    `<li class=c tabindex=0 ${more}><span></span>${inner}</li>`;
  const list = (
    more = "",
    inner = "",
  ) => `<style>.c{padding:8px;border:1px solid;user-select:none}</style>
    <h2>Todo</h2><ul id=u>${item(more, inner).repeat(3)}</ul><h2>Done</h2>${PLACE}`;
  const byBrowser = (
    script: string,
    inner?: string,
  ) => `${list("draggable=true", inner)}<script>${DRAW} draw();
    let from; u.ondragstart = (e) => { from = [...u.children].indexOf(e.target.closest("li"));
      e.dataTransfer.setData("text/plain", from); };
    d.ondragover = (e) => e.preventDefault();
    d.ondrop = (e) => { e.preventDefault(); dropped.push(items[from]); };
    ${script}</script>`;
  const byPointer = (
    script: string,
    more?: string,
  ) => `${list(more)}<script>${DRAW} draw(); let from = -1;
    u.onpointerdown = (e) => { from = [...u.children].indexOf(e.target.closest("li")); };
    addEventListener("pointerup", (e) => { const over = document.elementFromPoint(e.clientX, e.clientY);
      if (from >= 0 && over === d) dropped.push(items[from]); from = -1; });
    ${script}</script>`;
  const dragFirst = async (html: string) => {
    scene = await stage.open(html);
    const elements = await scene.listed();
    const startRef = elements.find(({ role }) => /listitem|button/.test(role))?.ref ?? "";
    const endRef = await scene.ref("region", "Done");
    return scene.port.act({ kind: "drag", startRef, endRef }, scope);
  };

  it.each([
    ["at once", byBrowser(`u.addEventListener("dragstart", () => setTimeout(turn));`)],
    ["under way", byBrowser(`u.addEventListener("drag", turn, { once: true });`)],
    [
      "when drawn",
      byBrowser(`u.addEventListener("dragstart", () => requestAnimationFrame(turn));`),
    ],
    ["over the end", byBrowser(`d.addEventListener("dragenter", turn, { once: true });`)],
    [
      "by a handle",
      byBrowser(`u.addEventListener("dragstart", () => setTimeout(turn));`, "<i>Card</i>"),
    ],
    [
      "by the pointer",
      byPointer(`u.addEventListener("pointerdown", () =>
        addEventListener("pointermove", turn, { once: true }));`),
    ],
    [
      "to new ones",
      byPointer(
        `u.addEventListener("pointerdown", () => setTimeout(() => {
          items = ["Xia", "Yan", "Zoe"]; draw(); }));`,
        "role=button",
      ),
    ],
  ])("in whose place another one comes is not dropped: %s", async (_when, html) => {
    const error = await refusal(dragFirst(html));
    expect(error.reason).toBe("changed_under_click");
    expect(error.message).toMatch(/another one came in its place while it was dragged/);
    expect(await scene.read("dropped")).toEqual([]);
  });

  const LIVE = `let held; u.addEventListener("dragstart", (e) => { held = e.target; });`;
  it.each([
    ["stays", ""],
    [
      "is marked",
      `u.addEventListener("dragstart", (e) => setTimeout(() => e.target.append(" dragging")));`,
    ],
    [
      "is hidden",
      `u.addEventListener("dragstart", (e) => setTimeout(() => { e.target.style.display = "none"; }));`,
    ],
    [
      "is moved to the end",
      `${LIVE} d.addEventListener("dragenter", () => d.append(held), { once: true });`,
    ],
    [
      "is moved in its list",
      `${LIVE} d.addEventListener("dragenter", () => u.append(held), { once: true });`,
    ],
    [
      "leaves a place",
      `u.addEventListener("dragstart", (e) => setTimeout(() => e.target.insertAdjacentHTML("afterend", "<li>Place</li>")));`,
    ],
    [
      "is counted",
      `let n = 0; d.addEventListener("dragover", () => { document.querySelector("h2").textContent = "Todo (" + n++ + ")"; });`,
    ],
  ])("that %s is dropped", async (_what, script) => {
    await dragFirst(byBrowser(script));
    expect(await scene.read("dropped")).toEqual(["Pay Ann"]);
  });

  it("of equal handles goes on when the page moves its row", async () => {
    const row = (name: string) => `<li class=c>${name} <button draggable=true>Move</button></li>`;
    scene =
      await stage.open(`<ul id=u>${["Ann", "Bob", "Cyd"].map(row).join("")}</ul>${PLACE}<script>
      window.dropped = []; let held; u.ondragstart = (e) => { held = e.target.closest("li"); };
      u.ondragover = (e) => { const over = e.target.closest("li");
        if (over && over !== held) over.after(held); };
      d.ondragover = (e) => e.preventDefault();
      d.ondrop = (e) => { e.preventDefault(); dropped.push(held.firstChild.textContent.trim()); };</script>`);
    const [first] = (await scene.listed()).filter(({ name }) => name === "Move");
    const endRef = await scene.ref("region", "Done");
    await scene.port.act({ kind: "drag", startRef: first?.ref ?? "", endRef }, scope);
    expect(await scene.read("dropped")).toEqual(["Ann"]);
  });
});
