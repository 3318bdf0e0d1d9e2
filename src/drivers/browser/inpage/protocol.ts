// What the host asks of the code in a page, and what that answers; both travel as JSON text. The code in
// the page and the host are compiled apart, so both sides import these types.

import type { Arming, ArmOperation, DisarmAnswer } from "./guard/guarded-events.js";

/** A global of our own world, which no page can reach: the set of elements that listen for clicks. */
export const LISTENED = "clawListened";

/** One element; ref 0: none. */
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

/** Bits of `flags`. `frame`: the host puts the rows of its document below this one. */
export const ROW_FLAGS = { interactive: 1, isNew: 2, frame: 4 } as const;

/** An element that moved; with `order`: its children are in this order now. */
export interface Moved {
  readonly row: Row;
  readonly parent?: Row;
  readonly after?: Row;
  readonly order?: readonly Row[];
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
  /** After it was clicked: the page may have answered to that. */
  | "again"
  | "scroll";

export interface ListOperation {
  readonly op: "list";
  /** Refs are numbers of one counter for the whole tab; the host hands out where to go on. */
  readonly firstRef: number;
  readonly maxElements: number;
  readonly selector?: string;
  readonly ref?: number;
  readonly withBoxes?: boolean;
  /** What is new stays new. */
  readonly isGlance?: boolean;
}

type StaleWhy = "detached" | "changed" | "unknown";

export interface ListAnswer {
  readonly documentId: string;
  readonly rows: readonly Row[];
  readonly nextRef: number;
  readonly isCut: boolean;
  /** Tag names of hosts whose shadow roots are closed, where that can be known. */
  readonly closedRoots: readonly string[];
  readonly isMissing: boolean;
  readonly why: StaleWhy | null;
}

export interface ChangesAnswer {
  readonly documentId: string;
  readonly added: readonly Row[];
  readonly removed: readonly Row[];
  /** The old ref number and the row now. */
  readonly changed: readonly (readonly [from: number, now: Row])[];
  readonly moved: readonly Moved[];
  /** Has the focus now, and had it not when this was asked before. */
  readonly focus: Row | null;
  /** `by`: what was scrolled, when it is not the page. */
  readonly scrolled: { readonly top: number; readonly ofPx: number; readonly by?: Row } | null;
  /** Of all, also those beyond `maxReported`. */
  readonly counts: { readonly added: number; readonly removed: number; readonly changed: number };
  readonly nextRef: number;
}

export interface CheckOperation {
  readonly op: "check";
  readonly firstRef: number;
  readonly ref: number;
  readonly purpose: Purpose;
  /** When it is good the guard is armed for it at once. */
  readonly arm?: Arming;
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
  readonly isArmed?: boolean;
}

export interface CheckBad {
  readonly isGood: false;
  readonly why: StaleWhy | "disabled" | "hidden" | "covered" | "wrong_kind";
  /** Of `covered`: what is in the way. */
  readonly by?: Row;
  /** A piece of a sentence: "it is read-only"; `inside`: what covers it is in it. */
  readonly hint?: string;
  /** Of `changed`: the element as it is now; of `detached`: the one that replaced it. */
  readonly now?: Near;
  readonly near: readonly Near[];
  readonly nextRef: number;
}

/** One that may be meant instead; `place` such as `listitem "Coffee"`, when others have its name. */
export interface Near {
  readonly row: Row;
  readonly place?: string;
}

/** Puts a value into a field: at once where that is how the field works, else makes it ready for keys. */
export interface PutOperation {
  readonly op: "put";
  readonly ref: number;
  readonly value: string;
  readonly appends?: boolean | undefined;
  /** Whether a box is checked, not text. */
  readonly isFlag?: boolean | undefined;
}

export type PutAnswer =
  /** It has the value; `input` and `change` were sent. */
  | { readonly how: "set"; readonly value: string }
  /** It has the focus and its content is selected, or the cursor is behind it. */
  | { readonly how: "type" }
  | { readonly how: "click"; readonly isChecked: boolean }
  | { readonly how: "refused"; readonly hint: string }
  | { readonly how: "choose" | "readonly" | "disabled" | "gone" };

export type ChooseAnswer =
  | { readonly how: "chosen"; readonly labels: readonly string[] }
  | { readonly how: "missing"; readonly value: string; readonly options: readonly string[] }
  /** The value of the option with this label, and the label of another one. */
  | { readonly how: "ambiguous"; readonly value: string; readonly label: string }
  | { readonly how: "refused"; readonly hint: string }
  | { readonly how: "gone" };

interface Operation<Asks, Answers> {
  readonly asks: Asks;
  readonly answers: Answers;
}

interface OfRef<Name extends string> {
  readonly op: Name;
  readonly ref: number;
}

export interface Operations {
  readonly list: Operation<ListOperation, ListAnswer>;
  /** The changes since `watch`. `maxFirst`: of a document that was never listed. */
  readonly changes: Operation<
    {
      readonly op: "changes";
      readonly firstRef: number;
      readonly maxElements: number;
      readonly maxReported?: number;
      readonly maxFirst?: number;
    },
    ChangesAnswer
  >;
  readonly check: Operation<CheckOperation, CheckGood | CheckBad>;
  readonly arm: Operation<ArmOperation, { readonly isArmed: boolean }>;
  /** From now on this document is known, and takes input also while it is young. */
  readonly greet: Operation<
    { readonly op: "greet"; readonly guardName: string },
    { readonly isKnown: boolean }
  >;
  readonly disarm: Operation<{ readonly op: "disarm"; readonly guardName?: string }, DisarmAnswer>;
  /** Starts recording mutations, for `quiet` and `changes`. Again: starts over. */
  readonly watch: Operation<{ readonly op: "watch" }, { readonly documentId: string }>;
  readonly put: Operation<PutOperation, PutAnswer>;
  readonly focus: Operation<OfRef<"focus">, { readonly hasFocus: boolean }>;
  /** Options of a select by value, label or text, or by `value=…` or `label=…` alone. */
  readonly choose: Operation<
    OfRef<"choose"> & { readonly values: readonly string[] },
    ChooseAnswer
  >;
  readonly has: Operation<
    { readonly op: "has"; readonly texts: readonly string[]; readonly selector?: string },
    {
      readonly texts: readonly boolean[];
      readonly selector: boolean;
      readonly isSelectorWrong: boolean;
    }
  >;
  /** Whether a text that was begun in one field may go on in another. */
  readonly adjacent: Operation<
    OfRef<"adjacent"> & { readonly nextRef: number },
    { readonly isAdjacent: boolean }
  >;
  /** `fault`: why the browser would not send a form with it; "" when it would, or the field is empty. */
  readonly state: Operation<
    OfRef<"state">,
    {
      readonly isThere: boolean;
      readonly value: string | null;
      readonly isChecked: boolean | null;
      readonly hasFocus: boolean;
      readonly fault: string;
    }
  >;
  /** `hasTimer`: a short one that the page set when it got an input. */
  readonly quiet: Operation<
    { readonly op: "quiet"; readonly guardName?: string | undefined },
    {
      readonly quietMs: number;
      readonly mutations: number;
      /** It was changing all the time before `watch` already. */
      readonly wasBusy: boolean;
      readonly hasTimer: boolean;
      readonly readyState: "loading" | "interactive" | "complete";
    }
  >;
  /** The boxes of what can be acted on and is in sight. */
  readonly boxes: Operation<
    { readonly op: "boxes"; readonly max: number },
    {
      readonly boxes: readonly (readonly [
        ref: number,
        x: number,
        y: number,
        w: number,
        h: number,
      ])[];
      readonly skipped: number;
    }
  >;
  /** Elements like one that is not here: of another document, or of none. */
  readonly near: Operation<
    OfRef<"near"> & {
      readonly firstRef: number;
      readonly maxElements: number;
      readonly role: string;
      readonly name: string;
    },
    { readonly documentId: string; readonly near: readonly Near[]; readonly nextRef: number }
  >;
  /** Converts a point of an iframe's document to this document; `by`: what covers the iframe there. */
  readonly offset: Operation<
    OfRef<"offset"> & { readonly firstRef: number; readonly x: number; readonly y: number },
    {
      readonly isThere: boolean;
      readonly why?: StaleWhy;
      readonly x: number;
      readonly y: number;
      readonly by?: Row;
      readonly nextRef: number;
    }
  >;
  /** The iframe around this document became another one: no number counts any more. */
  readonly renew: Operation<{ readonly op: "renew" }, { readonly isRenewed: true }>;
  readonly text: Operation<
    { readonly op: "text"; readonly selector?: string; readonly maxChars: number },
    { readonly text: string; readonly totalChars: number; readonly isMissing: boolean }
  >;
}

export type OperationName = keyof Operations;
export type Asks<Name extends OperationName> = Operations[Name]["asks"];
export type Answers<Name extends OperationName> = Operations[Name]["answers"];
