// `navigate`: the tab goes to another address, or back, forward, to the same again; the answer is the
// outline of what is there.

import type { BrowserPage } from "../../../core/browser.js";
import type { ToolResult } from "../../../core/index.js";
import { type ActionCall, openPage, toPageScope } from "../action-call.js";
import { isRelativeUrl, readUrl } from "../request/read-url.js";
import { tellChange } from "./tell-change.js";

const STEPS = ["back", "forward", "reload"] as const;

export async function navigate(asked: ActionCall): Promise<ToolResult> {
  const { targetUrl } = asked.call.params;
  const scope = toPageScope(asked.scope);
  const step = STEPS.find((word) => word === targetUrl?.trim().toLowerCase());
  if (step !== undefined) {
    const page = await openPage(asked);
    const change = await page.history({ ...scope, step });
    return tellChange({ change, done: step === "reload" ? "Reloaded" : `Went ${step}` });
  }
  const { url, notes, page } = await readAddress(asked);
  const change = await page.navigate({ ...scope, url });
  return tellChange({ change, done: "Navigated", notices: notes });
}

/** What is wrong with an address is said before a tab is opened for it. */
async function readAddress(asked: ActionCall) {
  const { targetUrl } = asked.call.params;
  if (!isRelativeUrl(targetUrl)) {
    const read = readUrl(targetUrl, { action: "navigate" });
    return { ...read, page: await openPage(asked) };
  }
  const page: BrowserPage = await openPage(asked);
  const { url: base } = await page.tab(toPageScope(asked.scope));
  return { ...readUrl(targetUrl, { action: "navigate", base }), page };
}
