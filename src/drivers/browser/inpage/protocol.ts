// What the host asks of the code in a page, and what that answers; both travel as JSON text. Types
// only: the code in the page and the host are compiled apart.

/** One element: ref number (0: none), depth, role, name, states, value, url, flags (see ROW_*). */
export type Row = readonly [
  ref: number,
  depth: number,
  role: string,
  name: string,
  states: string,
  value: string | null,
  url: string | null,
  flags: number,
];

/** Bits of `flags`. */
export interface RowFlags {
  readonly interactive: 1;
  readonly isNew: 2;
  /** An iframe: the host puts the rows of its document below this one. */
  readonly frame: 4;
}

export interface ListOperation {
  readonly op: "list";
  /** Refs are numbers of one counter for the whole tab; the host hands out where to go on. */
  readonly firstRef: number;
  readonly maxElements: number;
  readonly selector?: string;
  readonly ref?: number;
}

export interface ListAnswer {
  readonly documentId: string;
  readonly rows: readonly Row[];
  readonly nextRef: number;
  readonly isCut: boolean;
  /** Tag names of hosts whose shadow roots are closed, where that can be known. */
  readonly closedRoots: readonly string[];
}

/** What has been changed since `watch`, told against what was listed. */
export interface ChangesOperation {
  readonly op: "changes";
  readonly firstRef: number;
  readonly maxElements: number;
}

export interface ChangesAnswer {
  readonly documentId: string;
  readonly added: readonly Row[];
  readonly removed: readonly Row[];
  /** The old ref number and the row now. */
  readonly changed: readonly (readonly [from: number, now: Row])[];
  readonly counts: { readonly added: number; readonly removed: number; readonly changed: number };
  readonly nextRef: number;
}

/** What is going to be done with an element decides what is looked at. */
export type Purpose =
  | "click"
  | "hover"
  | "type"
  | "select"
  | "check"
  | "files"
  | "drag"
  | "look"
  | "scroll";

export interface CheckOperation {
  readonly op: "check";
  readonly ref: number;
  readonly purpose: Purpose;
}

export interface CheckGood {
  readonly isGood: true;
  /** In the viewport of the frame: where to click, and the box. */
  readonly x: number;
  readonly y: number;
  readonly box: readonly [x: number, y: number, width: number, height: number];
  readonly tag: string;
  /** Of inputs. */
  readonly type: string | null;
}

export interface CheckBad {
  readonly isGood: false;
  readonly why:
    | "detached"
    | "changed"
    | "unknown"
    | "disabled"
    | "hidden"
    | "covered"
    | "wrong_kind";
  /** Of `covered`: what is in the way. Of `changed`: the element as it is now. */
  readonly by?: Row;
  /** The nearest that are there: same role, closest name, same container; at most five. */
  readonly near: readonly Row[];
  readonly nextRef: number;
}

/** From now on trusted pointer events that do not reach this element are stopped. */
export interface ArmOperation {
  readonly op: "arm";
  readonly ref: number;
}

export interface DisarmOperation {
  readonly op: "disarm";
}

export interface DisarmAnswer {
  /** Trusted events that reached the element. */
  readonly reached: number;
  /** Stopped, because the element was not under them or was another by then. */
  readonly stopped: number;
}

/** Begins to note mutations, for `quiet` and `changes`. Again: begins anew. */
export interface WatchOperation {
  readonly op: "watch";
}

export interface QuietOperation {
  readonly op: "quiet";
}

export interface QuietAnswer {
  /** Since the last mutation, or since `watch`. */
  readonly quietMs: number;
  readonly mutations: number;
  readonly readyState: "loading" | "interactive" | "complete";
}

/** The boxes of what can be acted on and is in sight. */
export interface BoxesOperation {
  readonly op: "boxes";
  readonly max: number;
}

export interface BoxesAnswer {
  readonly boxes: readonly (readonly [ref: number, x: number, y: number, w: number, h: number])[];
  readonly skipped: number;
}

export interface TextOperation {
  readonly op: "text";
  readonly selector?: string;
  readonly maxChars: number;
}

export interface TextAnswer {
  readonly text: string;
  readonly totalChars: number;
  /** The selector matched nothing. */
  readonly isMissing: boolean;
}

/** Each operation with its answer. */
export interface Operations {
  readonly list: { readonly asks: ListOperation; readonly answers: ListAnswer };
  readonly changes: { readonly asks: ChangesOperation; readonly answers: ChangesAnswer };
  readonly check: {
    readonly asks: CheckOperation & { readonly firstRef: number };
    readonly answers: CheckGood | CheckBad;
  };
  readonly arm: { readonly asks: ArmOperation; readonly answers: { readonly isArmed: boolean } };
  readonly disarm: { readonly asks: DisarmOperation; readonly answers: DisarmAnswer };
  readonly watch: {
    readonly asks: WatchOperation;
    readonly answers: { readonly documentId: string };
  };
  readonly quiet: { readonly asks: QuietOperation; readonly answers: QuietAnswer };
  readonly boxes: { readonly asks: BoxesOperation; readonly answers: BoxesAnswer };
  readonly text: { readonly asks: TextOperation; readonly answers: TextAnswer };
}

export type OperationName = keyof Operations;
