// Turns rows of the page code into elements of the port, and keeps the last listings of a tab.

import type { Frame } from "playwright-core";
import type { ListedElement } from "../../../core/browser.js";
import { redactUrl } from "../../../core/index.js";
import { ROW_FLAGS, type Row } from "../inpage/protocol.js";
import type { FrameListing } from "./list-elements.js";
import type { RefNames } from "./refs.js";

const NO_STATES: readonly string[] = [];
/** Addresses without any of these cannot hold a secret. */
const MAY_HOLD_SECRET = /[?#@]|[\w-]{16}|^data:|hooks\./iu;
const MAX_LISTINGS = 4;

type Draft = { -readonly [Key in keyof ListedElement]: ListedElement[Key] };

export type ToListed = (row: Row, depthAbove?: number) => ListedElement;

export function createToListed(names: Pick<RefNames, "nameOf">): ToListed {
  return (row, depthAbove = 0) => toListed(row, { names, depthAbove });
}

function toListed(
  row: Row,
  { names, depthAbove }: { readonly names: Pick<RefNames, "nameOf">; readonly depthAbove: number },
): ListedElement {
  const [ref, depth, role, name, states, value, url, flags] = row;
  const element: Draft = {
    depth: depth + depthAbove,
    role,
    name,
    states: states === "" ? NO_STATES : states.split(" "),
    isInteractive: (flags & ROW_FLAGS.interactive) !== 0,
    isNew: (flags & ROW_FLAGS.isNew) !== 0,
  };
  if (ref > 0) element.ref = names.nameOf(ref);
  if (value !== null) element.value = value;
  if (url !== null) element.url = MAY_HOLD_SECRET.test(url) ? redactUrl(url) : url;
  return element;
}

export function isFrameRow(row: Row): boolean {
  return (row[7] & ROW_FLAGS.frame) !== 0;
}

export type TabMemory = ReturnType<typeof createTabMemory>;

export function createTabMemory() {
  const documents = new Map<Frame, string>();
  const listings: (readonly ListedElement[])[] = [];
  const noteElements = (elements: readonly ListedElement[]) => {
    if (elements.length === 0) return;
    listings.unshift(elements);
    listings.length = Math.min(listings.length, MAX_LISTINGS);
  };
  return {
    documents,
    noteElements,
    noteListing: (
      { elements, frames }: FrameListing,
      { isWhole }: { readonly mainFrame: Frame; readonly isWhole: boolean },
    ) => {
      if (isWhole) documents.clear();
      for (const [frame, documentId] of frames) documents.set(frame, documentId);
      noteElements(elements);
    },
    elementOf: (ref: string) => {
      for (const elements of listings) {
        const found = elements.find((element) => element.ref === ref);
        if (found) return found;
      }
      return undefined;
    },
  };
}
