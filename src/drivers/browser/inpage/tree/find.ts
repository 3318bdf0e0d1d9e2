// Finds elements by id reference, label and CSS, also in open shadow roots.
import * as dom from "./clobbered.js";

const NOTHING: readonly Element[] = [];
const CLICKED = "button,[type=checkbox],[type=file],[type=radio]";
const MAX_LOOKED_AT = 200_000;

export function referredBy(element: Element, attribute: string): readonly Element[] {
  const ids = dom.attributeOf(element, attribute);
  const root = ids ? dom.rootOf(element) : undefined;
  if (!ids || !root || !dom.isTree(root)) return NOTHING;
  return ids.split(/\s+/u).flatMap((id) => (id ? (dom.tree.byId(root, id) ?? []) : []));
}

export function fieldOf(element: Element): Element {
  if (dom.tagOf(element) !== "label" || !(element instanceof HTMLLabelElement)) return element;
  const { control } = element;
  const isStoodFor =
    control && dom.isMatch(control, CLICKED) && !dom.isDrawn(control, { visibilityProperty: true });
  return isStoodFor ? control : element;
}

export function queryDeep(root: Document | ShadowRoot, selector: string): Element | undefined {
  const trees: (Document | ShadowRoot)[] = [root];
  let left = MAX_LOOKED_AT;
  for (let at = trees.shift(); at; at = trees.shift()) {
    const found = dom.tree.find(at, selector);
    if (found) return found;
    for (const element of dom.tree.findAll(at, "*")) {
      const shadow = dom.shadowOf(element);
      if (shadow) trees.push(shadow);
      left -= 1;
      if (left === 0) return undefined;
    }
  }
  return undefined;
}
