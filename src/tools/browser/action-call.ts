// What every action gets, and how it finds its tab.

import type { BrowserScope, Browsers } from "../../core/browser.js";
import type { ToolResult } from "../../core/index.js";
import type { BrowserCall } from "./index.js";

export interface ActionCall {
  readonly call: BrowserCall;
  readonly browsers: Browsers;
  /** Reading it gives the time that is left of the call. */
  readonly scope: BrowserScope;
}

export type ActionWork = (asked: ActionCall) => Promise<ToolResult>;

export function openPage({ call, browsers, scope }: ActionCall) {
  return browsers.page({ ...scope, targetId: call.params.targetId });
}
