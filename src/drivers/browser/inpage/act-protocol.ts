// What the host asks for acting: guarding an input, filling fields, looking for what is waited for.

/** How a guard is armed. */
export interface Arming {
  /** `drag`: the press must reach `ref`, the release and the drop `endRef`. `hover`: no press at all. */
  readonly input: "pointer" | "keyboard" | "drag" | "hover";
  /** The event by which the script at the start of a document asks, see guardScript. */
  readonly guardName?: string;
  readonly forMs?: number;
}

/** From now on trusted events that do not reach this element are stopped, until `disarm`. */
export interface ArmOperation extends Arming {
  readonly op: "arm";
  readonly ref: number;
  readonly endRef?: number;
}

export interface DisarmOperation {
  readonly op: "disarm";
  readonly guardName?: string;
}

/** From now on this document is known, and takes input also while it is young. */
export interface GreetOperation {
  readonly op: "greet";
  readonly guardName: string;
}

export interface DisarmAnswer {
  readonly reached: number;
  /** Stopped, because the element was not under them or was another by then. */
  readonly stopped: number;
  /** Types of the events, in their order, stopped ones with a `!` before. At most 40. */
  readonly events: readonly string[];
  /**
   * Why the first was stopped: the element went away, is another, or was not under the event; the button
   * that a key presses in its form has another name; another one is in the place of what is dragged.
   * `late`: the rest of a key that reached the element, and by which the page made another of it; it is
   * not counted. When the pointer came alone: what became of the element.
   */
  readonly why: "detached" | "changed" | "missed" | "renamed" | "exchanged" | "late" | null;
  /** false: this document was never armed, so it came after. */
  readonly wasArmed: boolean;
  /** What was clicked opens its address in another tab, unless the page forbids it. */
  readonly opensTab: boolean;
  /** It has just come, and we hear everything first: an input that no one saw was kept from it. */
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

/** Puts a value into a field: at once where that is how the field works, else makes it ready for keys. */
export interface PutOperation {
  readonly op: "put";
  readonly ref: number;
  readonly value: string;
  readonly appends?: boolean | undefined;
  readonly isFlag?: boolean | undefined;
}

export type PutAnswer =
  /** It has the value; `input` and `change` were sent. */
  | { readonly how: "set"; readonly value: string }
  /** It has the focus, and what is in it is selected, or the cursor behind it: type. */
  | { readonly how: "type" }
  | { readonly how: "click"; readonly isChecked: boolean }
  | { readonly how: "choose" }
  | { readonly how: "refused"; readonly hint: string }
  | { readonly how: "readonly" }
  | { readonly how: "disabled" }
  | { readonly how: "gone" };

export interface FocusOperation {
  readonly op: "focus";
  readonly ref: number;
}

/**
 * Chooses options of a select by value, label or text, or by `value=…` or `label=…` alone; sends `input`
 * and `change`.
 */
export interface ChooseOperation {
  readonly op: "choose";
  readonly ref: number;
  readonly values: readonly string[];
}

export type ChooseAnswer =
  | { readonly how: "chosen"; readonly labels: readonly string[] }
  | { readonly how: "missing"; readonly value: string; readonly options: readonly string[] }
  | { readonly how: "ambiguous"; readonly value: string; readonly label: string }
  | { readonly how: "refused"; readonly hint: string }
  | { readonly how: "gone" };

export interface HasOperation {
  readonly op: "has";
  /** Seen by people; blanks do not count. */
  readonly texts: readonly string[];
  readonly selector?: string;
}

export interface HasAnswer {
  /** In the order of `texts`. */
  readonly texts: readonly boolean[];
  readonly selector: boolean;
  readonly isSelectorWrong: boolean;
}

export interface AdjacentOperation {
  readonly op: "adjacent";
  readonly ref: number;
  readonly nextRef: number;
}

export interface AdjacentAnswer {
  readonly isAdjacent: boolean;
}

export interface StateOperation {
  readonly op: "state";
  readonly ref: number;
}

export interface StateAnswer {
  readonly isThere: boolean;
  readonly value: string | null;
  readonly isChecked: boolean | null;
  readonly hasFocus: boolean;
  /** Why the browser does not send a form with it; "" when it would, or the field is empty. */
  readonly fault: string;
}
