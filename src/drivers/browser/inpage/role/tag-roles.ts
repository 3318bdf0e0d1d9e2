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
import { fieldOf } from "../tree/label-field.js";

type RoleOf = string | ((element: Element) => string);

const SECTION_TAGS = /^(?:article|aside|main|nav|section)$/u;
const SECTION_ROLES = /^(?:article|complementary|main|navigation|region)$/u;
/** Beyond it no one looks: pages may be nested as deeply as they like. */
const MAX_ANCESTORS = 100;
const INPUT_ROLES = toRoles(
  "button checkbox file=button hidden=generic image=button number=spinbutton radio range=slider reset=button submit=button",
);
/** Those that take a list of suggestions. */
const LISTED_TYPES: readonly string[] = ["email", "search", "tel", "text", "url"];

export const TAG_ROLES: ReadonlyMap<string, RoleOf> = new Map<string, RoleOf>([
  ...toRoles(
    "article aside=complementary blockquote button caption datalist=listbox dd=definition details=group dfn=term dialog dt=term fieldset=group figure form frame=iframe h1=heading h2=heading h3=heading h4=heading h5=heading h6=heading hr=separator iframe li=listitem main math menu=list meter nav=navigation ol=list optgroup=group option output=status p=paragraph progress=progressbar search section=region table tbody=rowgroup textarea=textbox tfoot=rowgroup thead=rowgroup tr=row ul=list svg=img",
  ),
  ["a", (element) => (hasAttributeOf(element, "href") ? "link" : "generic")],
  ["area", (element) => (hasAttributeOf(element, "href") ? "link" : "generic")],
  ["footer", (element) => (isInSection(element) ? "generic" : "contentinfo")],
  ["header", (element) => (isInSection(element) ? "generic" : "banner")],
  ["img", imageRole],
  ["input", inputRole],
  ["label", labelRole],
  ["select", selectRole],
  ["td", cellRole],
  ["th", headerRole],
]);

/** One alone has the role of its name. */
function toRoles(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(" ").map((pair) => {
      const [name = "", role = name] = pair.split("=");
      return [name, role];
    }),
  );
}

function isInSection(element: Element): boolean {
  let at = parentElementOf(element);
  for (let steps = 0; at && steps < MAX_ANCESTORS; steps += 1) {
    const role = attributeOf(at, "role");
    if (role ? SECTION_ROLES.test(role) : SECTION_TAGS.test(tagOf(at))) return true;
    at = parentElementOf(at);
  }
  return false;
}

/** Of the field that it means, when a click on it does what a click on that would do. */
function labelRole(label: Element): string {
  const field = fieldOf(label);
  return field === label ? "generic" : inputRole(field);
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
  return INPUT_ROLES.get(type) ?? (type === "search" ? "searchbox" : "textbox");
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
