// Accessible names, case by case: what the computation of names in ARIA and HTML-AAM asks for.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createTabFixture, type TabFixture } from "./tab-fixture.js";

const IMAGE = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";

/** What is asked, the HTML of one element with role, and its name. */
const CASES: readonly (readonly [why: string, html: string, name: string])[] = [
  ["text", "<button>Save</button>", "Save"],
  ["spaces are one", "<button>  Save\n  all </button>", "Save all"],
  ["aria-label wins over text", `<button aria-label="Close">x</button>`, "Close"],
  ["an empty aria-label does not", `<button aria-label=" ">x</button>`, "x"],
  [
    "a reference wins over aria-label",
    `<button aria-label="No" aria-labelledby="r1">x</button><i id=r1>Yes</i>`,
    "Yes",
  ],
  [
    "references are joined in their order",
    `<button aria-labelledby="r3 r2">x</button><i id=r2>two</i><i id=r3>one</i>`,
    "one two",
  ],
  [
    "a reference to itself",
    `<button id=r4 aria-label="Delete" aria-labelledby="r4 r5"></button><i id=r5>file</i>`,
    "Delete file",
  ],
  ["a reference to nothing falls back", `<button aria-labelledby="nowhere">text</button>`, "text"],
  [
    "a hidden target counts",
    `<button aria-labelledby="r6">x</button><i id=r6 hidden>hidden</i>`,
    "hidden",
  ],
  [
    "hidden parts of the content do not",
    `<button>a<span hidden>b</span><span aria-hidden=true>c</span></button>`,
    "a",
  ],
  ["inline parts are one word", "<button><b>In</b><i>line</i></button>", "Inline"],
  ["blocks are words", "<button><div>Two</div><div>words</div></button>", "Two words"],
  ["a line break is a space", "<button>a<br>b</button>", "a b"],
  ["alt of an image", `<button><img src="${IMAGE}" alt="Print"></button>`, "Print"],
  ["an empty alt is nothing", `<button><img src="${IMAGE}" alt="">Go</button>`, "Go"],
  ["title of an svg", "<button><svg width=9 height=9><title>Chart</title></svg></button>", "Chart"],
  [
    "label of an inner role",
    `<button><span role=img aria-label="Heart"></span> Like</button>`,
    "Heart Like",
  ],
  ["title when nothing else", `<button title="Help"></button>`, "Help"],
  ["text wins over title", `<button title="Help">?</button>`, "?"],
  ["label by for", "<label for=n1>Name</label><input id=n1>", "Name"],
  ["label around", "<label>City <input></label>", "City"],
  [
    "labels around and by for, in their order",
    "<label for=n8>Before</label> <label>around <input id=n8></label> <label for=n8>after</label>",
    "Before around after",
  ],
  ["a label around that is for its field", "<label for=n9>Both <input id=n9></label>", "Both"],
  ["a label around that is for another field", "<label for=nowhere>No <input></label>", ""],
  [
    "two labels",
    "<label for=n2>First</label><label for=n2>last</label><input id=n2>",
    "First last",
  ],
  [
    "the field itself is no part of its label",
    "<label>Every <input value=5> minutes</label>",
    "Every minutes",
  ],
  [
    "a label may say more by aria-label",
    `<label aria-label="Spoken" for=n3>Seen</label><input id=n3>`,
    "Spoken",
  ],
  ["title of a field", `<input title="Zip">`, "Zip"],
  ["placeholder last", `<input placeholder="Search">`, "Search"],
  ["title wins over placeholder", `<input title="T" placeholder="P">`, "T"],
  ["value of a button", `<input type=button value="Go on">`, "Go on"],
  ["submit without words", "<input type=submit>", "Submit"],
  ["reset without words", "<input type=reset>", "Reset"],
  ["alt of an image button", `<input type=image alt="Buy" src="${IMAGE}">`, "Buy"],
  ["select by label", "<label>Size <select><option>S</select></label>", "Size"],
  [
    "an embedded field gives its value",
    `<label><input type=checkbox> Flash <input aria-label=times value=3> times</label>`,
    "Flash 3 times",
  ],
  ["content of a heading inside a link", "<a href=/x><h3>Title</h3><p>Text</p></a>", "Title Text"],
  ["a link by its image", `<a href=/x><img src="${IMAGE}" alt="Logo"></a>`, "Logo"],
  ["tab by content", "<div role=tablist><div role=tab>One</div></div>", "One"],
  [
    "switch by aria-label",
    `<div role=switch aria-label=Wifi aria-checked=true tabindex=0></div>`,
    "Wifi",
  ],
  [
    "a treeitem without its group",
    "<ul role=tree><li role=treeitem>src<ul role=group><li role=treeitem>a</ul></ul>",
    "src",
  ],
  ["soft hyphens are not seen", "<button>Don&shy;au</button>", "Donau"],
  ["letters of icon fonts say nothing", `<button class=icon>Save</button>`, "Save"],
  ["text before by a style sheet", `<button class=pre>Save</button>`, "Pre: Save"],
  ["text after by a style sheet", `<button class=post>Save</button>`, "Save!"],
  ["unknown roles are passed over", `<div role="bogus button" tabindex=0>Second</div>`, "Second"],
  ["decoration that takes the focus is none", `<button role=presentation>Still</button>`, "Still"],
  ["quotes stay", `<button>Say "hi"</button>`, 'Say "hi"'],
];

const STYLE = `<style>.icon::before{content:"\\e900"} .pre::before{content:"Pre: "} .post::after{content:"!"}</style>`;

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
});
afterAll(() => fixture.close());

test("every element has the name that the rules give it", async () => {
  const html = CASES.map(
    ([, inner], index) => `<div role=group aria-label="c${index}">${inner}</div>`,
  );
  const tab = await fixture.open(`${STYLE}${html.join("\n")}`);
  const names = new Map<string, string>();
  let current = "";
  for (const { role, name, isInteractive } of (await tab.list()).elements) {
    if (role === "group" && /^c\d+$/.test(name)) current = name;
    else if (isInteractive && !names.has(current)) names.set(current, name);
  }
  const found = CASES.map(([why], index) => [why, names.get(`c${index}`)]);
  expect(found).toEqual(CASES.map(([why, , name]) => [why, name]));
});
