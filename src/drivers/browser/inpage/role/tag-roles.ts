// The role of an element by its tag, as HTML-AAM says it. Tags that stand for nothing are not here.

import {
  attributeOf,
  childCountOf,
  closestOf,
  findIn,
  hasAttributeOf,
  tagOf,
} from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

type RoleOf = string | ((element: Element) => string);

const SECTION_TAGS: readonly string[] = ["article", "aside", "main", "nav", "section"];
const SECTION_ROLES: readonly string[] = [
  "article",
  "complementary",
  "main",
  "navigation",
  "region",
];
/** Beyond it nobody looks: pages may be nested as deeply as they like. */
const MAX_ANCESTORS = 100;
const INPUT_ROLES: Readonly<Record<string, string>> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  hidden: "generic",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  submit: "button",
};
/** Those that take a list of suggestions. */
const LISTED_TYPES: readonly string[] = ["email", "search", "tel", "text", "url"];

export const TAG_ROLES: ReadonlyMap<string, RoleOf> = new Map<string, RoleOf>([
  ..."article blockquote button caption dialog figure form iframe main math meter option search table"
    .split(" ")
    .map((tag) => [tag, tag] as const),
  ..."123456".split("").map((level) => [`h${level}`, "heading"] as const),
  ["a", (element) => (hasAttributeOf(element, "href") ? "link" : "generic")],
  ["area", (element) => (hasAttributeOf(element, "href") ? "link" : "generic")],
  ["aside", "complementary"],
  ["datalist", "listbox"],
  ["dd", "definition"],
  ["details", "group"],
  ["dfn", "term"],
  ["dt", "term"],
  ["fieldset", "group"],
  ["footer", (element) => (isInSection(element) ? "generic" : "contentinfo")],
  ["frame", "iframe"],
  ["header", (element) => (isInSection(element) ? "generic" : "banner")],
  ["hr", "separator"],
  ["img", imageRole],
  ["input", inputRole],
  ["li", "listitem"],
  ["menu", "list"],
  ["nav", "navigation"],
  ["ol", "list"],
  ["optgroup", "group"],
  ["output", "status"],
  ["p", "paragraph"],
  ["progress", "progressbar"],
  ["section", "region"],
  ["select", selectRole],
  ["tbody", "rowgroup"],
  ["td", cellRole],
  ["textarea", "textbox"],
  ["tfoot", "rowgroup"],
  ["th", headerRole],
  ["thead", "rowgroup"],
  ["tr", "row"],
  ["ul", "list"],
  ["svg", "img"],
]);

function isInSection(element: Element): boolean {
  let at = parentElementOf(element);
  for (let steps = 0; at && steps < MAX_ANCESTORS; steps += 1) {
    const role = attributeOf(at, "role");
    if (role ? SECTION_ROLES.includes(role) : SECTION_TAGS.includes(tagOf(at))) return true;
    at = parentElementOf(at);
  }
  return false;
}

/** An empty alt says that it is decoration. */
function imageRole(element: Element): string {
  const isDecoration = attributeOf(element, "alt") === "" && !attributeOf(element, "title");
  return isDecoration ? "presentation" : "img";
}

function inputRole(element: Element): string {
  const { type } = element as HTMLInputElement;
  const isListed = LISTED_TYPES.includes(type) && (element as HTMLInputElement).list !== null;
  if (isListed) return "combobox";
  return INPUT_ROLES[type] ?? (type === "search" ? "searchbox" : "textbox");
}

function selectRole(element: Element): string {
  const { multiple, size } = element as HTMLSelectElement;
  return multiple || size > 1 ? "listbox" : "combobox";
}

function cellRole(element: Element): string {
  const table = closestOf(element, "table");
  const role = table && attributeOf(table, "role");
  return role === "grid" || role === "treegrid" ? "gridcell" : "cell";
}

function headerRole(element: Element): string {
  const scope = attributeOf(element, "scope");
  if (scope === "col" || scope === "colgroup") return "columnheader";
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  const row = parentElementOf(element);
  if (!row) return "columnheader";
  if (findIn(row, "td")) return "rowheader";
  const group = childCountOf(row) === 1 ? parentElementOf(row) : null;
  return group && tagOf(group) === "tbody" ? cellRole(element) : "columnheader";
}
