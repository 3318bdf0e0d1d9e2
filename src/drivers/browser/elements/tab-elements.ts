// What the host knows of the elements of one tab: lists them over all frames, finds the frame of a
// ref, and asks the code in the page. Acting is in page/.

import type { Frame, Locator } from "playwright-core";
import type { ListRequest, PageChange, PageListing } from "../../../core/browser.js";
import type { Arming } from "../inpage/guard/guarded-events.js";
import type { OperationName, Operations, Purpose } from "../inpage/protocol.js";

export const MAX_ELEMENTS = 100_000;

export interface ElementScope {
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
  readonly x: number;
  readonly y: number;
  readonly box: readonly [x: number, y: number, width: number, height: number];
  readonly tag: string;
  readonly type: string | null;
  readonly isArmed: boolean;
}

export type ElementChanges = Omit<PageChange, "tab" | "events" | "isUnsettled">;

/** All reject with the errors of the port: `stale_ref`, `element_covered`, `browser_timeout` … */
export interface TabElements {
  list(request: ListRequest, scope: ElementScope): Promise<PageListing>;
  /** Scrolls it into view and looks whether it can be acted on. Takes every spelling of a ref. */
  find(ref: string, purpose: Purpose, scope: FindScope): Promise<FoundElement>;
  watch(scope: ElementScope): Promise<void>;
  /** What changed since `watch`, or since the last time it was asked. */
  changes(scope: ElementScope): Promise<ElementChanges>;
  /** The frame in an iframe, by the ref or the CSS of that. Rejects with `frame_not_found`. */
  frame(name: string, scope: ElementScope): Promise<Frame>;
  nameOf(number: number): string;
  ask<Name extends OperationName>(
    frame: Frame,
    operation: Operations[Name]["asks"],
    scope: ElementScope,
  ): Promise<Operations[Name]["answers"]>;
}
