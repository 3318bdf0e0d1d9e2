// What every action of `browser` gets, and how it names the tab that it is about.

import type { BrowserScope, Browsers, PageScope } from "../../core/browser.js";
import type { ToolResult } from "../../core/index.js";
import type { BrowserCall } from "./index.js";

export interface ActionCall {
  readonly call: BrowserCall;
  readonly browsers: Browsers;
  /** With what is left of the time when it is read: all that one call does shares one time. */
  readonly scope: BrowserScope;
}

export type ActionWork = (asked: ActionCall) => Promise<ToolResult>;

export function toPageScope({ timeoutMs, signal }: BrowserScope): PageScope {
  return { timeoutMs, signal };
}

/** The page of `targetId`, else the current one. */
export function openPage({ call, browsers, scope }: ActionCall) {
  return browsers.page({ ...scope, targetId: call.params.targetId });
}
