// What the guard in a page and the host share: the events it watches, its arming and its report.

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
/** Asks the script itself: did the page just set a short timer? */
export const HAS_TIMER = 97;

export interface Arming {
  /** `drag`: press on `ref`, drop on `endRef`. `hover`: no press. */
  readonly input: "pointer" | "keyboard" | "drag" | "hover";
  /** The event name by which guardScript asks. */
  readonly guardName?: string;
  readonly forMs?: number;
}

/** Until `disarm`, trusted events that miss this element are stopped. */
export interface ArmOperation extends Arming {
  readonly op: "arm";
  /** 0: no element of this document may be reached. */
  readonly ref: number;
  readonly endRef?: number;
}

export interface DisarmAnswer {
  readonly reached: number;
  readonly stopped: number;
  /** At most 40 event types in order; stopped ones start with `!`. */
  readonly events: readonly string[];
  /** Why the first one was stopped; `late`: the rest of a key that changed the element. */
  readonly why: "detached" | "changed" | "missed" | "renamed" | "exchanged" | "late" | null;
  /** false: the document came after arming. */
  readonly wasArmed: boolean;
  readonly opensTab: boolean;
  /** The document is new, so unseen input was blocked. */
  readonly isYoung: boolean;
}

export const NOT_ARMED: DisarmAnswer = {
  reached: 0,
  stopped: 0,
  events: [],
  why: null,
  wasArmed: false,
  opensTab: false,
  isYoung: false,
};
