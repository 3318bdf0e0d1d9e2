// What a listing says beside roles and names: words of style sheets, rows that things stand in, what is
// new, how a column is sorted; in a real Chromium.
import { expect, test } from "vitest";
import { useFlow } from "../flows/flow-setting.js";
import { createShow, inner } from "../flows/show-page.js";

const flow = useFlow();
const show = createShow(flow);
const snapshot = async (args = {}) =>
  inner((await flow.call({ action: "snapshot", ...args })).text);
const PEOPLE = `<table>${["Ann", "Bob", "Cid"].map((name) => `<tr><td>${name}<td>Do: <button>Edit</button>`).join("")}</table>`;

test("words that style sheets put beside plain texts are listed with them", async () => {
  await show(`<style>.a::before { content: "Note: " } .b::after { content: " (sold out)" }
    .c::before { content: "\\2022" } .d::before { content: "Hidden " } .d { display: none }</style>
    <p class=a>Hello <b class=b>you</b></p><div class=b>Shoe</div><span class=b></span>
    <p class=c>Plain</p><p class=d>Gone</p><button class=b>Buy</button>`);
  const text = await snapshot();
  expect(text).toContain("paragraph [ref=e1]: Note: Hello you (sold out)");
  expect(text).toContain("text: Shoe (sold out)");
  expect(text).toMatch(/text: \(sold out\)/);
  expect(text).toContain('button "Buy (sold out)"');
  expect(text).toMatch(/paragraph \[ref=e\d+\]: Plain/);
  expect(text).not.toMatch(/Hidden|Gone/);
});

test("a word that a style sheet writes after a click is told", async () => {
  const { ref } = await show(`<style>.on::after { content: " saved" }</style><p id=p>Draft</p>
    <button onclick="p.className = 'on'">Go</button>`);
  const { text } = await flow.act({ kind: "click", ref: ref("button", "Go") });
  expect(text).toContain("Draft saved");
});

test.each([{ interactive: true }, { query: "edit" }])(
  "what is listed flat is named with its row: %j",
  async (view) => {
    await show(PEOPLE);
    const text = await snapshot(view);
    for (const name of ["Ann", "Bob", "Cid"])
      expect(text).toMatch(new RegExp(`button "Edit" \\[ref=e\\d+\\] \\(in row "${name}`));
    expect(text).not.toContain("in cell");
  },
);

test("what is new stays so after a look for something else", async () => {
  const { ref } = await show(`<button onclick="document.body.append(
    Object.assign(document.createElement('button'), { textContent: 'Came' }))">Go</button>`);
  await snapshot();
  await flow.act({ kind: "click", ref: ref("button", "Go") });
  expect(await snapshot({ query: "go" })).not.toContain("[new]");
  expect(await snapshot({ query: "came" })).toContain("[new]");
  expect(await snapshot()).toMatch(/button "Came" \[ref=e\d+\] \[new\]/);
  expect(await snapshot()).not.toContain("[new]");
});

test("how a column is sorted is listed, and told when it is otherwise", async () => {
  const { ref } = await show(`<table><tr><th id=n aria-sort=none>Name<th>Age<tr><td>Ann<td>3</table>
    <button onclick="n.setAttribute('aria-sort', 'descending')">Sort</button>`);
  const { text } = await flow.act({ kind: "click", ref: ref("button", "Sort") });
  expect(text).toMatch(/~ columnheader "Name" \[ref=e\d+\] \[sort=descending\]/);
  expect(await snapshot()).toMatch(/row \[ref=e\d+\]: Name \(descending\) \| Age/);
});

test("the ref of a row that went is answered with the rows that others stand in", async () => {
  const rows = (names: string) => `<ul id=l></ul><script>for (const name of ${names})
    l.innerHTML += '<li><a href="#' + name + '">' + name + '</a> <button>Delete</button></li>'</script>`;
  const { ref } = await show(rows("['Ann', 'Bob', 'Cid']"));
  const gone = ref("button", "Delete");
  await flow.act({ kind: "evaluate", fn: "document.querySelectorAll('li')[2].remove()" });
  const stale = await flow.act({ kind: "click", ref: gone });
  expect(stale.text).toMatch(
    /button "Delete" \(in listitem "Bob.*button "Delete" \(in listitem "Ann/,
  );
  await flow.call({ action: "reload" });
  const other = await flow.act({ kind: "click", ref: gone });
  for (const name of ["Ann", "Bob", "Cid"]) expect(other.text).toContain(`listitem "${name}`);
});

test.each([
  "<table><tr><td>Ann<td><button>Delete</button><tr><td>Bob<td><button>Delete</button></table>",
  "<ul><li>Ann <button>Delete</button><li>Bob <button>Delete</button></ul>",
])("so is the last row that is left: %s", async (html) => {
  const { ref } = await show(html);
  const gone = ref("button", "Delete");
  const fn = "[...document.querySelectorAll('tr, li')].at(-1).remove()";
  await flow.act({ kind: "evaluate", fn });
  const { text } = await flow.act({ kind: "click", ref: gone });
  expect(text).toMatch(/nearest are e\d+ button "Delete" \(in (?:row|listitem) "Ann"\)/);
});
