// From where a document has to be read again after it changed in some places: names and contexts are
// made of what stands below, so the roots lie higher than the places.

import type { Places } from "../mutations.js";
import { hasTwin } from "../name/context.js";
import { NAMED_BY_CONTENT } from "../role/role-names.js";
import {
  attributeOf,
  closestOf,
  hasAttributeOf,
  idOf,
  isAround,
  isConnected,
  page,
  tagOf,
} from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import type { Presence } from "../tree/presence.js";

/** How far up names and contexts reach. */
const MAX_LEVELS = 12;
const MAX_TWIN_LEVELS = 5;
const MAX_ROOTS = 40;
const MAX_REFERENCES = 20;
const WHOLE_TAGS = new Set("html body head style link".split(" "));
const BORDER_TAGS = new Set("ul ol table main form nav dialog select".split(" "));
const SUMMING_TAGS = new Set(
  "a article button caption dd dt figcaption h1 h2 h3 h4 h5 h6 label legend li p section fieldset summary td th tr".split(
    " ",
  ),
);

/** undefined: all of it. */
export function changedRoots(
  { changed, holders }: Places,
  presence: Presence,
): readonly Element[] | undefined {
  const roots = new Set<Element>();
  const add = (place: Element, root: Element | undefined) => {
    if (root) roots.add(root);
    for (const other of referring(place, { root: root ?? place, presence }))
      roots.add(lift(other) ?? other);
  };
  for (const place of changed) {
    if (WHOLE_TAGS.has(tagOf(place))) return undefined;
    if (isConnected(place)) add(place, lift(place) ?? place);
    if (roots.size > MAX_ROOTS) return undefined;
  }
  for (const place of holders) {
    if (tagOf(place) === "head") return undefined;
    if (isConnected(place)) add(place, lift(place));
    if (roots.size > MAX_ROOTS) return undefined;
  }
  return [...roots].filter((root) => !hasRootAbove(root, roots));
}

/** The highest element whose name or context is made of this place; undefined: none is. */
function lift(place: Element): Element | undefined {
  let root: Element | undefined;
  let at: Element | null = place;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    if (WHOLE_TAGS.has(tagOf(at))) break;
    if (isSumming(at) || (level < MAX_TWIN_LEVELS && hasTwin(at))) root = at;
    if (level > 0 && BORDER_TAGS.has(tagOf(at))) break;
    at = parentElementOf(at);
  }
  return root;
}

function isSumming(element: Element): boolean {
  const role = attributeOf(element, "role");
  if (role) return NAMED_BY_CONTENT.has(role) || role === "row" || role === "listitem";
  return SUMMING_TAGS.has(tagOf(element)) || hasAttributeOf(element, "tabindex");
}

/** Fields whose label it is, and elements that refer to it. */
function referring(
  place: Element,
  { root, presence }: { readonly root: Element; readonly presence: Presence },
): readonly Element[] {
  const label = closestOf(place, "label");
  const field = label instanceof HTMLLabelElement ? label.control : null;
  const fields = field ? [field] : [];
  if (!presence.has("referring")) return fields;
  const ids: string[] = [];
  let at: Element | null = place;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    const id = idOf(at);
    if (id) ids.push(CSS.escape(id));
    if (at === root) break;
    at = parentElementOf(at);
  }
  const found = ids.flatMap((id) => [
    ...page.findAll(`[aria-labelledby~="${id}"],[aria-owns~="${id}"]`),
  ]);
  return [...fields, ...found].slice(0, MAX_REFERENCES);
}

function hasRootAbove(root: Element, roots: ReadonlySet<Element>): boolean {
  for (const other of roots) if (other !== root && isAround(other, root)) return true;
  return false;
}
