// What carries out the steps of a task: one of it calls our tool, another that of somebody else. Both
// count what they send and what they are answered.

/** An act on elements that were seen. */
export type Act =
  | { readonly kind: "click"; readonly ref: string; readonly name: string }
  | {
      readonly kind: "type";
      readonly ref: string;
      readonly name: string;
      readonly text: string;
      readonly submit?: true;
    }
  | { readonly kind: "fill"; readonly fields: readonly FilledField[] }
  | { readonly kind: "press"; readonly key: string }
  | {
      readonly kind: "drag";
      readonly ref: string;
      readonly name: string;
      readonly endRef: string;
      readonly endName: string;
    };

export interface FilledField {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value: string | true;
}

/** What an answer says of the page: all that is there, what has changed, or nothing. */
export interface Reply {
  readonly about: "page" | "change" | "nothing";
  readonly text: string;
  readonly isError: boolean;
}

export interface Spent {
  readonly calls: number;
  /** Of the arguments, as JSON. */
  readonly sentChars: number;
  /** Of all text in the answers; images do not count. */
  readonly gotChars: number;
}

export interface Hands {
  open(url: string): Promise<Reply>;
  /** The page as a whole. */
  look(): Promise<Reply>;
  /** In this order; ends at the first that fails. */
  act(acts: readonly Act[]): Promise<Reply>;
  /** Absolute paths, to the chooser that this button opens. */
  attach(wish: { ref: string; name: string; paths: readonly string[] }): Promise<Reply>;
  waitFor(words: string): Promise<Reply>;
  spent(): Spent;
  /** From now on. */
  resetSpent(): void;
  close(): Promise<void>;
}

export interface Tally {
  add(call: { readonly sent: object; readonly got: string }): void;
  spent(): Spent;
  reset(): void;
}

export function createTally(): Tally {
  let spent: Spent = { calls: 0, sentChars: 0, gotChars: 0 };
  return {
    add({ sent, got }) {
      spent = {
        calls: spent.calls + 1,
        sentChars: spent.sentChars + JSON.stringify(sent).length,
        gotChars: spent.gotChars + got.length,
      };
    },
    spent: () => spent,
    reset() {
      spent = { calls: 0, sentChars: 0, gotChars: 0 };
    },
  };
}
