// Goes through all nodes below one, seen or not, and through what is put into the slots of its own tree.

import {
  firstChildOf,
  isElement,
  isShadowRoot,
  nextSiblingOf,
  parentNodeOf,
  rootOf,
  shadowOf,
} from "../tree/clobbered.js";
import { assignedTo } from "../tree/cursor.js";

/**
 * In the order of the tree, what is in a shadow root before what is in the light. `visit` says whether
 * what is in a node follows; undefined: nothing more does, and that is the answer.
 */
export function eachNode(
  root: Node,
  visit: (node: Node) => boolean | undefined,
): boolean | undefined {
  const home = rootOf(root);
  let node: Node | null = root;
  while (node) {
    const isEntered = visit(node);
    if (isEntered === undefined) return undefined;
    // Of a tree in the root itself the light follows anyway.
    const isOwn = isEntered && isShadowRoot(home) && rootOf(node) === home;
    for (const each of isOwn && isElement(node) ? assignedTo(node) : []) {
      if (eachNode(each, visit) === undefined) return undefined;
    }
    node = (isEntered ? firstIn(node) : null) ?? following(node, root);
  }
  return true;
}

function firstIn(node: Node): Node | null {
  const shadow = isElement(node) ? shadowOf(node) : null;
  return (shadow && firstChildOf(shadow)) ?? firstChildOf(node);
}

function following(node: Node, root: Node): Node | null {
  let at: Node | null = node;
  while (at && at !== root) {
    const next = nextSiblingOf(at);
    if (next) return next;
    const parent: Node | null = parentNodeOf(at);
    const host: Element | undefined = isShadowRoot(parent) ? parent.host : undefined;
    const light = host && firstChildOf(host);
    if (light) return light;
    at = host ?? parent;
  }
  return null;
}
