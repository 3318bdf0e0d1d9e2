// The elements that an attribute like aria-labelledby names by their ids, in the same tree.

import { attributeOf, isTree, rootOf, tree } from "./clobbered.js";

const NOTHING: readonly Element[] = [];

export function referredBy(element: Element, attribute: string): readonly Element[] {
  const ids = attributeOf(element, attribute);
  const root = ids ? rootOf(element) : undefined;
  if (!ids || !root || !isTree(root)) return NOTHING;
  return ids.split(/\s+/u).flatMap((id) => (id ? (tree.byId(root, id) ?? []) : []));
}
