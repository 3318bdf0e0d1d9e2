// The two ways of asking for an edit, read into one list of changes.

import { ToolInputError } from "../../core/index.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import type { EditCall } from "./index.js";

export interface Change {
  readonly prefix: string;
  /** What messages say last: "", or for one of several edits that none of them was made. */
  readonly ending: string;
  readonly sentOldText: string;
  readonly oldText: string;
  readonly newText: string;
  /** The line end of the new text, for a file that has none itself. */
  readonly lineEnd: string;
  readonly replaceAll: boolean;
}

interface RawChange {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

/** A change that is asked for twice is made once. */
export function readChanges(params: EditCall["params"]): Change[] {
  const { oldText, newText, replaceAll, edits = [] } = params;
  // Empty texts are what some models send for fields they leave out.
  if ((oldText || newText) && edits.length > 0) {
    throw refuse("Send either oldText and newText, or edits, not both.", "edit_ambiguous");
  }
  if (edits.length > 0) {
    return withoutDuplicates(edits.map((raw, index) => readChange(raw, `edits[${index}].`)));
  }
  if (oldText === undefined) {
    throw refuse("Nothing to edit: send oldText and newText, or edits.", "edit_missing");
  }
  if (newText === undefined) {
    throw refuse('newText is missing; send "" to delete oldText.', "edit_missing");
  }
  return [readChange({ oldText, newText, replaceAll: replaceAll ?? false }, "")];
}

function readChange(raw: RawChange, prefix: string): Change {
  if (raw.oldText.trim() === "") throw blankOldText(raw, prefix);
  for (const key of ["oldText", "newText"] as const) {
    if (hasLoneSurrogate(raw[key])) {
      const message = `${prefix}${key} holds half of a surrogate pair; send the whole character.${endingOf(prefix)}`;
      throw refuse(message, "content_not_unicode");
    }
  }
  return {
    prefix,
    ending: endingOf(prefix),
    sentOldText: raw.oldText,
    oldText: withLineFeeds(raw.oldText),
    newText: withLineFeeds(raw.newText),
    lineEnd: raw.newText.includes("\r\n") ? "\r\n" : "\n",
    replaceAll: raw.replaceAll ?? false,
  };
}

function endingOf(prefix: string): string {
  return prefix === "" ? "" : " Nothing was written.";
}

function withoutDuplicates(changes: readonly Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter(({ sentOldText, newText, replaceAll }) => {
    const key = JSON.stringify([sentOldText, newText, replaceAll]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function blankOldText({ oldText }: RawChange, prefix: string): ToolInputError {
  return oldText === ""
    ? refuse(
        `${prefix}oldText is empty; give the text to replace, or use write to replace the whole file.${endingOf(prefix)}`,
        "old_text_empty",
      )
    : refuse(
        `${prefix}oldText is nothing but white space; add a word of the lines around it.${endingOf(prefix)}`,
        "old_text_blank",
      );
}

function refuse(message: string, reason: string): ToolInputError {
  return new ToolInputError(message, { reason });
}
