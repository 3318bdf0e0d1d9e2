// What is said around an element that is alone, with the numbers that name it: these may be no others
// than before, also where they seem to go on by themselves.

import { hasSameNaming } from "../duplicates/naming.js";
import type { Look } from "../look.js";
import { labelsAround } from "../name/around.js";
import { contextOf, itemText } from "../name/context.js";
import type { Surroundings } from "./surroundings.js";

export function hasSameNumbers(
  element: Element,
  surroundings: Surroundings | undefined,
  { then, now }: { readonly then: Look; readonly now: Look },
): boolean {
  const heading = surroundings?.heading?.node.deref();
  const said = (look: Look) =>
    [
      contextOf(look, element).mark ?? "",
      labelsAround(look, element),
      heading ? itemText(look, heading) : "",
    ].join("; ");
  return hasSameNaming(said(then), said(now));
}
