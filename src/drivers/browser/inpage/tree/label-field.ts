// Labels that people use in the place of their field: it is not shown, and a click on them is one on it.

import { isDrawn, isMatch, tagOf } from "./clobbered.js";

const CLICKED = "button,[type=checkbox],[type=file],[type=radio]";

/** The field that the element means, else the element. */
export function fieldOf(element: Element): Element {
  if (tagOf(element) !== "label" || !(element instanceof HTMLLabelElement)) return element;
  const { control } = element;
  const isStoodFor =
    control && isMatch(control, CLICKED) && !isDrawn(control, { visibilityProperty: true });
  return isStoodFor ? control : element;
}
