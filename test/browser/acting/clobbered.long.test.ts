// Fields of a form, and pictures of a document, that bear the names of what our code asks of elements:
// `<input name="parentNode">` hides the parent of its form in every world. Nothing hangs, nothing fails.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStage, type Scene, type Stage, scope, signal } from "./stage.js";

const SOURCE = join(import.meta.dirname, "../../../src/drivers/browser/inpage");
/** `a.name`, `a?.name`, `"name"`, and names taken out of objects. */
const ASKED = /[."]([a-zA-Z]\w*)|(?<=[{,]\s*)([a-zA-Z]\w*)(?=\s*[,}:])/gu;
const LIMIT = { signal, timeoutMs: 5_000 };

let stage: Stage;
let scene: Scene;
let names: { readonly form: readonly string[]; readonly document: readonly string[] };
beforeAll(async () => {
  stage = await createStage();
  scene = await stage.open("<p>Names</p>");
  const asked = JSON.stringify([...readNames()]);
  names = (await scene.read(`({
    form: ${asked}.filter((name) => name in HTMLFormElement.prototype),
    document: ${asked}.filter((name) => name in Document.prototype),
  })`)) as typeof names;
});
afterEach(() => scene.close());
afterAll(() => stage.close());

/** All words by which the code for pages may ask an object for something. */
function readNames(): ReadonlySet<string> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(SOURCE, file), "utf8"));
  const found = texts.flatMap((text) => [...text.matchAll(ASKED)].map(([, a, b]) => a ?? b ?? ""));
  return new Set(found);
}

const CONTENT = `<button type=button id=go>Go</button> <label>Name <input id=field></label>
  <label><input type=checkbox id=box> Box</label>
  <select aria-label=Color id=color><option>Red<option>Blue</select>
  <ul><li>Ann <button type=button>Delete</button><li>Bob <button type=button>Delete</button></ul>
  <div role=button tabindex=0 draggable=true id=card>Card</div><div role=group aria-label=End id=end>End</div>`;
const SCRIPT = `<script>window.seen = []; go.addEventListener("click", () => seen.push("go"));
  end.addEventListener("dragover", (e) => e.preventDefault());
  end.addEventListener("drop", () => seen.push("drop"));</script>`;

async function expectUsable(): Promise<void> {
  const ref = (role: string, name: string) => scene.ref(role, name);
  const act = (action: Parameters<Scene["port"]["act"]>[0]) => scene.port.act(action, scope);
  await act({ kind: "click", ref: await ref("button", "Go") });
  await act({ kind: "type", ref: await ref("textbox", "Name"), text: "abc" });
  await act({ kind: "fill", fields: [{ ref: await ref("checkbox", "Box"), value: true }] });
  await act({ kind: "select", ref: await ref("combobox", "Color"), values: ["Blue"] });
  await act({ kind: "hover", ref: await ref("button", "Delete") });
  await act({ kind: "wait", text: "Bob", selector: "ul" });
  const [startRef, endRef] = [await ref("button", "Card"), await ref("group", "End")];
  await act({ kind: "drag", startRef, endRef });
  const read = `[seen, field.value, box.checked, color.value]`;
  expect(await scene.read(read)).toEqual([["go", "drop"], "abc", true, "Blue"]);
  const { text } = await scene.port.text({ signal, maxChars: 500 });
  expect(text).toContain("Ann");
}

describe("names that hide what an element says of itself", () => {
  it("are as many as the code asks for", () => {
    expect(names.form).toEqual(expect.arrayContaining(["parentNode", "getAttribute", "matches"]));
    expect(names.document.length).toBeGreaterThan(5);
  });

  it("all in one form change nothing", async () => {
    const fields = names.form.map((name) => `<input type=hidden name="${name}">`).join("");
    scene = await stage.open(`<form>${fields}${CONTENT}</form>${SCRIPT}`);
    await expectUsable();
  });

  it("all in one document change nothing", async () => {
    const pictures = names.document.map((name) => `<img name="${name}" alt="" width=1>`).join("");
    scene = await stage.open(`${CONTENT}${SCRIPT}${pictures}`);
    await expectUsable();
  });

  it("each in a form of its own change nothing", async () => {
    const forms = names.form.map(
      (name) =>
        `<form><input type=hidden name="${name}"><button type=button>Go ${name}</button></form>`,
    );
    scene = await stage.open(forms.join(""));
    const elements = await scene.listed();
    const frame = scene.page.mainFrame();
    for (const name of names.form) {
      const { ref = "" } = elements.find((each) => each.name === `Go ${name}`) ?? {};
      const found = await scene.elements.find(ref, "click", LIMIT);
      const asks = { op: "arm", ref: found.ref, input: "pointer" } as const;
      expect(await scene.elements.ask<"arm">(frame, asks, LIMIT)).toEqual({ isArmed: true });
    }
    await scene.elements.ask<"disarm">(frame, { op: "disarm" }, LIMIT);
  });
});
