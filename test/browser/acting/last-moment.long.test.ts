// Pages that write another item into the place in the last moment: in their own listeners of the event,
// behind our look and before the browser does what it does by itself.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
  writeFileSync(join(stage.folder, "uploads", "a.txt"), "hello");
});
afterAll(() => stage.close());

/** Rows without keys: the names move on by one, the fields stay. `log` has the row of each effect. */
const page = (field: string, on: string, where = "document") => `
  <style>a, label { cursor: pointer }</style>
  <ul>${["Ann", "Bob", "Cy"].map((name) => `<li><b>${name}</b> ${field}</li>`).join("")}</ul>
  <script>window.log = [];
  const rowOf = (node) => node.closest("li").querySelector("b").textContent;
  const rotate = () => { const all = [...document.querySelectorAll("b")];
    const names = all.map((b) => b.textContent);
    all.forEach((b, at) => { b.textContent = names[(at + 1) % 3]; }); };
  for (const type of ["change", "submit", "input"])
    addEventListener(type, (e) => { log.push(rowOf(e.target)); if (type === "submit") e.preventDefault(); }, true);
  ${on && `${where}.addEventListener("${on}", (e) => { rotate(); }, { once: true });`}
  </script>`;

const refOfBob = async (name: string) => {
  const found = (await scene.listed()).filter((each) => each.name === name && each.ref);
  return found[1]?.ref ?? "";
};

const ARROWS = [
  ["a list", "<select aria-label=Value><option>user<option>admin</select>"],
  ["a slider", "<input type=range aria-label=Value>"],
  ["a date", `<input type=date aria-label=Value value="2026-03-09">`],
  ["a number", `<input type=number aria-label=Value value=3>`],
] as const;

describe.each(ARROWS)("an arrow key for %s", (_what, field) => {
  const press = async (on: string, where?: string) => {
    scene = await stage.open(page(field, on, where));
    return scene.port.act({ kind: "press", ref: await refOfBob("Value"), key: "ArrowUp" }, scope);
  };

  it("works in the row that was named", async () => {
    scene = await stage.open(page(field, ""));
    const key = field.startsWith("<select") ? "ArrowDown" : "ArrowUp";
    await scene.port.act({ kind: "press", ref: await refOfBob("Value"), key }, scope);
    expect(new Set((await scene.read("log")) as string[])).toEqual(new Set(["Bob"]));
  });

  it.each(["window", "document", "document.querySelectorAll('li')[1]"])(
    "does nothing to the row that came there when it went down (%s)",
    async (where) => {
      const { change } = await press("keydown", where);
      expect(await scene.read("log")).toEqual([]);
      expect(change.events.join()).toMatch(/another one since the last key.*held back/);
    },
  );
});

describe("a key of a text", () => {
  const field = "<input aria-label=Note>";
  it.each([
    ["keydown", "document"],
    ["beforeinput", "document"],
    ["beforeinput", "document.querySelectorAll('input')[1]"],
  ])("is not written into the row that came there at %s (%s)", async (on, where) => {
    // A text that goes in at once comes without keys.
    for (const slowly of on === "keydown" ? [true] : [true, false]) {
      scene = await stage.open(page(field, on, where));
      const ref = await refOfBob("Note");
      const typing = scene.port.act({ kind: "type", ref, text: "x", slowly }, scope);
      expect((await refusal(typing)).reason).toBe("changed_under_click");
      expect(
        await scene.read("[...document.querySelectorAll('input')].map((i) => i.value)"),
      ).toEqual(["", "", ""]);
    }
  });

  it("goes into the row that was named when the page stops it on its way", async () => {
    scene = await stage.open(
      page(field, "").replace(
        "</script>",
        `
        document.addEventListener("keydown", (e) => e.stopPropagation());</script>`,
      ),
    );
    const ref = await refOfBob("Note");
    await scene.port.act({ kind: "type", ref, text: "ab", slowly: true }, scope);
    expect(await scene.read("log")).toEqual(["Bob", "Bob"]);
  });
});

