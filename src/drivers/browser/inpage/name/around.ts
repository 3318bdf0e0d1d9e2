// How the dialog, the menu, the form and the like are called that an element stands in: pages use one of
// them for several things, one after the other.

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
import { eachNode } from "../twins/each-node.js";
import { words } from "../words.js";
import { squeeze } from "./text-gatherer.js";

const HOLDER_TAGS = words("dialog fieldset form section table");
const HOLDER_ROLES = words("dialog alertdialog menu tabpanel group form region radiogroup listbox");
const DIALOGS: readonly string[] = ["dialog", "alertdialog"];
const PANEL = "tabpanel";
const NAMING_TAGS = words("legend caption");
const MAX_CHARS = 240;
const MAX_NODES = 60;
/** Stands between the name of a holder and that of what it is in. */
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

function labelOf(look: Look, holder: Element): string {
  const named = referredBy(holder, "aria-labelledby").map((target) => plainText(look, target));
  const said = squeeze([attributeOf(holder, "aria-label") ?? "", ...named].join(" "));
  if (said) return said;
  const role = attributeOf(holder, "role") ?? tagOf(holder);
  if (role === PANEL) {
    const tab = tabOf(holder);
    return tab ? plainText(look, tab) : "";
  }
  const naming = DIALOGS.includes(role)
    ? findIn(holder, HEADINGS)
    : [...childrenOf(holder)].find((child) => NAMING_TAGS.has(tagOf(child)));
  return naming ? plainText(look, naming) : "";
}

/** The chosen tab, of a panel that serves for all of them and has no name itself. */
function tabOf(panel: Element): Element | undefined {
  const chosen = [...page.findAll("[role=tab][aria-selected=true]")];
  const id = idOf(panel);
  const own = id && chosen.find((tab) => attributeOf(tab, "aria-controls") === id);
  return own || (chosen.length === 1 ? chosen[0] : undefined);
}

function plainText(look: Look, root: Node): string {
  let text = "";
  let left = MAX_NODES;
  eachNode(root, (node) => {
    left -= 1;
    if (left < 0 || text.length > MAX_CHARS) return undefined;
    if (isElement(node)) return true;
    text += `${textIn(look, node)} `;
    return false;
  });
  return squeeze(text).slice(0, MAX_CHARS);
}
