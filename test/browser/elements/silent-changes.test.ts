// What changes on a large page without a record of it at that place: fields that scripts set, and what
// styles alone show or hide. And that a listing of a part leaves what was told as it was.

import { expect, test } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { scope } from "./tab-fixture.js";

const MANY = 3_000;
const FILLER = `<div>${Array.from({ length: MANY }, (_, at) => `<p>Line ${at} <a href="/${at}">l${at}</a></p>`).join("")}</div>`;
const PAGE = `<style>.p { display: none } .open ~ main .p1, body:has(#x[data-o]) .p2 { display: block }</style>
  <header id=x><button>Menu</button></header><main><div class="p p1"><button>One</button></div>
  <div class="p p2"><button>Two</button></div><div class="p p3"><button>Three</button></div></main>
  <form id=form><label>Total <input id=total value=1></label><input type=checkbox id=box aria-label=Box></form>
  <label id=lab for=named>First</label><div><input id=named></div>
  <div id=line>Near <span id=far>Far</span> end</div><div id=host></div>`;

/** What is done, and the names that are told. */
const CASES = [
  ["a value", "total.value = 99", ["Total"]],
  ["a check", "box.checked = true", ["Box"]],
  ["a form that is reset", "form.reset()", ["Box", "Total"]],
  ["a class elsewhere", "x.classList.add('open')", ["One"]],
  ["a mark elsewhere", "x.dataset.o = 1", ["Two"]],
  ["a rule", "document.styleSheets[0].insertRule('.p3 { display: block }', 2)", ["Three"]],
  ["a word in a line", "far.textContent = 'Farther'", ["Near Far end", "Near Farther end"]],
  ["a word that is hidden", "far.hidden = true", ["Near Farther end", "Near end"]],
  ["a label that went", "lab.remove()", [""]],
  ["a shadow root", "host.attachShadow({ mode: 'open' }).innerHTML = '<b>Deep</b>'", ["Deep"]],
] as const;

const shown = useShownTab();

async function namesAfter(script: string): Promise<readonly string[]> {
  const { elements } = shown.tab;
  await elements.watch(scope());
  await shown.run(`{ ${script} }`);
  const { added, removed, changed } = await elements.changes(scope());
  return [...added, ...removed, ...changed.map(({ now }) => now)].map(({ name }) => name).sort();
}

test("what changes without a record is told on a large page", async () => {
  await shown.show(`${PAGE}${FILLER}`);
  await shown.tab.list();
  const told: unknown[] = [];
  for (const [title, script] of CASES) told.push([title, await namesAfter(script)]);
  expect(told).toEqual(CASES.map(([title, , names]) => [title, names]));
});

test("a part that was listed by itself is not told as gone", async () => {
  await shown.show("<div><div id=a>Alpha</div><div>Beta</div></div><p id=o>n0</p>");
  await shown.tab.list();
  await shown.tab.elements.list({ selector: "#a" }, scope());
  expect(await namesAfter("o.textContent = 'n1'")).toEqual(["n0", "n1"]);
});
