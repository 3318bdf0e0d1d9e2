// Which parts of a document to read again after changes: names and contexts depend on what is below.

import { words } from "../collect.js";
import { MAX_GONE, type Moves, type Places } from "../mutations.js";
import { hasDuplicate } from "../name/context.js";
import type { PageState } from "../page-state.js";
import { INTERACTIVE_ROLES, NAMED_BY_CONTENT, roleOf } from "../roles.js";
import * as dom from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { toLine } from "../tree/styles.js";

const MAX_LEVELS = 12;
const MAX_DUPLICATE_LEVELS = 5;
const MAX_ROOTS = 40;
const MAX_REFERENCES = 20;
const NAMING_LABEL = "label[for]";
const NAMING = `[id],${NAMING_LABEL}`;
const REFERRING = "[aria-labelledby]";
const WHOLE_TAGS = words("html body head style link");
const BORDER_TAGS = words("ul ol table main form nav dialog select");
const SUMMING_TAGS = words(
  "a article button caption dd dt figcaption h1 h2 h3 h4 h5 h6 label legend li p section fieldset summary td th tr",
);

export function changedRoots(
  state: PageState,
  { changed, holders, gone }: Places & Pick<Moves, "gone">,
): readonly Element[] | undefined {
  const { marks } = state;
  const hasReferring = dom.page.find(REFERRING) !== null;
  const roots = new Set<Element>();
  const add = (place: Element, root: Element | undefined) => {
    if (root) roots.add(lineHolder(state, root));
    for (const other of referring(place, { root: root ?? place, hasReferring }))
      roots.add(lineHolder(state, lift(other) ?? other));
  };
  if (hasNaming(gone, hasReferring ? NAMING : NAMING_LABEL)) return undefined;
  for (const place of [...changed, ...marks.takeChanged()]) {
    if (WHOLE_TAGS.has(dom.tagOf(place)) || roots.size > MAX_ROOTS) return undefined;
    if (dom.isConnected(place)) add(place, lift(place) ?? place);
  }
  for (const place of holders) {
    if (dom.tagOf(place) === "head" || roots.size > MAX_ROOTS) return undefined;
    if (dom.isConnected(place)) add(place, lift(place));
  }
  for (const root of roots) if (WHOLE_TAGS.has(dom.tagOf(root))) return undefined;
  return [...roots].filter((root) => !hasRootAbove(root, roots));
}

function hasNaming(gone: Moves["gone"], selector: string): boolean {
  const isNaming = (node: Node) =>
    dom.isAnElement(node) && (dom.isMatch(node, selector) || dom.findIn(node, selector) !== null);
  return gone.size >= MAX_GONE || [...gone.keys()].some(isNaming);
}

/** Text continues across the elements of a line, so the whole line is read. */
function lineHolder({ known, marks }: PageState, root: Element): Element {
  let at = root;
  for (let parent = parentElementOf(at); parent; parent = parentElementOf(at)) {
    if (known.get(at)?.row || INTERACTIVE_ROLES.has(roleOf(at))) break;
    const { display } = getComputedStyle(at);
    if (toLine(display) === "block" && !(display === "none" && marks.wasInLine(at))) break;
    at = parent;
  }
  return at;
}

/** The highest element whose name or context includes this place. */
function lift(place: Element): Element | undefined {
  let root: Element | undefined;
  let at: Element | null = place;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    if (WHOLE_TAGS.has(dom.tagOf(at))) break;
    if (isSumming(at) || (level < MAX_DUPLICATE_LEVELS && hasDuplicate(at))) root = at;
    if (level > 0 && BORDER_TAGS.has(dom.tagOf(at))) break;
    at = parentElementOf(at);
  }
  return root;
}

function isSumming(element: Element): boolean {
  const role = dom.attributeOf(element, "role");
  if (role) return NAMED_BY_CONTENT.has(role) || role === "row" || role === "listitem";
  return SUMMING_TAGS.has(dom.tagOf(element)) || dom.hasAttributeOf(element, "tabindex");
}

function referring(
  place: Element,
  { root, hasReferring }: { readonly root: Element; readonly hasReferring: boolean },
): readonly Element[] {
  const label = dom.closestOf(place, "label");
  const field = label instanceof HTMLLabelElement ? label.control : null;
  const fields = field ? [field] : [];
  if (!hasReferring) return fields;
  const ids: string[] = [];
  let at: Element | null = place;
  for (let level = 0; at && level < MAX_LEVELS; level += 1) {
    const id = dom.idOf(at);
    if (id) ids.push(CSS.escape(id));
    if (at === root) break;
    at = parentElementOf(at);
  }
  const found = ids.flatMap((id) => [...dom.page.findAll(`[aria-labelledby~="${id}"]`)]);
  return [...fields, ...found].slice(0, MAX_REFERENCES);
}

function hasRootAbove(root: Element, roots: ReadonlySet<Element>): boolean {
  for (const other of roots) if (other !== root && dom.isAround(other, root)) return true;
  return false;
}
