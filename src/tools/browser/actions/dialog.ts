// `dialog`: the answer to the dialog that a page waits with, or to its next one.

import { ToolInputError, type ToolResult } from "../../../core/index.js";
import { type ActionCall, openPage, toPageScope } from "../action-call.js";
import { tellChange } from "./tell-change.js";

export async function dialog(asked: ActionCall): Promise<ToolResult> {
  const { dialogId } = asked.call.params;
  const promptText = readPromptText(asked);
  const accept = readAccept(asked);
  const page = await openPage(asked);
  const change = await page.answerDialog({
    ...{ ...toPageScope(asked.scope), accept },
    ...(promptText === undefined ? {} : { promptText }),
    ...(dialogId === undefined ? {} : { dialogId }),
  });
  return tellChange({ change, done: accept ? "Accepted" : "Dismissed", details: { accept } });
}

/** Other actions call it text. */
function readPromptText({ call }: ActionCall): string | undefined {
  const { promptText, text } = call.params;
  return promptText ?? text;
}

/** Whoever gives a text to a prompt accepts it. */
function readAccept(asked: ActionCall): boolean {
  const { accept } = asked.call.params;
  if (accept !== undefined) return accept;
  if (readPromptText(asked) !== undefined) return true;
  throw new ToolInputError("dialog needs accept: true accepts it, false dismisses it.", {
    reason: "arguments_invalid",
    details: { missing: "accept" },
  });
}
