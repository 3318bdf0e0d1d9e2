// What the host remembers of what it reported about a tab: which documents, and the last listings, so that an
// old ref can be distinguished from a wrong one and compared with what is there.

import type { Frame } from "playwright-core";
import type { ListedElement } from "../../../core/browser.js";
import type { FrameListing } from "./list-frames.js";

const MAX_LISTINGS = 4;

export interface TabMemory {
  /** Frames whose content was reported, with the document that was in them. */
  readonly documents: Map<Frame, string>;
  noteListing(
    listing: FrameListing,
    place: { readonly mainFrame: Frame; readonly isWhole: boolean },
  ): void;
  noteElements(elements: readonly ListedElement[]): void;
  /** As it was reported last. */
  elementOf(ref: string): ListedElement | undefined;
}

export function createTabMemory(): TabMemory {
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
    noteListing: ({ elements, frames }, { isWhole }) => {
      if (isWhole) documents.clear();
      for (const [frame, documentId] of frames) documents.set(frame, documentId);
      noteElements(elements);
    },
    elementOf: (ref) => {
      for (const elements of listings) {
        const found = elements.find((element) => element.ref === ref);
        if (found) return found;
      }
      return undefined;
    },
  };
}
