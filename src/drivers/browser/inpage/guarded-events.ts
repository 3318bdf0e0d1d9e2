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
