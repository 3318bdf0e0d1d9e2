// A page that writes its document anew by document.open() takes away every listener of the window: input
// is guarded there as before, and one click is one.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const writing = (html: string) => `document.open();
  document.write(${JSON.stringify(html).replaceAll("</", "<\\/")}); document.close();`;
const page = (html: string) => `<script>function renew() { ${writing(html)} }</script>
  <p>Before</p><button onclick="renew()">Write</button>`;
const rows = (on: string) => `<script>window.hits = []</script><ul>${["Alice", "Bob"]
  .map((name) => `<li><b>${name}</b> <button>Delete</button></li>`)
  .join("")}</ul><script>
  const [x, y] = document.querySelectorAll("b"), [first] = document.querySelectorAll("button");
  for (const button of document.querySelectorAll("button"))
    button.onclick = () => hits.push(button.previousElementSibling.textContent);
  first.addEventListener("${on}", () => { x.textContent = "Bob"; y.textContent = "Alice"; }, { once: true });
  </script>`;
const FORM = `<script>window.hits = []</script><button onclick="hits.push('go')">Go</button>
  <label>Name <input id=i></label>`;

const open = async (html: string) => {
  scene = await stage.open(page(html));
  return scene.click("button", "Write");
};

describe("a page that writes its document anew", () => {
  it("gets one click for one, and the text that is typed", async () => {
    await open(FORM);
    await scene.click("button", "Go");
    expect(await scene.read("hits")).toEqual(["go"]);
    const ref = await scene.ref("textbox", "Name");
    await scene.port.act({ kind: "type", ref, text: "Ann" }, scope);
    await scene.port.act({ kind: "type", ref, text: "Bob", slowly: true }, scope);
    expect(await scene.read("i.value")).toBe("Bob");
  });

  it("refuses the refs from before, and tells what came", async () => {
    scene = await stage.open(page(FORM));
    const ref = await scene.ref("button", "Write");
    const { change } = await scene.port.act({ kind: "click", ref }, scope);
    expect(change.added.map(({ name }) => name)).toContain("Go");
    const error = await refusal(scene.port.act({ kind: "click", ref }, scope));
    expect(error).toMatchObject({ reason: "stale_ref", details: { why: "detached" } });
  });

  it.each(["mousemove", "pointerdown"])(
    "gets no click on a row that is another at %s",
    async (on) => {
      await open(rows(on));
      const error = await refusal(scene.click("button", "Delete"));
      expect(["stale_ref", "changed_under_click"]).toContain(error.reason);
      expect(await scene.read("hits")).toEqual([]);
    },
  );

  it("under the pointer gets no click on what came there", async () => {
    const same = `<script>window.hits = []</script><button style="position:fixed;inset:0"
      onclick="hits.push('wrong')">Delete all</button>`;
    scene =
      await stage.open(`<script>window.hits = []; function renew() { ${writing(same)} }</script>
      <button style="position:fixed;inset:0" onpointermove="renew()">Keep</button>`);
    const error = await refusal(scene.click("button", "Keep"));
    expect(error).toMatchObject({ reason: "stale_ref", details: { why: "detached" } });
    expect(await scene.read("hits")).toEqual([]);
  });

  it("in a frame is guarded as well", async () => {
    scene = await stage.open(`<iframe title=Pane srcdoc="<p>Before</p>"></iframe><script>
      function renew() { const { contentDocument: document } = window[0].frameElement;
        ${writing(rows("mousemove"))} }</script><button onclick="renew()">Write</button>`);
    await scene.listed();
    await scene.click("button", "Write");
    const error = await refusal(scene.click("button", "Delete"));
    expect(["stale_ref", "changed_under_click"]).toContain(error.reason);
    expect(await scene.read("window[0].hits")).toEqual([]);
  });

  it("with a listener that keeps the click to itself gets one, and that is told", async () => {
    await open(`<button>Go</button><script>window.hits = [];
      for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
        addEventListener(type, (event) => { hits.push(type); event.stopImmediatePropagation(); }, true);
      </script>`);
    const error = await refusal(scene.click("button", "Go"));
    expect(error.message).toMatch(/it is unknown whether the click arrived/);
    expect(await scene.read("hits.filter((type) => type === 'click')")).toEqual(["click"]);
  });

  it("tells a box that is checked there", async () => {
    await open(`<label>Loud <input type=checkbox></label>${"<p>x</p>".repeat(400)}`);
    const { change } = await scene.click("checkbox", "Loud");
    expect(change.changed.map(({ now }) => now.states.join())).toEqual(["checked,focused"]);
  });
});
