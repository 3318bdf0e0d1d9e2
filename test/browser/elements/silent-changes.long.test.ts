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

/** The rules of a page, what is done, and the names that are told; each page has a button One in #one. */
const STYLED = [
  [
    "a box that is checked",
    "#one { display: none } :checked ~ main #one { display: block }",
    "box.checked = true",
  ],
  [
    "a box that is checked, in a nested rule",
    "#one { display: none } body { &:has(:checked) { & #one { display: block } } }",
    "box.checked = true",
  ],
  [
    "what stands before it",
    "#one { visibility: hidden } p.on + div #one { visibility: visible }",
    "before.className = 'on'",
  ],
  [
    "the focus",
    "#one { display: none } body:focus-within #one { display: block }",
    "field.focus()",
  ],
  [
    "a value of a rule",
    "#one { --shown: none } body:has(:checked) #one { --shown: block } #one { display: var(--shown) }",
    "box.checked = true",
  ],
  [
    "a rule that is written anew",
    "#one { display: none }",
    "document.styleSheets[0].cssRules[0].style.display = 'block'",
  ],
  [
    "a rule for others that is written anew",
    "#one { display: none } #two { color: red }",
    "document.styleSheets[0].cssRules[1].selectorText = '#one, #two'; document.styleSheets[0].cssRules[1].style.setProperty('display', 'block')",
  ],
  [
    "a sheet that is added",
    "#one { display: none }",
    "{ const sheet = new CSSStyleSheet(); sheet.replaceSync('#one { display: block }'); document.adoptedStyleSheets = [sheet]; }",
  ],
  [
    "a sheet that does not count",
    "#one { display: none }",
    "document.styleSheets[0].disabled = true",
  ],
  [
    "the size of what it stands in",
    "#one { display: none } main { container-type: inline-size; width: 100px } @container (width > 500px) { #one { display: block } } :checked ~ main { width: 600px }",
    "box.checked = true",
  ],
  ["a movement", "", "one.animate({ visibility: ['hidden', 'hidden'] }, 1e6)"],
  [
    "a class that is named as states are",
    "#one { display: none } .on\\:click #one { display: block }",
    "document.querySelector('main').className = 'on:click'",
  ],
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

test.each(STYLED)(
  "what is shown or hidden by %s is told on a large page",
  async (_what, rules, script) => {
    await shown.show(`<style>${rules}</style><input type=checkbox id=box aria-label=Box><input id=field aria-label=Field>
    <main><p id=before>Before</p><div><div id=one><button>One</button></div></div><div id=two></div></main>${FILLER}`);
    await shown.tab.list();
    expect(await namesAfter("two.title = 'a'")).toEqual([]);
    expect(await namesAfter(script)).toContain("One");
  },
);

test("what a drawing hides by itself is told on a large page", async () => {
  await shown.show(`<svg width=50 height=50><g id=one role=button tabindex=0 aria-label=One><rect width=9 height=9></rect>
    <set id=hides attributeName=visibility to=hidden begin=indefinite></set></g></svg>${FILLER}`);
  await shown.tab.list();
  expect(await namesAfter("hides.beginElement()")).toEqual(["One"]);
});

test("what is hidden once a movement ends is told on a large page", async () => {
  await shown.show(`<style>#one { transition: visibility 300ms } .off { visibility: hidden }</style>
    <main><div id=one><button>One</button></div></main>${FILLER}`);
  await shown.tab.list();
  expect(await namesAfter("one.className = 'off'")).toEqual([]);
  await shown.run("Promise.all(document.getAnimations().map(({ finished }) => finished))");
  expect(await namesAfter("")).toEqual(["One"]);
});

test("what the size of the window shows, and what a script shows over all, is told on a large page", async () => {
  await shown.show(`<style>@media (width < 700px) { #one { display: none } }</style>
    <main><div id=one><button>One</button></div></main><div id=two popover><button>Two</button></div>${FILLER}`);
  await shown.tab.list();
  const size = shown.tab.page.viewportSize() ?? { width: 1_280, height: 720 };
  await shown.tab.page.setViewportSize({ ...size, width: 600 });
  expect(await namesAfter("")).toEqual(["One"]);
  await shown.tab.page.setViewportSize(size);
  expect(await namesAfter("")).toEqual(["One"]);
  expect(await namesAfter("two.showPopover()")).toEqual(["Two"]);
});

test("what is hidden by a sheet of another origin, or in a shadow root, is told on a large page", async () => {
  const rule = encodeURIComponent("body:has(:checked) #one { display: none }");
  await shown.show(`<link rel=stylesheet href="data:text/css,${rule}"><input type=checkbox id=box aria-label=Box>
    <main><div id=one><button>One</button></div></main>${FILLER}`);
  await shown.tab.list();
  expect(await namesAfter("box.checked = true")).toEqual(["Box", "One"]);
  await shown.show(`<main><div id=host><template shadowrootmode=open><style>:checked ~ div { display: none }</style>
    <input type=checkbox aria-label=Box><div><button>Deep</button></div></template></div></main>${FILLER}`);
  await shown.tab.list();
  expect(await namesAfter("host.shadowRoot.querySelector('input').checked = true")).toEqual([
    "Box",
    "Deep",
  ]);
});

/** The page, what is done, and the names that are told. */
const OUT_OF_SIGHT = [
  [
    "a word that is hidden in a line",
    "<main><div>Price 10 <span id=one>SOLD OUT</span></div></main>",
    "one.hidden = true",
    ["Price 10", "Price 10 SOLD OUT"],
  ],
  [
    "what is moved to another document",
    "<main><div id=two><button id=one>One</button></div></main>",
    "new DOMParser().parseFromString('', 'text/html').body.append(one)",
    ["One"],
  ],
  [
    "what comes behind something open",
    "<main inert><div id=two></div></main><div role=dialog aria-modal=true aria-label=Open><button>Close</button></div>",
    "two.innerHTML = '<button>One</button>'",
    [],
  ],
  [
    "what has no box and stands in what is hidden",
    "<main><div style='display: none'><button id=one style='display: contents'>Old</button></div></main>",
    "one.textContent = 'One'",
    [],
  ],
] as const;

test.each(OUT_OF_SIGHT)(
  "%s is told on a large page as it is seen",
  async (_what, html, script, names) => {
    await shown.show(`${html}${FILLER}`);
    await shown.tab.list();
    expect(await namesAfter(script)).toEqual(names);
  },
);

test("a part that was listed by itself is not told as gone", async () => {
  await shown.show("<div><div id=a>Alpha</div><div>Beta</div></div><p id=o>n0</p>");
  await shown.tab.list();
  await shown.tab.elements.list({ selector: "#a" }, scope());
  expect(await namesAfter("o.textContent = 'n1'")).toEqual(["n0", "n1"]);
});
