// The names of the dialog, menu or form around an element, and the month of a calendar.

import { remember, squeeze, words } from "../collect.js";
import { groupWords } from "../duplicates/tables.js";
import { type Look, textIn } from "../look.js";
import { HEADINGS } from "../roles.js";
import * as dom from "../tree/clobbered.js";
import { eachNode, parentElementOf } from "../tree/cursor.js";
import { referredBy } from "../tree/find.js";
import { itemText } from "./context.js";

const HOLDER_TAGS = words(
  "dialog fieldset form section table tr ul ol menu article aside nav main search figure",
);
const HOLDER_ROLES = words(
  "dialog alertdialog menu menubar tabpanel tablist group form region radiogroup listbox grid treegrid table tree list toolbar complementary article navigation main search feed figure",
);
const DIALOGS: readonly string[] = ["dialog", "alertdialog"];
const PANEL = "tabpanel";
const NAMED_BY_CHILD = words("fieldset table figure");
const NAMING_TAGS = words("legend caption figcaption");
const LISTS = words("ul ol menu group list");
const ENTRIES = words("li listitem treeitem");
const FILLED = "input,select,textarea,[contenteditable],ul,ol,table,[role=list],[role=grid]";
const CONTROLS = words("button a script style template svg");
const MAX_CHARS = 240;
const MAX_NODES = 60;
export const BETWEEN = " < ";
const NOTHING: ReadonlySet<string> = new Set();
const DAY = /^\s*(?:[1-9]|[12]\d|3[01])\s*$/u;
const MIN_DAYS = 25;
const MAX_DAY_LEVELS = 6;
const MAX_TITLE_LEVELS = 3;
const MAX_CALENDAR_NODES = 700;
const MONTHS = 12;
const LANGUAGE = /^[a-z]{2,3}(?=-|$)/iu;
/** Names, years, and months as numbers next to a year. */
const TOKENS =
  /\p{L}[\p{L}\p{M}]*|\b(?:19|20)\d\d\b(?:\s*[-/.]\s*\d\d?\b)?|\d\d?\s*(?:[-/.]\s*(?:19|20)\d\d\b|(?=[月월]))/gu;

export function labelsAround(look: Look, element: Element): string {
  const way: Element[] = [];
  let at = parentElementOf(element);
  for (; at && !look.labelsIn.has(at); at = parentElementOf(at)) way.push(at);
  let labels = at ? (look.labelsIn.get(at) ?? "") : "";
  for (const each of way.toReversed()) {
    const label = isHolder(each) ? labelOf(look, each) : "";
    if (label) labels = `${label}${BETWEEN}${labels}`.slice(0, MAX_CHARS);
    look.labelsIn.set(each, labels);
  }
  return labels;
}

function isHolder(element: Element): boolean {
  if (HOLDER_TAGS.has(dom.tagOf(element))) return true;
  return dom.hasAttributesOf(element) && HOLDER_ROLES.has(dom.attributeOf(element, "role") ?? "");
}

function kindOf(element: Element): string {
  return dom.attributeOf(element, "role") ?? dom.tagOf(element);
}

function labelOf(look: Look, holder: Element): string {
  const kind = kindOf(holder);
  if (kind === "tr") return groupWords(look, holder);
  const isDialog = DIALOGS.includes(kind);
  const said = saidOf(look, holder, isDialog ? "aria-describedby" : undefined);
  const more = isDialog ? questionOf(look, holder) : "";
  if (said || more) return squeeze(`${said} ${more}`);
  if (kind === PANEL) return textOfFirst(look, tabOf(holder));
  if (isDialog) return textOfFirst(look, dom.findIn(holder, HEADINGS));
  const parent = LISTS.has(kind) ? parentElementOf(holder) : null;
  if (parent && ENTRIES.has(kindOf(parent))) return itemText(look, parent);
  const named = NAMED_BY_CHILD.has(dom.tagOf(holder)) ? [...dom.childrenOf(holder)] : [];
  return textOfFirst(
    look,
    named.find((child) => NAMING_TAGS.has(dom.tagOf(child))),
  );
}

function saidOf(look: Look, holder: Element, further: string | undefined): string {
  const named = ["aria-labelledby", ...(further ? [further] : [])].flatMap((attribute) =>
    referredBy(holder, attribute).map((target) => plainText(look, target)),
  );
  return squeeze([dom.attributeOf(holder, "aria-label") ?? "", ...named].join(" "));
}

