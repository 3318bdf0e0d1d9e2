// Whether an element is still what a number was given to: by its role, its name and what it is in.

import { type ItemLook, isSameBinding, isStillBound } from "../duplicates/binding.js";
import type { Look } from "../look.js";
import { contextOf } from "../name/context.js";
import { hasSameNumbers } from "./numbers-around.js";
import { countsAround, isCalledStill, isStandingStill, type Naming } from "./same-words.js";
import { isEqual, isSurrounded, type Surroundings } from "./surroundings.js";

/** Of a name that may have been cut, spaces having been counted too. */
const LONG_CHARS = 200;

/** The same role, the same name, in the same item. */
export function isStill(items: ItemLook, element: Element, naming: Naming): boolean {
  const { known, now } = naming;
  if (known.role !== now.role || !isCalledStill(items, element, naming)) return false;
  if (known.whole !== wholeOf(items, element, now.name)) return false;
  const { binding, context, surroundings, moment } = known;
  if (binding && !isSameBinding(binding, now.binding) && !isStillBound(items, element, binding)) {
    return false;
  }
  const { ticks } = items.memory;
  const counts = () => countsAround(items, known);
  const isAround = (look: Look, before: Surroundings) => {
    const item = binding?.item.deref();
    return isSurrounded({ look, element, item, ticks, counts, found: now.heading }, before);
  };
  const isSameIn = (look: Look, read?: Surroundings) =>
    (!context ||
      isStandingStill(naming, { before: context, now: contextOf(look, element), counts })) &&
    (!surroundings || isEqual(surroundings, read) || isAround(look, surroundings));
  if (isSameIn(items.look, now.surroundings)) return true;
  const then = ticks.isAny() ? items.at(moment).look : undefined;
  return (
    then !== undefined &&
    isSameIn(then) &&
    hasSameNumbers(element, surroundings, { then, now: items.look })
  );
}

/** Of a long name: the sum of all that is said, for it may be cut; else 0. */
export function wholeOf({ contents }: ItemLook, element: Element, name: string): number {
  return name.length > LONG_CHARS ? contents.of(element).full : 0;
}
