// What the host asks of the code in a page, and what that answers; both travel as JSON text. Types
// only: the code in the page and the host are compiled apart.

import type {
  AdjacentAnswer,
  AdjacentOperation,
  Arming,
  ArmOperation,
  ChooseAnswer,
  ChooseOperation,
  DisarmAnswer,
  DisarmOperation,
  FocusOperation,
  GreetOperation,
  HasAnswer,
  HasOperation,
  PutAnswer,
  PutOperation,
  StateAnswer,
  StateOperation,
} from "./act-protocol.js";

/** One element: ref number (0: none), depth, role, name, states, value, url, flags (see ROW_*). */
/** A global of our own world, which no page can reach: the set of elements that listen for clicks. */
export const LISTENED = "clawListened";

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
  readonly frame: 4;
}

export interface ListOperation {
  readonly op: "list";
  /** Refs are numbers of one counter for the whole tab; the host hands out where to go on. */
  readonly firstRef: number;
  readonly maxElements: number;
  readonly selector?: string;
  readonly ref?: number;
  readonly withBoxes?: boolean;
  readonly isGlance?: boolean;
}

export interface ListAnswer {
  readonly documentId: string;
  readonly rows: readonly Row[];
  readonly nextRef: number;
  readonly isCut: boolean;
  readonly closedRoots: readonly string[];
  readonly isMissing: boolean;
  readonly why: "detached" | "changed" | "unknown" | null;
}

/** The changes since `watch`, compared with the last listing. */
export interface ChangesOperation {
  readonly op: "changes";
  readonly firstRef: number;
  readonly maxElements: number;
  readonly maxReported?: number;
  /** The same for a document that was never listed. */
  readonly maxFirst?: number;
}

/** An element that moved; with `order`: its children are in this order now. */
export interface Moved {
  readonly row: Row;
  readonly parent?: Row;
  readonly after?: Row;
  readonly order?: readonly Row[];
}

export interface ChangesAnswer {
  readonly documentId: string;
  readonly added: readonly Row[];
  readonly removed: readonly Row[];
  readonly changed: readonly (readonly [from: number, now: Row])[];
  readonly moved: readonly Moved[];
  readonly focus: Row | null;
  /** Where it is scrolled to, of how many pixels; `by` is what was scrolled, when it is not the page. */
  readonly scrolled: { readonly top: number; readonly ofPx: number; readonly by?: Row } | null;
  readonly counts: { readonly added: number; readonly removed: number; readonly changed: number };
  readonly nextRef: number;
}

export type Purpose =
  | "click"
  | "hover"
  | "type"
  | "select"
  | "check"
  | "files"
  | "drag"
  /** The end of a drag: before the pointer is over it, and then, when the page may write on it. */
  | "aim"
  | "drop"
  | "look"
  | "again"
  | "scroll";

export interface CheckOperation {
  readonly op: "check";
  readonly ref: number;
  readonly purpose: Purpose;
  readonly arm?: Arming;
}

export interface CheckGood {
  readonly isGood: true;
  readonly x: number;
  readonly y: number;
  readonly box: readonly [x: number, y: number, width: number, height: number];
  readonly tag: string;
  readonly type: string | null;
  readonly isArmed?: boolean;
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
  /** Of `covered`: what is in the way. */
  readonly by?: Row;
  /** A piece of a sentence that says more: "it is read-only"; `inside`: what covers it is in it. */
  readonly hint?: string;
  /** Of `changed`: the element as it is now; of `detached`: the one that replaced it. */
  readonly now?: Near;
  readonly near: readonly Near[];
  readonly nextRef: number;
}

export interface Near {
  readonly row: Row;
  /** Its container, such as `listitem "Coffee"`, when others have the same name. */
  readonly place?: string;
}

/** Starts recording mutations, for `quiet` and `changes`. Again: starts over. */
export interface WatchOperation {
  readonly op: "watch";
}

export interface QuietOperation {
  readonly op: "quiet";
  readonly guardName?: string | undefined;
}

export interface QuietAnswer {
  /** Since the last mutation, or since `watch`. */
  readonly quietMs: number;
  readonly mutations: number;
  /** It was changing all the time before `watch` already. */
  readonly wasBusy: boolean;
  readonly hasTimer: boolean;
  readonly readyState: "loading" | "interactive" | "complete";
}

export interface BoxesOperation {
  readonly op: "boxes";
  readonly max: number;
}

export interface BoxesAnswer {
  readonly boxes: readonly (readonly [ref: number, x: number, y: number, w: number, h: number])[];
  readonly skipped: number;
}

export interface NearOperation {
  readonly op: "near";
  readonly firstRef: number;
  readonly maxElements: number;
  readonly ref: number;
  readonly role: string;
  readonly name: string;
}

export interface NearAnswer {
  readonly documentId: string;
  readonly near: readonly Near[];
  readonly nextRef: number;
}

export interface OffsetOperation {
  readonly op: "offset";
  readonly firstRef: number;
  readonly ref: number;
  readonly x: number;
  readonly y: number;
}

export interface OffsetAnswer {
  readonly isThere: boolean;
  readonly why?: "detached" | "changed" | "unknown";
  readonly x: number;
  readonly y: number;
  readonly by?: Row;
  readonly nextRef: number;
}

export interface RenewOperation {
  readonly op: "renew";
}

export interface RenewAnswer {
  readonly isRenewed: true;
}

export interface TextOperation {
  readonly op: "text";
  readonly selector?: string;
  readonly maxChars: number;
}

export interface TextAnswer {
  readonly text: string;
  readonly totalChars: number;
  readonly isMissing: boolean;
}

export interface Operations {
  readonly list: { readonly asks: ListOperation; readonly answers: ListAnswer };
  readonly changes: { readonly asks: ChangesOperation; readonly answers: ChangesAnswer };
  readonly check: {
    readonly asks: CheckOperation & { readonly firstRef: number };
    readonly answers: CheckGood | CheckBad;
  };
  readonly arm: { readonly asks: ArmOperation; readonly answers: { readonly isArmed: boolean } };
  readonly greet: {
    readonly asks: GreetOperation;
    readonly answers: { readonly isKnown: boolean };
  };
  readonly disarm: { readonly asks: DisarmOperation; readonly answers: DisarmAnswer };
  readonly watch: {
    readonly asks: WatchOperation;
    readonly answers: { readonly documentId: string };
  };
  readonly put: { readonly asks: PutOperation; readonly answers: PutAnswer };
  readonly focus: {
    readonly asks: FocusOperation;
    readonly answers: { readonly hasFocus: boolean };
  };
  readonly choose: { readonly asks: ChooseOperation; readonly answers: ChooseAnswer };
  readonly has: { readonly asks: HasOperation; readonly answers: HasAnswer };
  readonly adjacent: { readonly asks: AdjacentOperation; readonly answers: AdjacentAnswer };
  readonly state: { readonly asks: StateOperation; readonly answers: StateAnswer };
  readonly quiet: { readonly asks: QuietOperation; readonly answers: QuietAnswer };
  readonly boxes: { readonly asks: BoxesOperation; readonly answers: BoxesAnswer };
  readonly near: { readonly asks: NearOperation; readonly answers: NearAnswer };
  readonly offset: { readonly asks: OffsetOperation; readonly answers: OffsetAnswer };
  readonly renew: { readonly asks: RenewOperation; readonly answers: RenewAnswer };
  readonly text: { readonly asks: TextOperation; readonly answers: TextAnswer };
}

export type OperationName = keyof Operations;
