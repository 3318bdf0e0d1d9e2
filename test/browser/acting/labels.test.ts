// Labels that are clicked by their own refs: the browser clicks their field next, seen or not.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, type Scene, type Stage, scope, signal } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const PAGE = `<style>label, span { cursor: pointer }</style>
  <label for=f>Attach</label> <label for=c>Check</label>
  <label for=d><span onclick="0">Inner</span></label> <label for=n>Swap</label>
  <input type=file id=f style="display:none"><input type=checkbox id=c style="display:none">
  <input type=checkbox id=d style="display:none">
  <input type=checkbox id=n style="display:none"><input type=checkbox id=w style="display:none">
  <script>window.clicked = [];
  for (const field of document.querySelectorAll("input"))
    field.addEventListener("click", () => clicked.push(field.id));
  const swap = document.querySelector("[for=n]");
  swap.addEventListener("click", () => { swap.htmlFor = "w"; });</script>`;

const refOf = async (name: string) => {
  const found = (await scene.listed()).filter((each) => each.name === name && each.ref);
  // No field is shown, so it is the label that stands for one, or what is in it.
  const label = found.find(({ role }) => role !== "checkbox") ?? found[0];
  if (!label?.ref) throw new Error(`no ${name}`);
  return label.ref;
};

describe("a label that is clicked", () => {
  it.each([
    ["Check", "c"],
    ["Inner", "d"],
  ])("%s checks its box", async (name, id) => {
    scene = await stage.open(PAGE);
    await scene.port.act({ kind: "click", ref: await refOf(name) }, scope);
    expect(await scene.read(`[clicked, ${id}.checked]`)).toEqual([[id], true]);
  });

  it("twice unchecks it again", async () => {
    scene = await stage.open(PAGE);
    const ref = await refOf("Check");
    await scene.port.act({ kind: "click", ref, doubleClick: true }, scope);
    expect(await scene.read("[clicked, c.checked]")).toEqual([["c", "c"], false]);
  });

  it("does not click the field that it gets by that", async () => {
    scene = await stage.open(PAGE);
    await scene.port.act({ kind: "click", ref: await refOf("Swap") }, scope);
    expect(await scene.read("w.checked")).toBe(false);
  });

  it("opens the file chooser of its input, which takes files", async () => {
    scene = await stage.open(PAGE);
    const path = join(stage.folder, "uploads", "a.txt");
    writeFileSync(path, "a");
    await scene.port.upload({ paths: [path], ref: await refOf("Attach"), signal });
    expect(await scene.read("f.files[0].name")).toBe("a.txt");
  });
});
