// Reports focus and scroll position, which cause no mutation records.

import type { Listening } from "./listening.js";
import { findActive } from "./look.js";
import type { ChangesAnswer, Row } from "./protocol.js";
import { heightOf, isAnElement, isClobbered, page } from "./tree/clobbered.js";

export interface ScrollAndFocus {
  /** What is other than the last time. */
  take(listed: {
    readonly known: ReadonlyMap<Element, { readonly row: Row | null }>;
  }): Pick<ChangesAnswer, "focus" | "scrolled">;
}

export function createScrollAndFocus({ on }: Listening): ScrollAndFocus {
  let active: Element | null = null;
  let top = 0;
  let inner: Element | undefined;
  const onScroll = ({ target }: Event) => {
    if (isAnElement(target)) inner = target;
  };
  on("scroll", onScroll);
  return {
    take: ({ known }) => {
      const [wasActive, wasTop, scroller] = [active, top, inner];
      active = findActive();
      top = Math.round(scrollY);
      inner = undefined;
      const focus = active && active !== wasActive ? (known.get(active)?.row ?? null) : null;
      const root = page.root();
      if (root && top !== wasTop) {
        return { focus, scrolled: { top, ofPx: Math.max(top, root.scrollHeight - innerHeight) } };
      }
      const by = scroller && known.get(scroller)?.row;
      if (!by || !scroller || isClobbered(scroller)) return { focus, scrolled: null };
      const ofPx = scroller.scrollHeight - heightOf(scroller);
      return { focus, scrolled: { top: Math.round(scroller.scrollTop), ofPx, by } };
    },
  };
}
