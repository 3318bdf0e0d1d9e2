// What the guard in a page and the host share: the trusted events it looks at, how it is armed, and what it
// reports. The script at the start of a document names the events by their place in these lists.

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

/** How a guard is armed. */
export interface Arming {
  /** `drag`: the press must reach `ref`, the release and the drop `endRef`. `hover`: no press at all. */
  readonly input: "pointer" | "keyboard" | "drag" | "hover";
  /** The event by which the script at the start of a document asks, see guardScript. */
  readonly guardName?: string;
  /** After that long it ends by itself. */
  readonly forMs?: number;
}

/** From now on trusted events that do not reach this element are stopped, until `disarm`. */
export interface ArmOperation extends Arming {
  readonly op: "arm";
  /** 0: nothing in this document may be reached. */
  readonly ref: number;
  /** Of a drag that ends in this document. */
  readonly endRef?: number;
}

export interface DisarmAnswer {
  /** Trusted events that reached the element, and those that were stopped. */
  readonly reached: number;
  readonly stopped: number;
  /** Types of the events in their order, stopped ones with a `!` before. At most 40. */
  readonly events: readonly string[];
  /** Why the first was stopped; `late`: the rest of a key that changed the element, not counted. */
  readonly why: "detached" | "changed" | "missed" | "renamed" | "exchanged" | "late" | null;
  /** false: this document was never armed, so it came after. */
  readonly wasArmed: boolean;
  readonly opensTab: boolean;
  /** It has just come, so an input that no one saw was kept from it. */
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
