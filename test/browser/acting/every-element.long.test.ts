// Small tasks as benchmarks for agents pose them: whatever a person can act on there has a ref.

import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createStage, type Scene, type Stage } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterEach(() => scene.close());
afterAll(() => stage.close());

/** What listens has the class `on`; every piece has a word of its own. */
const TASKS: readonly (readonly [task: string, html: string, words: readonly string[]])[] = [
  [
    "a list that completes words",
    "<input aria-label=Tag><ul><li class=on>Algeria<li class=on>Albania</ul>",
    ["Tag", "Algeria", "Albania"],
  ],
  [
    "a calendar",
    "<table><tr><td class=on><a>14</a><td class=on><a>15</a></table><span class=on>Next</span>",
    ["14", "15", "Next"],
  ],
  [
    "a tree",
    "<ul><li><span class=on>Root</span><ul><li><span class=on>Leaf</span></ul></ul>",
    ["Root", "Leaf"],
  ],
  [
    "tabs without roles",
    "<div><div class=on>First</div><div class=on>Second</div></div>",
    ["First", "Second"],
  ],
  [
    "a mail list",
    "<div class=on><div>Ada</div><div>Subject</div><span class=on title=Star></span></div>",
    ["Star"],
  ],
  [
    "a slider and a spinner",
    "<span tabindex=0 class=on title=Handle style='display:inline-block;width:9px;height:9px'></span><a class=on>Up</a><input type=range aria-label=Volume>",
    ["Handle", "Up", "Volume"],
  ],
  [
    "shapes",
    "<svg width=200 height=60><circle class=on r=20 cx=30 cy=30 fill=red /><text class=on x=80 y=30>Ten</text></svg>",
    ["circle on red", "Ten"],
  ],
  [
    "an editor",
    "<div contenteditable aria-label=Body>x</div><i class=on title=Bold>b</i>",
    ["Body", "b"],
  ],
  [
    "things to drag",
    "<div draggable=true>Crate</div><div draggable=true>Barrel</div>",
    ["Crate", "Barrel"],
  ],
  [
    "boxes with labels",
    "<label><input type=checkbox>Milk</label><label><input type=radio>Tea</label><select aria-label=Size><option>S</select>",
    ["Milk", "Tea", "Size"],
  ],
  [
    "words of a text",
    "<p>Read <span class=on>this</span> and <b class=on>that</b>.</p>",
    ["this", "that"],
  ],
  [
    "images",
    "<img class=on alt=Cat width=20 height=20><div class=on role=img aria-label=Dog style='width:20px;height:20px'></div>",
    ["Cat", "Dog"],
  ],
];

it.each(TASKS)("%s", async (_task, html, words) => {
  scene = await stage.open(`${html}<script>
    for (const one of document.querySelectorAll(".on")) one.addEventListener("click", () => {});
  </script>`);
  const listed = await scene.listed();
  const missing = words.filter((word) => {
    const at = listed.findIndex(({ name }) => name === word);
    // An item without a name of its own has its words in the line below.
    return ![listed[at], listed[at - 1]].some((one) => one?.isInteractive);
  });
  expect(
    missing,
    JSON.stringify(listed.map(({ role, name, isInteractive }) => [role, name, isInteractive])),
  ).toEqual([]);
});
