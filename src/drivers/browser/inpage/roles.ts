// The role of an element: from the author where valid, else from the tag (HTML-AAM).

import { words } from "./collect.js";
import * as dom from "./tree/clobbered.js";
import { parentElementOf } from "./tree/cursor.js";
import { fieldOf } from "./tree/find.js";

const GLOBAL_ATTRIBUTES =
  "atomic busy controls current describedby details dropeffect flowto grabbed hidden keyshortcuts label labelledby live owns relevant roledescription"
    .split(" ")
    .map((name) => `[aria-${name}]`)
    .join();
const FOCUSABLE =
  "a[href],button,input:not([type=hidden]),select,textarea,summary,iframe,[tabindex],[contenteditable]:not([contenteditable=false])";
const PARTS_OF_TABLES = words("td th tr tbody thead tfoot");
const PICTURE_TAGS = words("canvas video audio embed object");
const SECTION_TAGS = /^(?:article|aside|main|nav|section)$/u;
const SECTION_ROLES = /^(?:article|complementary|main|navigation|region)$/u;
const MAX_ANCESTORS = 100;
const INPUT_ROLES = toRoles(
  "button checkbox file=button hidden=generic image=button number=spinbutton radio range=slider reset=button submit=button",
);
const LISTED_TYPES: readonly string[] = ["email", "search", "tel", "text", "url"];
const TAG_ROLES: ReadonlyMap<string, RoleOf> = new Map<string, RoleOf>([
  ...toRoles(
    "article aside=complementary blockquote button caption datalist=listbox dd=definition details=group dfn=term dialog dt=term fieldset=group figure form frame=iframe h1=heading h2=heading h3=heading h4=heading h5=heading h6=heading hr=separator iframe li=listitem main math menu=list meter nav=navigation ol=list optgroup=group option output=status p=paragraph progress=progressbar search section=region table tbody=rowgroup textarea=textbox tfoot=rowgroup thead=rowgroup tr=row ul=list svg=img",
  ),
  ["a", (element) => (dom.hasAttributeOf(element, "href") ? "link" : "generic")],
  ["footer", (element) => (isInSection(element) ? "generic" : "contentinfo")],
  ["header", (element) => (isInSection(element) ? "generic" : "banner")],
  ["img", imageRole],
  ["input", inputRole],
  ["label", labelRole],
  ["select", selectRole],
  ["td", cellRole],
  ["th", headerRole],
]);
const PRESSED =
  "button checkbox link menuitem menuitemcheckbox menuitemradio option radio switch tab";
const INLINE_ROLES = words(
  "code deletion emphasis insertion mark none presentation strong subscript superscript time",
);
export const INTERACTIVE_ROLES = words(
  `${PRESSED} combobox listbox searchbox slider spinbutton textbox treeitem`,
);
export const NAMED_BY_CONTENT = words(
  `${PRESSED} caption cell columnheader gridcell heading legend rowheader tooltip treeitem`,
);
/** Their content is part of the name, except interactive elements. */
export const CLOSED_ROLES = words(
  `${PRESSED} img meter progressbar scrollbar searchbox separator slider spinbutton textbox`,
);
export const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
export const APART_ROLES = words("complementary contentinfo navigation");
export const HEADED_ROLES: ReadonlySet<string> = new Set([
  ...APART_ROLES,
  ...words(
    "alertdialog dialog feed grid group list listbox menu table tablist tabpanel tree treegrid",
  ),
]);
export const TOLD_BY_NAME = words("group rowgroup form region definition document directory");
export const NAMELESS_ROLES = words("generic paragraph");
const KNOWN_ROLES: ReadonlySet<string> = new Set([
  ...INLINE_ROLES,
  ...INTERACTIVE_ROLES,
  ...CLOSED_ROLES,
  ...HEADED_ROLES,
  ...TOLD_BY_NAME,
  ...words(
    "alert application article banner blockquote caption cell columnheader figure generic gridcell heading listitem log main marquee math menubar note paragraph radiogroup row rowheader search status term timer toolbar tooltip",
  ),
]);

export function roleOf(element: Element): string {
  const role = meantRole(element);
  if (role !== "generic") return INLINE_ROLES.has(role) ? "generic" : role;
  return PICTURE_TAGS.has(dom.tagOf(element)) ? "img" : role;
}

function meantRole(element: Element): string {
  const attribute = dom.attributeOf(element, "role");
  const said = attribute ? sayRole(element, attribute) : undefined;
  if (said) return said;
  const byTag = TAG_ROLES.get(dom.tagOf(element));
  if (byTag === undefined) return editableRole(element);
  const role = typeof byTag === "string" ? byTag : byTag(element);
  return isPartOfDecoration(element) ? "generic" : role;
}

function isFocusable(element: Element): boolean {
  return dom.isMatch(element, FOCUSABLE) && !dom.isMatch(element, ":disabled");
}

function sayRole(element: Element, attribute: string): string | undefined {
  const role = attribute
    .toLowerCase()
    .split(/\s+/u)
    .find((word) => KNOWN_ROLES.has(word));
  if (role !== "none" && role !== "presentation") return role;
  const isMeant = dom.isMatch(element, GLOBAL_ATTRIBUTES) || isFocusable(element);
  return isMeant ? undefined : "generic";
}

function editableRole(element: Element): string {
  if (dom.hasAttributeOf(element, "contenteditable") && isEditingHost(element)) return "textbox";
  return "generic";
}

export function isEditingHost(element: Element): boolean {
  if (!(element instanceof HTMLElement) || !dom.isEditable(element)) return false;
  const parent = parentElementOf(element);
  return !(parent instanceof HTMLElement && dom.isEditable(parent));
}

function isPartOfDecoration(element: Element): boolean {
  const tag = dom.tagOf(element);
  if (tag !== "li" && !PARTS_OF_TABLES.has(tag)) return false;
  const parent = parentElementOf(element);
  const owning = parent && dom.closestOf(parent, tag === "li" ? "ul,ol,menu" : "table");
  const role = owning && dom.attributeOf(owning, "role");
  return role === "none" || role === "presentation";
}

type RoleOf = string | ((element: Element) => string);

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
    const role = dom.attributeOf(at, "role");
    if (role ? SECTION_ROLES.test(role) : SECTION_TAGS.test(dom.tagOf(at))) return true;
    at = parentElementOf(at);
  }
  return false;
}

/** The role of its field, if clicking the label does the same. */
function labelRole(label: Element): string {
  const field = fieldOf(label);
  return field === label ? "generic" : inputRole(field);
}

function imageRole(element: Element): string {
  const isDecoration = dom.attributeOf(element, "alt") === "" && !dom.attributeOf(element, "title");
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
  const table = dom.closestOf(element, "table");
  const role = table && dom.attributeOf(table, "role");
  return role === "grid" || role === "treegrid" ? "gridcell" : "cell";
}

function headerRole(element: Element): string {
  const scope = dom.attributeOf(element, "scope");
  if (scope === "col" || scope === "colgroup") return "columnheader";
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  const row = parentElementOf(element);
  if (!row) return "columnheader";
  if (dom.findIn(row, "td")) return "rowheader";
  const group = dom.childCountOf(row) === 1 ? parentElementOf(row) : null;
  return group && dom.tagOf(group) === "tbody" ? cellRole(element) : "columnheader";
}
