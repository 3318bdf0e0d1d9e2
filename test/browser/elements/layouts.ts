// The ways in which pages mark up rows with equal buttons. The name of a row stands in one place of it,
// marked with `data-h`, so that a test can write other content into the same nodes, as pages do that draw
// their lists by index.

export interface Layout {
  readonly style?: string;
  readonly open: string;
  readonly close: string;
  /** The button is `Delete`, with the number of the row in `data-k`. */
  readonly row: (name: string, key: number) => string;
  /** Where the name stands in the holder. */
  readonly holds?: "textContent" | "alt" | "ariaLabel" | "value" | "title" | "src" | "data-n";
  /** Runs once the rows are there. */
  readonly script?: string;
}

/** Of other lengths each. */
export const PEOPLE = ["Alice", "Bob", "Caroline", "Dave"] as const;

const button = (key: number) => `<button data-k=${key}>Delete</button>`;
const span = (name: string) => `<span data-h>${name}</span>`;
const DIV = { open: "<div>", close: "</div>" };
const LIST = { open: "<ul>", close: "</ul>" };
const TABLE = { open: "<table>", close: "</table>" };
const form = (inner: string) => `<form onsubmit="return false">${inner}</form>`;
const nested = (inner: string) => `${"<div>".repeat(6)}${inner}${"</div>".repeat(6)}`;
const LOREM = "Lorem ipsum dolor sit amet. ".repeat(10);

