// The heading that is last before each row. One in a dialog, a group or the like says nothing of what
// is outside of it, and one in the main part nothing of the foot of a page or its ways.

import type { Row } from "../protocol.js";
import { APART_ROLES, HEADED_ROLES } from "../role/role-names.js";

type Before = Element | null | undefined;

export interface Headings {
  /** The heading before this row, the rows being passed in their order. */
  pass(element: Element, row: Row): Before;
}

/** `first`: what is before all; undefined: no one knows. */
export function createHeadings(first: null | undefined): Headings {
  let heading: Before = first;
  /** What counts again after each that is open, the innermost last. */
  const open: { readonly depth: number; readonly heading: Before }[] = [];
  return {
    pass: (element, [, depth, role]) => {
      for (let last = open.at(-1); last && depth <= last.depth; last = open.at(-1)) {
        heading = last.heading;
        open.pop();
      }
      const before = heading;
      if (HEADED_ROLES.has(role)) open.push({ depth, heading });
      if (APART_ROLES.has(role)) heading = null;
      if (role === "heading") heading = element;
      return before;
    },
  };
}
