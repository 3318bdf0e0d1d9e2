// The last line of an output, which can still change: a carriage return lets the next text replace
// it, as progress bars do. What is before it, and a line that has grown long, stays as it is.

import { cutChars } from "../../../lib/unicode-text.js";
import type { FilteredText } from "./escape-filter.js";

/** No progress bar is longer. */
const MAX_OPEN_CHARS = 4_096;

export interface LineEditor extends FilteredText {
  /** Text that is not given on yet. */
  readonly open: string;
  /** The next text replaces the line, unless it begins with a line feed. */
  readonly isReturned: boolean;
  /** Gives the open text on: it was shown to somebody and must not change any more. */
  settle(): void;
  /** The same, and more of the line follows past this editor. */
  passBy(): void;
  /** Hands the open text over to somebody who goes on with whole lines past this editor. */
  takeOpen(): string;
}

export function createLineEditor(give: (text: string) => void): LineEditor {
  let open = "";
  let isReturned = false;
  /** The beginning of the line was given on. */
  let isInLine = false;

  function settle(): void {
    if (open === "") return;
    give(open);
    open = "";
    isInLine = true;
  }

  function replaceLine(): void {
    open = "";
    if (isInLine) give("\n");
    isInLine = false;
  }

  return {
    get open() {
      return open;
    },
    get isReturned() {
      return isReturned;
    },
    settle,
    passBy() {
      settle();
      isInLine = true;
    },
    takeOpen() {
      const text = open;
      open = "";
      isInLine = false;
      return text;
    },
    text(run) {
      if (run === "") return;
      if (isReturned && !run.startsWith("\n")) replaceLine();
      isReturned = false;
      const behind = run.lastIndexOf("\n") + 1;
      if (behind > 0) {
        give(open + run.slice(0, behind));
        isInLine = false;
      }
      open = behind > 0 ? run.slice(behind) : open + run;
      if (open.length > MAX_OPEN_CHARS) settle();
    },
    carriageReturn() {
      isReturned = open !== "" || isInLine;
    },
    backspace() {
      if (!isReturned) open = cutChars(open, open.length - 1);
    },
    eraseLine() {
      open = "";
    },
  };
}
