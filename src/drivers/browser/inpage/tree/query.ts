// Finds an element by CSS, also in open shadow roots.

/** Elements that are looked at for shadow roots. */
const MAX_LOOKED_AT = 200_000;

/** The first match of the document itself, else of its shadow roots. Throws for what is no CSS. */
export function queryDeep(root: Document | ShadowRoot, selector: string): Element | undefined {
  const trees: (Document | ShadowRoot)[] = [root];
  let left = MAX_LOOKED_AT;
  for (let tree = trees.shift(); tree; tree = trees.shift()) {
    const found = tree.querySelector(selector);
    if (found) return found;
    for (const element of tree.querySelectorAll("*")) {
      if (element.shadowRoot) trees.push(element.shadowRoot);
      left -= 1;
      if (left === 0) return undefined;
    }
  }
  return undefined;
}
