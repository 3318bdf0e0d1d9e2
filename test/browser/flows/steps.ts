// What tasks are written in: steps against roles and names, never against refs or selectors.

/** An element as a reader of the page would call it. */
export interface Target {
  readonly role: string;
  /** Whole, or a pattern. */
  readonly name: string | RegExp;
}

export interface Field extends Target {
  /** Of checkboxes and radio buttons `true`; of a combobox the text of the option. */
  readonly value: string | true;
}

/** A line of a listing that was read. */
export interface SeenElement {
  /** Missing for texts and for what nobody can point at. */
  readonly ref?: string;
  readonly role: string;
  readonly name: string;
  /** The whole line, without its indent. */
  readonly line: string;
}

export type Step =
  /** A path of the page server. */
  | { readonly open: string }
  /** `isNew`: the steps before made it, whatever was called so earlier. */
  | { readonly click: Target; readonly isNew?: true }
  | { readonly type: Target; readonly text: string; readonly submit?: true }
  | { readonly fill: readonly Field[] }
  | { readonly press: string }
  | { readonly drag: Target; readonly to: Target }
  /** A button that opens a file chooser, and the files for it, relative to the root. */
  | { readonly attach: Target; readonly files: readonly string[] }
  /** The page must show these words, now or soon. */
  | { readonly expect: string }
  /** Clicks until these words are seen. */
  | { readonly click: Target; readonly until: string; readonly atMost: number }
  /** Decides by what is on the page what to click. */
  | { readonly choose: (seen: readonly SeenElement[]) => Target };

export interface Task {
  /** As a person would say it. */
  readonly name: string;
  readonly steps: readonly Step[];
}
