// Which labels a field has: those it is in, and those that name its id. Asking each field for its
// labels instead is quadratic after every change of the page.

import { addTo, remember } from "../remember.js";
import { attributeOf, closestOf, idOf, isTree, rootOf, tree } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";

type Tree = Document | ShadowRoot;

/** The labels of a tree that name a field, by its id. */
export type NamingLabels = ReadonlyMap<string, readonly Element[]>;

export interface Labels {
  /** In the order of the tree. */
  labelsOf(field: Element): readonly HTMLLabelElement[];
}

const NONE: readonly HTMLLabelElement[] = [];

/** `inDocument`: those of the document, which need not be read for every question. */
export function createLabels(inDocument: () => NamingLabels): Labels {
  const trees = new Map<Tree, NamingLabels>();
  return {
    labelsOf: (field) => {
      const around = labelsAround(field);
      const id = idOf(field);
      const root = id ? rootOf(field) : undefined;
      if (!root || !isTree(root)) return around;
      const known = root === document ? inDocument() : remember(trees, root, readNamingLabels);
      const naming = labelsFor(field, known.get(id) ?? NONE);
      if (naming.length === 0) return around;
      return around.length === 0 ? naming : [...new Set([...around, ...naming])].sort(byPlace);
    },
  };
}

export function readNamingLabels(root: Tree): NamingLabels {
  const found = new Map<string, Element[]>();
  for (const label of tree.findAll(root, "label[for]")) {
    addTo(found, attributeOf(label, "for") ?? "", label);
  }
  return found;
}

function labelsFor(field: Element, labels: Iterable<Element>): readonly HTMLLabelElement[] {
  return [...labels].flatMap((label) =>
    label instanceof HTMLLabelElement && label.control === field ? label : [],
  );
}

function byPlace(left: Node, right: Node): number {
  return left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/** The outermost first. */
function labelsAround(field: Element): readonly HTMLLabelElement[] {
  let label = closestOf(field, "label");
  if (!label) return NONE;
  const found: Element[] = [];
  while (label) {
    found.unshift(label);
    const parent = parentElementOf(label);
    label = parent && closestOf(parent, "label");
  }
  return labelsFor(field, found);
}
