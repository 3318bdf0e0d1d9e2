// How the dialog, the menu, the form and the like are called that an element is in: pages use one of
// them for several things, one after the other.

import { eachNode } from "../duplicates/each-node.js";
import { type Look, textIn } from "../look.js";
import { HEADINGS } from "../role/role-names.js";
import {
  attributeOf,
  childrenOf,
  findIn,
  hasAttributesOf,
  idOf,
  isElement,
  page,
  tagOf,
} from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { referredBy } from "../tree/references.js";
import { words } from "../words.js";
import { itemText } from "./context.js";
import { groupWords } from "./group-words.js";
import { squeeze } from "./text-gatherer.js";

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
/** In an entry of another one they hold what belongs to that entry. */
const LISTS = words("ul ol menu group list");
const ENTRIES = words("li listitem treeitem");
/** Who fills these in changes what such a dialog says. */
const FILLED = "input,select,textarea,[contenteditable],ul,ol,table,[role=list],[role=grid]";
/** What they say is not part of the question. */
const CONTROLS = words("button a script style template svg");
const MAX_CHARS = 240;
const MAX_NODES = 60;
/** Is between the name of a holder and that of what it is in. */
export const BETWEEN = " < ";

/** Empty when none of them has a name. */
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
  if (HOLDER_TAGS.has(tagOf(element))) return true;
  return hasAttributesOf(element) && HOLDER_ROLES.has(attributeOf(element, "role") ?? "");
}

function kindOf(element: Element): string {
  return attributeOf(element, "role") ?? tagOf(element);
}

function labelOf(look: Look, holder: Element): string {
  const kind = kindOf(holder);
  if (kind === "tr") return groupWords(look, holder);
  const isDialog = DIALOGS.includes(kind);
  const said = saidOf(look, holder, isDialog ? "aria-describedby" : undefined);
  const more = isDialog ? questionOf(look, holder) : "";
  if (said || more) return squeeze(`${said} ${more}`);
  if (kind === PANEL) return textOfFirst(look, tabOf(holder));
  if (isDialog) return textOfFirst(look, findIn(holder, HEADINGS));
  const parent = LISTS.has(kind) ? parentElementOf(holder) : null;
  if (parent && ENTRIES.has(kindOf(parent))) return itemText(look, parent);
  const named = NAMED_BY_CHILD.has(tagOf(holder)) ? [...childrenOf(holder)] : [];
  return textOfFirst(
    look,
    named.find((child) => NAMING_TAGS.has(tagOf(child))),
  );
}

function saidOf(look: Look, holder: Element, further: string | undefined): string {
  const named = ["aria-labelledby", ...(further ? [further] : [])].flatMap((attribute) =>
    referredBy(holder, attribute).map((target) => plainText(look, target)),
  );
  return squeeze([attributeOf(holder, "aria-label") ?? "", ...named].join(" "));
}

/** All that a dialog says which only asks something. */
function questionOf(look: Look, dialog: Element): string {
  const text = findIn(dialog, FILLED) ? "" : plainText(look, dialog, CONTROLS);
  return text.length < MAX_CHARS ? text : "";
}

function textOfFirst(look: Look, element: Element | null | undefined): string {
  return element ? plainText(look, element) : "";
}

/** The chosen tab, of a panel that serves for all of them and has no name itself. */
function tabOf(panel: Element): Element | undefined {
  const chosen = [...page.findAll("[role=tab][aria-selected=true]")];
  const id = idOf(panel);
  const own = id && chosen.find((tab) => attributeOf(tab, "aria-controls") === id);
  return own || (chosen.length === 1 ? chosen[0] : undefined);
}

const NOTHING: ReadonlySet<string> = new Set();

/** What is called otherwise than by its texts is called so. */
function plainText(look: Look, root: Element, without = NOTHING): string {
  let text = "";
  let left = MAX_NODES;
  eachNode(root, (node) => {
    left -= 1;
    if (left < 0 || text.length > MAX_CHARS) return undefined;
    if (!isElement(node)) {
      text += `${textIn(look, node)} `;
      return false;
    }
    if (without.has(kindOf(node))) return false;
    const called = hasAttributesOf(node) && calledBy(node, root);
    if (called) text += `${called} `;
    return !called;
  });
  return squeeze(text).slice(0, MAX_CHARS);
}

function calledBy(node: Element, root: Element): string | null {
  if (node === root && DIALOGS.includes(kindOf(root))) return null;
  return attributeOf(node, "aria-label") ?? attributeOf(node, "alt");
}
