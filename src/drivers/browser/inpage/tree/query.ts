// Finds an element by CSS, also in open shadow roots.

import { shadowOf, tree } from "./clobbered.js";

/** Elements that are looked at for shadow roots. */
const MAX_LOOKED_AT = 200_000;

/** The first match of the document itself, else of its shadow roots. Throws for what is not CSS. */
export function queryDeep(root: Document | ShadowRoot, selector: string): Element | undefined {
  const trees: (Document | ShadowRoot)[] = [root];
  let left = MAX_LOOKED_AT;
  for (let at = trees.shift(); at; at = trees.shift()) {
    const found = tree.find(at, selector);
    if (found) return found;
    for (const element of tree.findAll(at, "*")) {
      const shadow = shadowOf(element);
      if (shadow) trees.push(shadow);
      left -= 1;
      if (left === 0) return undefined;
    }
  }
  return undefined;
}
