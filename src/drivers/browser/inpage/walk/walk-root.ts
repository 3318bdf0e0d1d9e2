// Begins a walk: at the root of the document, or at one of its parts with what is around that.

import type { Look } from "../look.js";
import type { PageState } from "../page-state.js";
import { closestOf, isDrawn } from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import type { Surroundings } from "./judge.js";
import { type Sink, walk } from "./walk.js";

const MAX_ANCESTORS = 1_000;

const NOTHING_AROUND: Surroundings = {
  element: null,
  isTold: false,
  isAriaHidden: false,
  isPointer: false,
};

export interface WalkedRoots {
  /** undefined: the whole document. */
  readonly roots: readonly Element[] | undefined;
  /** The roots have rows themselves, whatever they are, at depth 0. What was reported stays as it was. */
  readonly isAskedFor: boolean;
}

export function walkRoot(
  root: Element,
  at: { state: PageState; look: Look; sink: Sink; options: WalkedRoots },
): void {
  const { state, look, sink, options } = at;
  const { isAskedFor } = options;
  const parent = parentElementOf(root);
  if (!options.roots || !parent) {
    walk(root, { look, sink, depth: 0, around: { ...NOTHING_AROUND, isAskedFor } });
    return;
  }
  if (!isRendered(root) || (look.hasModal() && closestOf(parent, "[inert]"))) return;
  const around: Surroundings = {
    element: look.owners.get(root) ?? parent,
    isTold: false,
    isAriaHidden: closestOf(parent, "[aria-hidden=true]") !== null,
    isPointer: look.styles.isPointer(parent),
    isAskedFor,
  };
  walk(root, { look, sink, depth: isAskedFor ? 0 : depthBelow(state, parent), around });
}

/** Without a box of its own it is there when what it is in is. */
function isRendered(root: Element): boolean {
  let at: Element | null = root;
  while (at && !isDrawn(at)) {
    if (getComputedStyle(at).display !== "contents") return false;
    at = parentElementOf(at);
  }
  return true;
}

function depthBelow(state: PageState, parent: Element): number {
  let at: Element | null = parent;
  for (let steps = 0; at && steps < MAX_ANCESTORS; steps += 1) {
    const row = state.known.get(at)?.row;
    if (row) return row[1] + 1;
    at = parentElementOf(at);
  }
  return 0;
}
