// Notes where a document changed since it was reported last, also in shadow roots and in fields, whose
// values are not part of the tree.

import type { Listening } from "./listening.js";
import { createMoveNotes, type Moves } from "./moves.js";
import { observeRoots } from "./observe-roots.js";
import { isAnElement, isElement, isShadowRoot, page, parentNodeOf } from "./tree/clobbered.js";

/** With more places than this the whole document is read again. */
const MAX_PLACES = 200;
/** Who names whom is another by them. */
const NAMING: readonly (string | null)[] = ["id", "for"];
const FIELD_EVENTS = ["input", "change", "toggle"] as const;

/** Where a document changed. */
export interface Places {
  /** To be read again. */
  readonly changed: readonly Element[];
  /** Only elements came or went here: to be read again when names are made of what is in it. */
  readonly holders: readonly Element[];
}

export interface Mutations {
  /** Of a document or a shadow root. Again is the same as once. */
  observe(root: Document | ShadowRoot): void;
  /** Since the last time; undefined: in too many places. */
  take(): Places | undefined;
  /** The same for what was put elsewhere. Taken before the places. */
  takeMoves(): Moves;
}

/** `hear`: of everything that changed. */
export function createMutations(
  { on }: Listening,
  hear: (records: readonly MutationRecord[]) => void,
): Mutations {
  const changed = new Set<Element>();
  const holders = new Set<Element>();
  let isOverfull = false;
  const note = (node: unknown, places: Set<Element>) => {
    const place = isAnElement(node) ? node : node instanceof Node ? hostOf(node) : null;
    if (place) places.add(place);
    if (places.size > MAX_PLACES) isOverfull = true;
  };
  const moves = createMoveNotes();
  const noteAll = (records: readonly MutationRecord[]) => {
    hear(records);
    moves.note(records);
    for (const record of records) {
      if (NAMING.includes(record.attributeName)) isOverfull = true;
      if (isOverfull) return;
      if (isOfElements(record)) {
        note(record.target, holders);
        for (const added of record.addedNodes) note(added, changed);
      } else note(record.target, changed);
    }
  };
  const observer = observeRoots(noteAll);
  for (const type of FIELD_EVENTS) {
    on(type, (event) => note(event.composedPath()[0], changed));
  }
  return {
    observe: observer.observe,
    takeMoves: () => {
      noteAll(observer.takeRecords());
      return moves.take();
    },
    take: () => {
      noteAll(observer.takeRecords());
      const taken = isOverfull ? undefined : { changed: [...changed], holders: [...holders] };
      changed.clear();
      holders.clear();
      isOverfull = false;
      return taken;
    },
  };
}

function isOfElements({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  return type === "childList" && areElements(addedNodes) && areElements(removedNodes);
}

function areElements(nodes: NodeList): boolean {
  for (const node of nodes) if (!isElement(node)) return false;
  return true;
}

function hostOf(node: Node): Element | null {
  if (isShadowRoot(node)) return node.host;
  if (node instanceof Document) return page.root();
  const parent = parentNodeOf(node);
  return isAnElement(parent) ? parent : null;
}
