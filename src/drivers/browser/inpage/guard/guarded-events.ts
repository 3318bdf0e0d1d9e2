// The trusted events that a guard looks at; the script at the start of a document names them by place.

export const POINTER_EVENTS = [
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
] as const;

export const KEY_EVENTS = ["keydown", "keypress", "beforeinput", "paste", "drop"] as const;

export const IS_KNOWN = 99;
export const WAS_STOPPED = 98;
/** Asked of the script itself: is a short timer under way that the page set when it got an input? */
export const HAS_TIMER = 97;
