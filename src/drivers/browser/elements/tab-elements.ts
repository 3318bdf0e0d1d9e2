// What the host knows of the elements of one tab: lists them over all frames, finds the frame of a
// ref, and asks the code in the page. Acting is in page/.

import type { Frame, Locator } from "playwright-core";
import type { ListRequest, PageChange, PageListing } from "../../../core/browser.js";
import type { Arming } from "../inpage/act-protocol.js";
import type { OperationName, Operations, Purpose } from "../inpage/protocol.js";

/** Of one document, in one answer. */
export const MAX_ELEMENTS = 100_000;

export interface ElementScope {
  /** Milliseconds that are left. Every question to the page is bounded by it. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface FindScope extends ElementScope {
  /** In a document that is not a frame of another the guard is armed by the same question. */
  readonly arm?: Arming;
}

export interface FoundElement {
  readonly frame: Frame;
  readonly ref: number;
  /** By our own ref, for fill, select, files: resolves to the very element or to nothing. */
  readonly locator: Locator;
  /** In the viewport of the page, frames added up. */
  readonly x: number;
  readonly y: number;
  readonly box: readonly [x: number, y: number, width: number, height: number];
  readonly tag: string;
  readonly type: string | null;
  /** The guard is armed for it in its document. */
  readonly isArmed: boolean;
}

export type ElementChanges = Omit<PageChange, "tab" | "events" | "isUnsettled">;

/** All reject with the errors of the port: `stale_ref`, `element_covered`, `browser_timeout` … */
export interface TabElements {
  list(request: ListRequest, scope: ElementScope): Promise<PageListing>;
  /** Scrolls it into view and looks whether it can be acted on. Takes every spelling of a ref. */
  find(ref: string, purpose: Purpose, scope: FindScope): Promise<FoundElement>;
  /** Begins to note what changes, in all frames. */
  watch(scope: ElementScope): Promise<void>;
  /** What changed since `watch`, or since the last time it was asked. */
  changes(scope: ElementScope): Promise<ElementChanges>;
  /** The frame in an iframe, by the ref or the CSS of that. Rejects with `frame_not_found`. */
  frame(name: string, scope: ElementScope): Promise<Frame>;
  /** The frame that gave a ref. Rejects with `stale_ref`. */
  owner(ref: string, scope: ElementScope): Promise<Frame>;
  /** The ref of an element by the number that its document gave it. */
  nameOf(number: number): string;
  /** One operation in one frame. */
  ask<Name extends OperationName>(
    frame: Frame,
    operation: Operations[Name]["asks"],
    scope: ElementScope,
  ): Promise<Operations[Name]["answers"]>;
}