function questionOf(look: Look, dialog: Element): string {
  const text = dom.findIn(dialog, FILLED) ? "" : plainText(look, dialog, CONTROLS);
  return text.length < MAX_CHARS ? text : "";
}

function textOfFirst(look: Look, element: Element | null | undefined): string {
  return element ? plainText(look, element) : "";
}

function tabOf(panel: Element): Element | undefined {
  const chosen = [...dom.page.findAll("[role=tab][aria-selected=true]")];
  const id = dom.idOf(panel);
  const own = id && chosen.find((tab) => dom.attributeOf(tab, "aria-controls") === id);
  return own || (chosen.length === 1 ? chosen[0] : undefined);
}

/** A label or alt text replaces the content. */
function plainText(look: Look, root: Element, without = NOTHING): string {
  let text = "";
  let left = MAX_NODES;
  eachNode(root, (node) => {
    left -= 1;
    if (left < 0 || text.length > MAX_CHARS) return undefined;
    if (!dom.isElement(node)) {
      text += `${textIn(look, node)} `;
      return false;
    }
    if (without.has(kindOf(node))) return false;
    const called = dom.hasAttributesOf(node) && calledBy(node, root);
    if (called) text += `${called} `;
    return !called;
  });
  return squeeze(text).slice(0, MAX_CHARS);
}

function calledBy(node: Element, root: Element): string | null {
  if (node === root && DIALOGS.includes(kindOf(root))) return null;
  return dom.attributeOf(node, "aria-label") ?? dom.attributeOf(node, "alt");
}

export function isDayName(name: string): boolean {
  return name.length <= 2 && DAY.test(name);
}

/** Empty for what is not a calendar day, or if no month is shown. */
export function monthShown(look: Look, element: Element): string {
  let at = parentElementOf(element);
  for (let level = 0; at && level < MAX_DAY_LEVELS; level += 1) {
    const month = remember(look.months, at, readMonth);
    if (month !== null) return month;
    at = parentElementOf(at);
  }
  return "";
}

function readMonth(grid: Element): string | null {
  let days = 0;
  let left = MAX_CALENDAR_NODES;
  eachNode(grid, (node) => {
    left -= 1;
    if (!dom.isElement(node) && DAY.test(node.nodeValue ?? "")) days += 1;
    return left > 0 ? true : undefined;
  });
  if (days < MIN_DAYS) return null;
  const names = monthNames();
  let at: Element | null = grid;
  for (let level = 0; at && level <= MAX_TITLE_LEVELS; level += 1) {
    const found = monthsIn(at, names);
    if (found) return found;
    at = parentElementOf(at);
  }
  return "";
}

function monthsIn(box: Element, names: ReadonlyMap<string, number>): string {
  const found = new Set<string>();
  let left = MAX_CALENDAR_NODES;
  eachNode(box, (node) => {
    left -= 1;
    const text = dom.isElement(node) ? shownBy(node) : (node.nodeValue ?? "");
    for (const token of text.toLowerCase().match(TOKENS) ?? []) {
      const month = names.get(token);
      if (month !== undefined) found.add(`m${month}`);
      else if (/\d/u.test(token)) found.add(token.replace(/\s/gu, ""));
    }
    if (left <= 0) return undefined;
    return !(dom.isElement(node) && dom.isSelect(node));
  });
  return [...found].sort().join(" ");
}

function shownBy(element: Element): string {
  if (dom.isSelect(element)) return element.selectedOptions[0]?.text ?? "";
  if (dom.isInput(element)) return element.value;
  const role = dom.attributeOf(element, "role");
  return role === "grid" || role === "group" ? (dom.attributeOf(element, "aria-label") ?? "") : "";
}

function monthNames(): ReadonlyMap<string, number> {
  const root = dom.page.root();
  const names = new Map<string, number>();
  for (const language of [root && dom.attributeOf(root, "lang"), navigator.language, "en"]) {
    const [known] = LANGUAGE.exec(language ?? "") ?? [];
    if (known) addNames(names, known);
  }
  return names;
}

function addNames(names: Map<string, number>, language: string): void {
  for (const month of ["long", "short"] as const) {
    const { format } = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
    for (let at = 0; at < MONTHS; at += 1) {
      names.set(
        format(Date.UTC(2026, at, 15))
          .toLowerCase()
          .replace(".", ""),
        at + 1,
      );
    }
  }
}
