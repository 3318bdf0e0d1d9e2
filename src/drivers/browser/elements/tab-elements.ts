// The elements of one tab as the host sees them, over all frames.

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
  /** In the main document, the same question also arms the guard. */
  readonly arm?: Arming;
}

export interface FoundElement {
  readonly frame: Frame;
  readonly ref: number;
  readonly locator: Locator;
  readonly x: number;
  readonly y: number;
  readonly box: readonly [x: number, y: number, width: number, height: number];
  readonly tag: string;
  readonly type: string | null;
  readonly isArmed: boolean;
}

export type ElementChanges = Omit<PageChange, "tab" | "events" | "isUnsettled">;

/** All reject with the errors of the port. */
export interface TabElements {
  list(request: ListRequest, scope: ElementScope): Promise<PageListing>;
  /** Scrolls it into view and checks whether it can be acted on. */
  find(ref: string, purpose: Purpose, scope: FindScope): Promise<FoundElement>;
  watch(scope: ElementScope): Promise<void>;
  changes(scope: ElementScope): Promise<ElementChanges>;
  /** The frame in an iframe, by its ref or CSS. Rejects with `frame_not_found`. */
  frame(name: string, scope: ElementScope): Promise<Frame>;
  nameOf(number: number): string;
  ask<Name extends OperationName>(
    frame: Frame,
    operation: Operations[Name]["asks"],
    scope: ElementScope,
  ): Promise<Operations[Name]["answers"]>;
}
