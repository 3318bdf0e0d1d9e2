// What a listing shows of a page: roles, names, states, values, levels, and what it leaves out.

import { expect, test } from "vitest";
import { useShownTab } from "./shown-tab.js";
import { scope, toText } from "./tab-fixture.js";

const shown = useShownTab();

async function textOf(html: string): Promise<string> {
  await shown.show(html);
  return toText((await shown.tab.list()).elements);
}

test("a form is listed with names, values and states, and no password", async () => {
  const text = await textOf(`<main><h1>Sign up</h1><form>
    <label for=m>Email</label><input id=m type=email value="a@b.c" required>
    <label>Password <input type=password value="secret"></label>
    <label><input type=checkbox checked> Remember me</label>
    <select aria-label=Size><option>S<option selected>M</select>
    <input aria-label=Code aria-invalid=true readonly value=x><textarea aria-label=Note>hi</textarea>
    <button disabled>Send</button><a href="/x">Terms</a></form></main>`);
  expect(text).toBe(`main
  heading "Sign up" [level=1]
  textbox "Email" [required] = a@b.c
  textbox "Password" [password] = ••••••
  checkbox "Remember me" [checked]
  combobox "Size" = M
    option "S"
    option "M" [selected]
  textbox "Code" [readonly] [invalid] = x
  textbox "Note" [multiline] = hi
  button "Send" [disabled]
  link "Terms"`);
});

test("texts stand beside elements, one for each block, and are not repeated by names", async () => {
  const text =
    await textOf(`<p>Read <a href=/a>this</a> and <b>that</b>.</p><div>One</div><div>Two <span>three</span></div>
    <ul><li>First</li><li>Second <button>Go</button></li></ul>
    <table><tr><th>Key<td>Value <a href=/v>link</a></table>`);
  expect(text).toBe(`paragraph
  text "Read"
  link "this"
  text "and that."
text "One"
text "Two three"
list
  listitem
    text "First"
  listitem
    text "Second"
    button "Go"
table
  row
    rowheader "Key"
    cell "Value link"
      link "link"`);
});

test("what people can click without a role is listed, and once", async () => {
  const text =
    await textOf(`<style>.p{cursor:pointer}</style><div class=p><span>Open</span> it</div>
    <div onclick="1">Handler</div><div tabindex=0>Focus</div><div draggable=true>Drag</div>
    <label class=p><input type=checkbox> Dark</label><details><summary>More</summary>hidden</details>
    <div contenteditable>Write</div><video controls></video>`);
  expect(text).toBe(`generic "Open it" [cursor=pointer]
generic "Handler"
generic "Focus"
generic "Drag"
checkbox "Dark"
generic "More" [collapsed]
textbox = Write
img "video"`);
});

test("a cell that holds much is told by its content instead of a name", async () => {
  const words = "word ".repeat(60).trim();
  const text = await textOf(`<table><tr><td>${words}<button>Go</button></table>`);
  expect(text).toBe(`table\n  row\n    cell\n      text "${words}"\n      button "Go"`);
});

test("what is hidden, inert behind a dialog or in a template is left out", async () => {
  const text =
    await textOf(`<div style="display:none"><button>a</button></div><template><button>b</button></template>
    <div style="visibility:hidden"><button>c</button><button style="visibility:visible">Seen</button></div>
    <div style="content-visibility:hidden"><button>d</button></div><div inert><button>e</button></div>
    <main aria-hidden=true><button>f</button></main><div role=dialog aria-modal=true aria-label=D><button>OK</button></div>`);
  expect(text).toBe(`button "Seen"\ndialog "D"\n  button "OK"`);
});

test("what is hidden from screen readers alone can be acted on, so it is listed", async () => {
  const text = await textOf(`<div aria-hidden=true><p>Text</p><button>Clear</button></div>
    <div role=dialog aria-modal=true style="display:none"><button>Closed</button></div>`);
  expect(text).toBe(`button "Clear"`);
});

test("a listing below a selector or a ref holds that element and what is in it", async () => {
  await textOf(`<nav><a href=/a>A</a></nav><div id=box><button>B</button></div>`);
  const bySelector = await shown.tab.elements.list({ selector: "#box" }, scope());
  expect(toText(bySelector.elements)).toBe(`generic "B"\n  button "B"`);
  const nav = await shown.tab.refOf("navigation", "");
  const byRef = await shown.tab.elements.list({ ref: `@${nav}` }, scope());
  expect(toText(byRef.elements)).toBe(`navigation\n  link "A"`);
  const none = await shown.tab.elements.list({ selector: "#none" }, scope());
  expect(none.elements).toEqual([]);
});

test("a selector that is no CSS is refused with what is wrong", async () => {
  await expect(shown.tab.elements.list({ selector: "##" }, scope())).rejects.toMatchObject({
    code: "invalid_input",
    reason: "selector_invalid",
  });
});

test("secrets in the addresses of links are replaced", async () => {
  await textOf(`<a href="https://u:p@x.test/?token=abcdef123456">L</a><a href="rel">R</a>`);
  const { elements } = await shown.tab.list();
  expect(elements[0]?.url).not.toContain("abcdef123456");
  expect(elements[1]?.url).toBe(`${shown.fixture.origin}/rel`);
});

test("closed shadow roots are told as gaps", async () => {
  await textOf(`<x-closed style="display:block"></x-closed><script>
    customElements.define("x-closed", class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: "closed" }).innerHTML = "<button>Secret</button>"; } });</script>`);
  const { gaps } = await shown.tab.list();
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toContain("<x-closed>");
});

test("what came since the listing before is marked as new, in the same document only", async () => {
  await textOf(`<button>Old</button>`);
  await shown.tab.page.evaluate(
    `document.body.insertAdjacentHTML("beforeend", "<button>New</button>")`,
  );
  const { elements } = await shown.tab.list();
  expect(elements.map(({ name, isNew }) => [name, isNew])).toEqual([
    ["Old", false],
    ["New", true],
  ]);
  await shown.tab.page.reload();
  expect((await shown.tab.list()).elements.some(({ isNew }) => isNew)).toBe(false);
});

test("names in a page cannot hide what the page is made of", async () => {
  const names =
    "localName getAttribute hasAttributes firstChild nextSibling parentNode nodeType checkVisibility matches children closest";
  const fields = names.split(" ").map((name) => `<input name="${name}" aria-label="${name}">`);
  const html = (
    form: string,
  ) => `<img name=querySelector><img name=getElementById><form name=body></form>
    <ul><li>Row <form>${form}<button>In</button></form><button>Beside</button></li></ul><p>After</p>`;
  const expected = await textOf(html(fields.join("").replaceAll(" name=", " data-name=")));
  expect(await textOf(html(fields.join("")))).toBe(expected);
  expect(expected).toContain(`button "In"`);
  const ref = await shown.tab.refOf("button", "In");
  expect((await shown.tab.elements.find(ref, "look", scope())).tag).toBe("button");
  const script = `document.forms[1].prepend(Object.assign(document.createElement("button"), { textContent: "Late" }))`;
  await shown.tab.page.evaluate(script);
  expect((await shown.tab.elements.changes(scope())).added.map(({ name }) => name)).toContain(
    "Late",
  );
  const asks = { op: "text", maxChars: 100, selector: "ul" } as const;
  const { text } = await shown.tab.elements.ask<"text">(shown.tab.page.mainFrame(), asks, scope());
  expect(text).toContain("In");
});
