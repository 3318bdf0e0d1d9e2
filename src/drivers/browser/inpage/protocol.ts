// Questions of the host and answers of the code in pages, as JSON text. Both sides import these types.

import type { Arming, ArmOperation, DisarmAnswer } from "./guard/guarded-events.js";

/** A global of our isolated world: elements that listen for clicks. */
export const LISTENED = "clawListened";

export const MAX_ELEMENTS = 100_000;
/** Far more than is shown, so that the rest can be counted. */
export const MAX_REPORTED = 1_000;

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

/** `frame`: the host lists its document below this row. */
export const ROW_FLAGS = { interactive: 1, isNew: 2, frame: 4 } as const;

/** With `order`: its children have a new order. */
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
  | "aim"
  | "drop"
  | "look"
  | "again"
  | "scroll";

export interface ListOperation {
  readonly op: "list";
  /** The host continues one counter for the whole tab. */
  readonly firstRef: number;
  readonly selector?: string;
  readonly ref?: number;
  readonly withBoxes: boolean;
  readonly isGlance: boolean;
}

type StaleWhy = "detached" | "changed" | "unknown";

export interface ListAnswer {
  readonly documentId: string;
  readonly rows: readonly Row[];
  readonly nextRef: number;
  readonly isCut: boolean;
  readonly closedRoots: readonly string[];
  readonly why: StaleWhy | null;
}

export interface ChangesAnswer {
  readonly documentId: string;
  readonly added: readonly Row[];
  readonly removed: readonly Row[];
  readonly changed: readonly (readonly [from: number, now: Row])[];
  readonly moved: readonly Moved[];
  readonly focus: Row | null;
  /** `by`: the scrolled element, if not the page. */
  readonly scrolled: { readonly top: number; readonly ofPx: number; readonly by?: Row } | null;
  readonly counts: { readonly added: number; readonly removed: number; readonly changed: number };
  readonly nextRef: number;
}

export interface CheckOperation {
  readonly op: "check";
  readonly firstRef: number;
  readonly ref: number;
  readonly purpose: Purpose;
  readonly arm?: Arming;
}

export interface CheckGood {
  readonly isGood: true;
  /** The click point in the viewport of the frame. */
  readonly x: number;
  readonly y: number;
  readonly tag: string;
  readonly type: string | null;
  readonly isArmed?: boolean;
}

export interface CheckBad {
  readonly isGood: false;
  readonly why: StaleWhy | "disabled" | "hidden" | "covered" | "wrong_kind";
  readonly by?: Row;
  /** Such as "it is read-only"; `inside`: the cover is inside the element. */
  readonly hint?: string;
  readonly now?: Near;
  readonly near: readonly Near[];
  readonly nextRef: number;
}

/** A suggestion; `place` such as `listitem "Coffee"` if its name is not unique. */
export interface Near {
  readonly row: Row;
  readonly place?: string;
}

/** Sets the value directly where possible, else prepares the field for keys. */
export interface PutOperation {
  readonly op: "put";
  readonly ref: number;
  readonly value: string;
  readonly appends?: boolean | undefined;
  /** The value is for a checkbox. */
  readonly isFlag?: boolean | undefined;
}

export type PutAnswer =
  | { readonly how: "set"; readonly value: string }
  | { readonly how: "type" }
  | { readonly how: "click"; readonly isChecked: boolean }
  | { readonly how: "refused"; readonly hint: string }
  | { readonly how: "choose" | "readonly" | "disabled" | "gone" };

export type ChooseAnswer =
  | { readonly how: "chosen"; readonly labels: readonly string[] }
  | { readonly how: "missing"; readonly value: string; readonly options: readonly string[] }
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
  /** Since `watch`. */
  readonly changes: Operation<{ readonly op: "changes"; readonly firstRef: number }, ChangesAnswer>;
  readonly check: Operation<CheckOperation, CheckGood | CheckBad>;
  readonly arm: Operation<ArmOperation, { readonly isArmed: boolean }>;
  readonly greet: Operation<
    { readonly op: "greet"; readonly guardName: string },
    { readonly isKnown: boolean }
  >;
  readonly disarm: Operation<{ readonly op: "disarm"; readonly guardName?: string }, DisarmAnswer>;
  /** Starts recording mutations, for `quiet` and `changes`. */
  readonly watch: Operation<{ readonly op: "watch" }, { readonly documentId: string }>;
  readonly put: Operation<PutOperation, PutAnswer>;
  readonly focus: Operation<OfRef<"focus">, { readonly hasFocus: boolean }>;
  /** Options by value, label or text, or `value=…`, `label=…`. */
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
  readonly adjacent: Operation<
    OfRef<"adjacent"> & { readonly nextRef: number },
    { readonly isAdjacent: boolean }
  >;
  readonly state: Operation<
    OfRef<"state">,
    {
      readonly isThere: boolean;
      readonly value: string | null;
      readonly isChecked: boolean | null;
      readonly hasFocus: boolean;
    }
  >;
  /** `hasTimer`: the page set a short timer on input. */
  readonly quiet: Operation<
    { readonly op: "quiet"; readonly guardName?: string | undefined },
    {
      readonly quietMs: number;
      readonly wasBusy: boolean;
      readonly hasTimer: boolean;
      readonly readyState: "loading" | "interactive" | "complete";
    }
  >;
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
  readonly near: Operation<
    OfRef<"near"> & {
      readonly firstRef: number;
      readonly role: string;
      readonly name: string;
    },
    { readonly documentId: string; readonly near: readonly Near[]; readonly nextRef: number }
  >;
  /** Converts a point of an iframe to this document; `by`: what covers it. */
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
  /** The iframe around this document was replaced, so all refs are void. */
  readonly renew: Operation<{ readonly op: "renew" }, { readonly isRenewed: true }>;
  readonly text: Operation<
    { readonly op: "text"; readonly selector?: string; readonly maxChars: number },
    { readonly text: string; readonly totalChars: number; readonly isMissing: boolean }
  >;
}

export type OperationName = keyof Operations;
export type Asks<Name extends OperationName> = Operations[Name]["asks"];
export type Answers<Name extends OperationName> = Operations[Name]["answers"];
