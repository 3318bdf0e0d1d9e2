// `navigate`: the tab goes to another address; the answer is the outline of what is there.

import type { ToolResult } from "../../../core/index.js";
import { type ActionCall, openPage, toPageScope } from "../action-call.js";
import { readUrl } from "../request/read-url.js";
import { tellChange } from "./tell-change.js";

export async function navigate(asked: ActionCall): Promise<ToolResult> {
  const { url, notes } = readUrl(asked.call.params.targetUrl, "navigate");
  const page = await openPage(asked);
  const change = await page.navigate({ ...toPageScope(asked.scope), url });
  return tellChange({ change, done: "Navigated", notices: notes });
}
