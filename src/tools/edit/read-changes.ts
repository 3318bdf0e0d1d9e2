// The two ways of asking for an edit, read into one list of changes.

import { ToolInputError } from "../../core/index.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import type { EditCall } from "./index.js";

export interface Change {
  /** How messages name it: "oldText", or "edits[2].oldText". */
  readonly label: string;
  /** With line feeds only. */
  readonly oldText: string;
  readonly newText: string;
  /** As it was sent: an exact hit is worth more than one that differs in line ends. */
  readonly exactOldText: string;
  /** The line end of the new text, for a file that has none itself. */
  readonly lineEnd: string;
  readonly replaceAll: boolean;
}

interface RawChange {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

export function readChanges(params: EditCall["params"]): Change[] {
  const { oldText, newText, replaceAll, edits = [] } = params;
  const isSingle = oldText !== undefined || newText !== undefined;
  if (isSingle && edits.length > 0) {
    throw refuse("Send either oldText and newText, or edits, not both.", "edit_ambiguous");
  }
  if (edits.length > 0) {
    return edits.map((raw, index) => readChange(raw, `edits[${index}].`));
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
  const label = `${prefix}oldText`;
  if (raw.oldText === "") {
    throw refuse(`${label} is empty; give the text to replace, or use write.`, "old_text_empty");
  }
  for (const key of ["oldText", "newText"] as const) {
    if (hasLoneSurrogate(raw[key])) {
      const message = `${prefix}${key} holds half of a surrogate pair; send the whole character.`;
      throw refuse(message, "content_not_unicode");
    }
  }
  const oldText = withLineFeeds(raw.oldText);
  const newText = withLineFeeds(raw.newText);
  if (oldText === newText) {
    const message = `${label} and newText are the same, so nothing would change; line ends are kept as they are in the file.`;
    throw refuse(message, "no_change");
  }
  return {
    label,
    oldText,
    newText,
    exactOldText: raw.oldText,
    lineEnd: raw.newText.includes("\r\n") ? "\r\n" : "\n",
    replaceAll: raw.replaceAll ?? false,
  };
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function refuse(message: string, reason: string): ToolInputError {
  return new ToolInputError(message, { reason });
}
