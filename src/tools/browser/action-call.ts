// What every action gets, and how an answer shows what a page says.

import type { BrowserScope, Browsers, BrowserTab } from "../../core/browser.js";
import { type ContentBlock, clampOption, type ToolResult } from "../../core/index.js";
import type { BrowserCall } from "./index.js";
import { MIN_VIEW_CHARS, NOTICE_CHARS } from "./limits.js";

const SOURCE = "browser";

export interface ActionCall {
  readonly call: BrowserCall;
  readonly browsers: Browsers;
  /** Reading it gives the time that is left of the call. */
  readonly scope: BrowserScope & { readonly targetId?: string | undefined };
}

export type ActionWork = (asked: ActionCall) => Promise<ToolResult>;

interface PageAnswer {
  readonly text: string;
  readonly tab: Pick<BrowserTab, "url"> | undefined;
  readonly blocks?: readonly ContentBlock[];
  readonly details: object;
  readonly notices?: readonly string[];
}

/** Page content is marked as untrusted. */
export function fromPage({
  text,
  tab,
  blocks = [],
  details,
  notices = [],
}: PageAnswer): ToolResult {
  const content: ContentBlock[] = [{ type: "text", text }, ...blocks];
  return { content, details, untrusted: { source: tab?.url || SOURCE }, notices };
}

/** How many characters a view may have. */
export function readMaxChars({ params, ctx }: BrowserCall, usual: number) {
  const most = Math.max(MIN_VIEW_CHARS, ctx.limits.resultChars - NOTICE_CHARS);
  const size = clampOption(params.maxChars, { name: "maxChars", least: MIN_VIEW_CHARS, most });
  return { maxChars: size.value ?? Math.min(usual, most), notes: size.notes };
}
