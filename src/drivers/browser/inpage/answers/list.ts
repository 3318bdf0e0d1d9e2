// Lists the page and reports changes against the last listing.

import type { PageState } from "../page-state.js";
import {
  type Answers,
  type Asks,
  type ChangesAnswer,
  type ListAnswer,
  type ListOperation,
  MAX_REPORTED,
} from "../protocol.js";
import { nearest } from "../refs/nearest.js";
import { queryDeep } from "../tree/find.js";
import { changedRoots } from "../walk/changed-roots.js";
import { survey } from "../walk/survey.js";
import { tellMoved, tellRedrawn } from "./moved.js";

/** Documents read faster than this are read whole. */
const FAST_MS = 12;
/** For a document that was never listed. */
const MAX_FIRST = 1_500;

export function list(state: PageState, asks: ListOperation): ListAnswer {
  state.book.skipTo(asks.firstRef);
  state.book.ticks.endAct();
  const target = findTarget(state, asks);
  const { documentId, book } = state;
  if (!target.isWhole && !target.root) {
    const nextRef = book.nextRef();
    return { documentId, rows: [], nextRef, isCut: false, closedRoots: [], why: target.why };
  }
  if (!target.isWhole) surveyFirst(state);
  if (target.isWhole) {
    state.mutations.takeMoves();
    state.mutations.take();
  }
  const { rows, isCut, closedRoots } = survey(state, {
    roots: target.root && [target.root],
    isAskedFor: !target.isWhole,
    isListing: true,
    withBoxes: asks.withBoxes,
    isGlance: asks.isGlance,
  });
  return { documentId, rows, nextRef: book.nextRef(), isCut, closedRoots, why: null };
}

/** Duplicates are known only after a whole survey. */
function surveyFirst(state: PageState): void {
  if (state.known.size > 0) return;
  survey(state, { roots: undefined, isAskedFor: false, isListing: false });
}

function findTarget({ book }: PageState, { ref, selector }: ListOperation) {
  if (ref !== undefined) {
    const { element, why = null } = book.lookUp(ref);
    return { isWhole: false, root: why ? undefined : element, why };
  }
  if (selector === undefined) return { isWhole: true, root: undefined, why: null };
  return { isWhole: false, root: queryDeep(document, selector), why: null };
}

export function changes(state: PageState, asks: Asks<"changes">): ChangesAnswer {
  state.book.skipTo(asks.firstRef);
  state.reactions.end();
  state.book.ticks.endAct();
  const moves = state.mutations.takeMoves();
  const places = state.mutations.take();
  const isFast = state.wholeMs < FAST_MS;
  const isFirst = state.surveys === 0;
  const roots =
    places && !isFast ? changedRoots(state, { ...places, gone: moves.gone }) : undefined;
  const { added, removed, changed } = survey(state, {
    roots,
    isAskedFor: false,
    isListing: false,
  });
  const counts = { added: added.length, removed: removed.length, changed: changed.length };
  const cut = isFirst ? MAX_FIRST : MAX_REPORTED;
  const numbers = new Set(added.map(([ref]) => ref).filter(Boolean));
  const moved = [
    ...tellMoved(state, { moves, added: numbers }),
    ...tellRedrawn(state, { moves, added, removed }),
  ];
  return {
    documentId: state.documentId,
    added: added.slice(0, cut),
    removed: removed.slice(0, cut),
    changed: changed.slice(0, cut),
    moved,
    ...state.scrollAndFocus.take(state),
    counts,
    nextRef: state.book.nextRef(),
  };
}

export function near(state: PageState, asks: Asks<"near">): Answers<"near"> {
  state.book.skipTo(asks.firstRef);
  surveyFirst(state);
  const { near } = nearest(state, asks);
  return { documentId: state.documentId, near, nextRef: state.book.nextRef() };
}
