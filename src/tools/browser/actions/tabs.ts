// `tabs`, `open`, `focus`.

import type { BrowserTab, PageListing } from "../../../core/browser.js";
import { isToolError, type ToolResult, textResult } from "../../../core/index.js";
import { type ActionCall, fromPage } from "../action-call.js";
import { MAX_CHANGE_CHARS } from "../limits.js";
import { isRelativeUrl, readUrl } from "../request/read-url.js";
import { invalid } from "../request/read-value.js";
import { describeTab, showEvents } from "../view/show-change.js";
import { showListing } from "../view/show-listing.js";
import { describeWaiting } from "./profiles.js";

const SOURCE = "browser tabs";
const REST = "snapshot lists the whole page.";
const UNREAD = "The page is open, and there was no time left to read it; snapshot lists it.";

export async function tabs({ browsers, scope }: ActionCall): Promise<ToolResult> {
  const found = await browsers.tabs(scope);
  const details = { tabs: found.map(toDocumented) };
  if (found.length === 0) return textResult("No tab is open; open makes one.", details);
  const lines = found.map((tab) => `${tab.isCurrent ? "* " : "  "}${describeWithReason(tab)}`);
  return fromPage({ text: lines.join("\n"), tab: { url: SOURCE }, details });
}

/** Includes the beginning of the page, so that the next call can act. */
export async function open(asked: ActionCall): Promise<ToolResult> {
  const { call, browsers } = asked;
  const { targetUrl } = call.params;
  const base = isRelativeUrl(targetUrl) ? await readBase(asked) : "";
  const { url, notes } = readUrl(targetUrl, { action: "open", base });
  const events: string[] = [];
  const page = await browsers.open({ ...asked.scope, url, tell: (event) => events.push(event) });
  const tab = await page.tab(asked.scope);
  const listing = await page.list(asked.scope).catch(nothingYet);
  const head = describeTab(tab);
  const happened = showEvents(events);
  const view = showListing(listing ?? { documentId: "", elements: [], gaps: [], isCut: false }, {
    ...({ format: "ai", isCompact: true, isOutline: true } as const),
    maxChars: MAX_CHANGE_CHARS - head.length - happened.length,
  });
  const isRest = listing !== undefined && view.pages > 1;
  return fromPage({
    text: [happened, head, view.text].filter(Boolean).join("\n"),
    tab,
    details: { ok: true, ...toDocumented(tab), ...(events.length === 0 ? {} : { events }) },
    notices: [...notes, ...(listing === undefined ? [UNREAD] : []), ...(isRest ? [REST] : [])],
  });
}

export async function focus({ browsers, scope }: ActionCall): Promise<ToolResult> {
  const { targetId } = scope;
  if (targetId === undefined) {
    throw invalid("focus needs targetId; tabs lists them.", { missing: "targetId" });
  }
  const tab = await browsers.focus({ ...scope, targetId });
  return fromPage({ text: describeTab(tab), tab, details: { ok: true, ...toDocumented(tab) } });
}

async function readBase({ browsers, scope }: ActionCall): Promise<string> {
  const found = await browsers.tabs(scope);
  return found.find(({ isCurrent }) => isCurrent)?.url ?? "";
}

/** The page is open although it could not be listed in time. */
function nothingYet(error: unknown): PageListing | undefined {
  if (isToolError(error) && error.code === "timeout") return undefined;
  throw error;
}

function toDocumented(tab: BrowserTab) {
  return { ...tab, tabId: tab.targetId, type: "page" };
}

function describeWithReason(tab: BrowserTab): string {
  const { urlUnavailableReason: why = "" } = tab;
  const facts = [why, describeWaiting(tab)].filter(Boolean).join("; ");
  return facts === "" ? describeTab(tab) : `${describeTab(tab)} (${facts})`;
}
