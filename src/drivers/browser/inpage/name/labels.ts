// Which labels a field has: one pass over all labels of a tree. Asking each field for its labels instead
// is quadratic after every change of the page.

import { rootOf, tree } from "../tree/clobbered.js";

export interface Labels {
  labelsOf(field: Element): readonly HTMLLabelElement[];
}

const NONE: readonly HTMLLabelElement[] = [];

export function createLabels(): Labels {
  const trees = new Map<Node, ReadonlyMap<Element, readonly HTMLLabelElement[]>>();
  return {
    labelsOf: (field) => {
      const root = rootOf(field);
      let tree = trees.get(root);
      if (!tree) {
        tree = readLabels(root);
        trees.set(root, tree);
      }
      return tree.get(field) ?? NONE;
    },
  };
}

function readLabels(root: Node): ReadonlyMap<Element, readonly HTMLLabelElement[]> {
  const found = new Map<Element, HTMLLabelElement[]>();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return found;
  for (const label of tree.findAll(root, "label")) {
    if (!(label instanceof HTMLLabelElement)) continue;
    const field = label.control;
    if (!field) continue;
    const others = found.get(field);
    if (others) others.push(label);
    else found.set(field, [label]);
  }
  return found;
}