export const LAYOUTS: Readonly<Record<string, Layout>> = {
  "a flat grid": {
    open: `<div style="display:grid;grid-template-columns:1fr 1fr">`,
    close: "</div>",
    row: (name, key) => `${span(name)}${button(key)}`,
  },
  "terms and definitions": {
    open: "<dl>",
    close: "</dl>",
    row: (name, key) => `<dt data-h>${name}</dt><dd>${button(key)}</dd>`,
  },
  "headings before buttons": {
    open: "<main>",
    close: "</main>",
    row: (name, key) => `<h3 data-h>${name}</h3>${button(key)}`,
  },
  "pairs of table rows": {
    ...TABLE,
    row: (name, key) => `<tr><td data-h>${name}</td></tr><tr><td>${button(key)}</td></tr>`,
  },
  "texts for pictures": {
    ...LIST,
    row: (name, key) => `<li><img data-h alt="${name}" width=20 height=20>${button(key)}</li>`,
    holds: "alt",
  },
  "labels of list items": {
    ...LIST,
    row: (name, key) => `<li data-h aria-label="${name}">${button(key)}</li>`,
    holds: "ariaLabel",
  },
  "a button deep inside": {
    ...LIST,
    row: (name, key) => `<li>${span(name)}${nested(button(key))}</li>`,
  },
  "numbers between fields": {
    ...LIST,
    row: (name, key) =>
      `<li><input type=checkbox><span data-h>${1000 + name.length}</span>${button(key)}</li>`,
  },
  "a long text before": {
    ...LIST,
    row: (name, key) => `<li>${LOREM}<b data-h>${name}</b>${button(key)}</li>`,
  },
  "values of fields": {
    ...TABLE,
    row: (name, key) => `<tr><td><input data-h value="${name}"></td><td>${button(key)}</td></tr>`,
    holds: "value",
  },
  "texts in pictures": {
    ...LIST,
    row: (name, key) =>
      `<li><svg width=100 height=20><text data-h y=15>${name}</text></svg>${button(key)}</li>`,
  },
  "plain divisions": { ...DIV, row: (name, key) => `<div>${span(name)}${button(key)}</div>` },
  "divisions and lines": {
    ...DIV,
    row: (name, key) => `<div class=row>${span(name)}${button(key)}</div><hr>`,
  },
  "divisions of other classes": {
    ...DIV,
    row: (name, key) => `<div class="c${key} row">${span(name)}${button(key)}</div>`,
  },
  "sections without titles": {
    ...DIV,
    row: (name, key) => `<section><b data-h>${name}</b>${button(key)}</section>`,
  },
  "labelled sections": {
    ...DIV,
    row: (name, key) => `<section data-h aria-label="${name}">${button(key)}</section>`,
    holds: "ariaLabel",
  },
  "elements of their own": {
    ...DIV,
    row: (name, key) => `<my-row>${span(name)}${button(key)}</my-row>`,
  },
  "a form in a division": {
    ...DIV,
    row: (name, key) => `<div class=row>${span(name)}${form(button(key))}</div>`,
  },
  "a nav in a division": {
    ...DIV,
    row: (name, key) => `<div class=row>${span(name)}<nav>${button(key)}</nav></div>`,
  },
  "a form in a list item": {
    ...LIST,
    row: (name, key) => `<li>${span(name)}${form(button(key))}</li>`,
  },
  "a form in a table row": {
    ...TABLE,
    row: (name, key) => `<tr><td data-h>${name}</td><td>${form(button(key))}</td></tr>`,
  },
  "a menu in a list item": {
    ...LIST,
    row: (name, key) => `<li>${span(name)}<menu>${button(key)}</menu></li>`,
  },
  "a footer in an article": {
    ...DIV,
    row: (name, key) => `<article><h3 data-h>${name}</h3><footer>${button(key)}</footer></article>`,
  },
  "text by style sheet": {
    style: "li[data-n]::before{content:attr(data-n)}",
    ...LIST,
    row: (name, key) => `<li data-h data-n="${name}">${button(key)}</li>`,
    holds: "data-n",
  },
  "forms side by side": { ...DIV, row: (name, key) => form(`${span(name)}${button(key)}`) },
  "headers side by side": {
    ...DIV,
    row: (name, key) => `<header>${span(name)}${button(key)}</header>`,
  },
  "names after the buttons": {
    ...DIV,
    row: (name, key) => `${button(key)} ${span(name)}<br>`,
  },
  "names after numbered buttons": {
    ...TABLE,
    row: (name, key) =>
      `<tr><td>${key}.</td><td>${button(key)}</td></tr><tr><td data-h>${name}</td></tr>`,
  },
  "lists before buttons": {
    ...DIV,
    row: (name, key) => `<ul><li data-h>${name}</li></ul>${button(key)}`,
  },
  "titles alone": {
    ...LIST,
    row: (name, key) => `<li data-h title="${name}">${button(key)}</li>`,
    holds: "title",
  },
  "pictures alone": {
    ...LIST,
    row: (name, key) => `<li><img data-h src="data:,${name}">${button(key)}</li>`,
    holds: "src",
  },
  "hidden fields": {
    ...LIST,
    row: (name, key) => `<li><input type=hidden data-h value="${name}">${button(key)}</li>`,
    holds: "value",
  },
  "long texts in fields": {
    ...LIST,
    row: (name, key) => `<li><textarea data-h>${name}</textarea>${button(key)}</li>`,
    holds: "value",
  },
  "cells to write in": {
    ...TABLE,
    row: (name, key) => `<tr><td contenteditable data-h>${name}</td><td>${button(key)}</td></tr>`,
  },
  "chosen options": {
    ...LIST,
    row: (name, key) =>
      `<li><select data-h>${PEOPLE.map((each) => `<option${each === name ? " selected" : ""}>${each}</option>`).join("")}</select>${button(key)}</li>`,
    holds: "value",
  },
  "equal rows in titled groups": {
    ...DIV,
    row: (name, key) =>
      `<section><h2 data-h>${name}</h2><p>one</p><div>x ${button(key)}</div><div>x ${button(key)}</div></section>`,
  },
  "cards in shadow roots": {
    ...DIV,
    row: (name, key) => `<x-card name="${name}" key=${key}></x-card>`,
    script: `for (const card of document.querySelectorAll("x-card")) card.attachShadow({ mode: "open" }).innerHTML =
      "<span data-h>" + card.getAttribute("name") + "</span><p><button data-k=" + card.getAttribute("key") + ">Delete</button></p>"`,
  },
  "slots of cards": {
    ...DIV,
    row: (name, key) => `<x-slot><b slot=title data-h>${name}</b>${button(key)}</x-slot>`,
    script: `for (const card of document.querySelectorAll("x-slot")) card.attachShadow({ mode: "open" }).innerHTML =
      "<h3><slot name=title></slot></h3><slot></slot>"`,
  },
};

/** Scripts of the page: `holders()` finds the places of the names, `write` puts names into them. */
const HANDS = `
  window.hits = [];
  addEventListener("click", (event) => {
    const button = event.composedPath().find((each) => each.localName === "button");
    if (button) hits.push(button.dataset.k);
  }, true);
  window.holders = () => [...document.querySelectorAll("[data-h], x-card")].map((each) =>
    each.shadowRoot?.querySelector("[data-h]") ?? each);
  window.hold = (holder, how, name) => {
    if (how === "data-n") holder.dataset.n = name; else holder[how] = name;
  };
  window.held = (holder, how) => how === "data-n" ? holder.dataset.n : holder[how];
  /** The first two names change places. */
  window.swap = (how) => { const [one, two] = holders(); const name = held(one, how);
    hold(one, how, held(two, how)); hold(two, how, name); };
`;

export function toPage(layout: Layout, names: readonly string[]): string {
  const { style = "", open, close, row, script = "" } = layout;
  return `<style>${style}</style>${open}${names.map(row).join("")}${close}<script>${HANDS}${script}</script>`;
}

export const holdsOf = ({ holds = "textContent" }: Layout): string => holds;
