// The answer to whatever may have changed a page: the change in a few lines, or that there is none.

import type { PageChange } from "../../../core/browser.js";
import type { ToolResult } from "../../../core/index.js";
import { showChange } from "../view/show-change.js";

const SOURCE = "browser";

export interface Told {
  readonly change: PageChange;
  /** What was done, as the beginning of "…; nothing on the page changed." */
  readonly done: string;
  /** Further text from the page, before the change. */
  readonly lead?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly notices?: readonly string[];
}

export function tellChange({ change, done, lead = "", details, notices = [] }: Told): ToolResult {
  const { tab, isNewDocument, counts, events, isUnsettled } = change;
  const { text, leftOut } = showChange(change);
  const facts = {
    ok: true,
    targetId: tab.targetId,
    url: tab.url,
    ...details,
    change: { isNewDocument, ...counts, isUnsettled },
    ...(events.length === 0 ? {} : { events }),
  };
  const all = [
    ...notices,
    ...(leftOut === 0 ? [] : [`Not all of it is shown; snapshot lists the page.`]),
    ...(isUnsettled
      ? ["The page was still busy; what changes later is told with the next answer."]
      : []),
  ];
  const found = [lead, text].filter((part) => part !== "").join("\n\n");
  if (found === "") {
    const nothing = { type: "text" as const, text: `${done}; nothing on the page changed.` };
    return { content: [nothing], details: facts, notices: all };
  }
  return {
    content: [{ type: "text", text: found }],
    details: facts,
    untrusted: { source: tab.url || SOURCE },
    notices: all,
  };
}