describe("a click by which the rows move on", () => {
  const click = async (field: string, name: string, on = "click", where?: string) => {
    scene = await stage.open(page(field, on, where));
    return scene.port.act({ kind: "click", ref: await refOfBob(name) }, scope);
  };

  it.each(["document", "document.querySelectorAll('a')[1]"])(
    "follows no link of the row that came there (%s)",
    async (where) => {
      const { change } = await click(`<a href="#gone">Remove</a>`, "Remove", "click", where);
      expect(await scene.read("location.hash")).toBe("");
      expect(change.events.join()).toMatch(/another one since it was clicked.*held back/);
    },
  );

  it("sends no form of the row that came there", async () => {
    await click("<form><button>Pay</button></form>", "Pay");
    expect(await scene.read("log")).toEqual([]);
  });

  it("follows the link of the row that was named", async () => {
    await click(`<a href="#gone">Remove</a>`, "Remove", "");
    expect(await scene.read("location.hash")).toBe("#gone");
  });

  it("leaves a box ticked that was ticked before the page heard of it", async () => {
    await click("<input type=checkbox aria-label=Done>", "Done");
    expect(await scene.read("document.querySelectorAll('input')[1].checked")).toBe(true);
  });

  it("gives no files to the row that came there", async () => {
    scene = await stage.open(page("<input type=file aria-label=Files>", "click"));
    const fields = (await scene.listed()).filter(({ name }) => name.includes("Files"));
    const giving = scene.port.upload({ paths: ["a.txt"], ref: fields[1]?.ref ?? "", ...scope });
    expect((await refusal(giving)).reason).toBe("chooser_missing");
    expect(await scene.read("log")).toEqual([]);
  });
});

describe("a label whose field is another one since the press", () => {
  const press = async (does: string) => {
    scene = await stage.open(`<style>label { cursor: pointer }</style>
      <label for=a onpointerdown="${does}">Check</label>
      <div id=box><input type=checkbox id=a hidden></div><input type=checkbox id=b hidden>`);
    const label = (await scene.listed()).find(({ name, ref }) => name === "Check" && ref);
    return scene.port.act({ kind: "click", ref: label?.ref ?? "" }, scope);
  };

  it("does not tick it", async () => {
    const error = await refusal(press("this.htmlFor = 'b'"));
    expect(error.reason).toBe("changed_under_click");
    expect(await scene.read("[a.checked, b.checked]")).toEqual([false, false]);
  });

  it("ticks one that was only drawn anew", async () => {
    await press("box.innerHTML = box.innerHTML");
    expect(await scene.read("a.checked")).toBe(true);
  });
});

describe("a pointer that comes over a row", () => {
  const hover = async (script: string, on = "") => {
    scene = await stage.open(
      page("<button>Info</button>", on).replace("</script>", `${script}</script>`),
    );
    return scene.port.act({ kind: "hover", ref: await refOfBob("Info") }, scope);
  };

  it.each(["pointerover", "mouseover", "mousemove"])(
    "says that another one came there at %s",
    async (on) => {
      const error = await refusal(hover("", on));
      expect(error.reason).toBe("changed_under_click");
      expect(error.message).toMatch(/it became another one when the pointer came/);
    },
  );

  it("says so of one that was nowhere", async () => {
    const names = `document.querySelectorAll("b").forEach((b, at) => { b.textContent = "Xyz"[at]; })`;
    const error = await refusal(hover(`addEventListener("mouseover", () => { ${names} });`));
    expect(error.reason).toBe("changed_under_click");
  });

  it.each([
    [
      "shows what can be done",
      `row.insertAdjacentHTML("beforeend", "<button>Edit</button><i>now</i>")`,
    ],
    ["is marked", `row.className = "over"; row.querySelector("button").append(" shown")`],
  ])("that %s is told as before", async (_what, does) => {
    await hover(`addEventListener("mouseover", (e) => {
      const row = e.target.closest("li"); if (!row) return; ${does}; window.seen = rowOf(row.firstChild);
    }, { once: true });`);
    expect(await scene.read("seen")).toBe("Bob");
  });
});
