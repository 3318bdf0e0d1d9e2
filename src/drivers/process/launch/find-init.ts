// Finds the first process of a namespace while the inside is still on its way: it is there long
// before the inside speaks, and nobody has anything else to do meanwhile.

import type { RunningTree } from "./kill-ladder.js";
import { type ProcessEntry, peekFirstChild, readFirstChild } from "./process-table.js";

/** When the wrappers have mostly started it, and it has mostly not spoken. */
const LOOK_AFTER_MS = 2;

export type OuterTree = Omit<RunningTree, "init">;

export interface InitSearch {
  /** To be called when the inside has spoken, or will not. Looks itself where nothing was found. */
  finish(): RunningTree;
}

export function searchInit(tree: OuterTree): InitSearch {
  let found: ProcessEntry | undefined;
  const timer = setTimeout(() => {
    if (tree.containment.endsChildren) found = peekFirstChild(tree.pid);
  }, LOOK_AFTER_MS);
  return {
    finish() {
      clearTimeout(timer);
      if (found !== undefined) return { ...tree, init: found };
      const whole = withInit(tree);
      found = whole.init;
      return whole;
    },
  };
}

/** The first process of the namespace is there once the inside has spoken. */
export function withInit(tree: OuterTree): RunningTree {
  const init = tree.containment.endsChildren ? readFirstChild(tree.pid) : undefined;
  return { ...tree, init };
}
