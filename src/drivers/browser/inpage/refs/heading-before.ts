// The heading that is last before one element, found without reading the page: as the headings of a
// listing are (walk/headings.ts), but only of the document itself, not of shadow roots.

import type { Look } from "../look.js";
import { nameOf } from "../name/name-of.js";
import { APART_ROLES, CLOSED_ROLES, HEADED_ROLES } from "../role/role-names.js";
import { roleOf } from "../role/role-of.js";
import {
  attributeOf,
  closestOf,
  isAround,
  isBefore,
  isDrawn,
  isShadowRoot,
  rootOf,
  tagOf,
} from "../tree/clobbered.js";
import { parentElementOf } from "../tree/cursor.js";
import { DRAWN } from "./acted-on.js";

const HIDDEN = "[aria-hidden=true]";
/** Of one that does not say it. */
const DEFAULT_LEVEL = 2;

/** Others than those wanted are passed over. undefined: there is none, or nothing before counts. */
export function headingBefore(
  look: Look,
  element: Element,
  isWanted: (heading: Element) => boolean,
): Element | undefined {
  const all = look.headings();
  let from = element;
  for (let root = rootOf(from); isShadowRoot(root); root = rootOf(from)) from = root.host;
  const apart = enclosing(element, (role) => APART_ROLES.has(role));
  const lastBefore = (other: Element) => all.findLastIndex((each) => isBefore(each, other));
  let at = lastBefore(from);
  for (let heading = all[at]; heading; heading = all[at]) {
    if (apart && !isAround(apart, heading)) return undefined;
    const isEnd = (role: string, each: Element) => HEADED_ROLES.has(role) && !isAround(each, from);
    const closed = enclosing(heading, isEnd);
    if (!closed && isWanted(heading)) return heading;
    at = closed ? lastBefore(closed) : at - 1;
  }
  return undefined;
}

export function levelOf(heading: Element): number {
  return Number(attributeOf(heading, "aria-level") ?? tagOf(heading)[1]) || DEFAULT_LEVEL;
}

/** It is shown, and no name of what it is in says it already. */
export function isListed(look: Look, heading: Element): boolean {
  if (!isDrawn(heading, DRAWN) || closestOf(heading, HIDDEN) || roleOf(heading) !== "heading") {
    return false;
  }
  const isTold = (role: string, each: Element) =>
    CLOSED_ROLES.has(role) || (role !== "generic" && nameOf(look, each, role).isContent);
  return !enclosing(heading, isTold);
}

/** The innermost around it. */
function enclosing(
  element: Element,
  isOne: (role: string, each: Element) => boolean,
): Element | null {
  let at = parentElementOf(element);
  while (at && !isOne(roleOf(at), at)) at = parentElementOf(at);
  return at;
}
