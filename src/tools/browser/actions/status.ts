// `status`, `start`, `stop`: whether a browser runs, which one, and how it is contained.

import type { BrowserStatus, BrowserTab } from "../../../core/browser.js";
import { type ToolResult, textResult } from "../../../core/index.js";
import type { ActionWork } from "../action-call.js";

export function statusOf(ask: "status" | "start" | "stop"): ActionWork {
  return async ({ browsers, scope }) => toResult(await browsers[ask](scope));
}

/** Under the documented names too. */
function toResult(found: BrowserStatus): ToolResult {
  const { running, executablePath, version, noSandboxReason } = found;
  return textResult(describeStatus(found), {
    ...found,
    cdpReady: running,
    cdpHttp: running && found.cdpPort !== undefined,
    ...(executablePath === undefined ? {} : { detectedExecutablePath: executablePath }),
    ...(version === undefined ? {} : { detectedBrowser: version }),
    noSandbox: noSandboxReason !== undefined,
  });
}

function describeStatus(found: BrowserStatus): string {
  const { enabled, profile, running, kind, pid, cdpPort, cdpUrl, headless, tabCount } = found;
  if (!enabled) return "The browser is turned off by browser.enabled.";
  const facts = [
    ...(kind === "attached" && !running ? [] : [kind]),
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(cdpPort === undefined ? [] : [`port ${cdpPort}`]),
    ...(cdpUrl === undefined || kind === "managed" ? [] : [`at ${cdpUrl}`]),
    ...(headless ? ["headless"] : []),
    ...(running && tabCount !== undefined
      ? [`${tabCount} ${tabCount === 1 ? "tab" : "tabs"}`]
      : []),
  ];
  const lines = [
    `Profile ${profile}: ${describeState(found)} (${facts.join(", ")}).`,
    ...(found.remark === undefined ? [] : [found.remark]),
    ...(found.waiting ?? []).map((tab) => `Tab ${tab.targetId} ${describeWaiting(tab)}.`),
    ...(found.version === undefined ? [] : [`Browser: ${found.version}.`]),
    ...(found.detectError === undefined ? [] : [found.detectError]),
    ...(found.noSandboxReason === undefined
      ? []
      : [`Chromium's own sandbox is off (${found.noSandboxReason}).`]),
    found.policy === "enforced"
      ? "Network policy: enforced by a filtering proxy."
      : "Network policy: advisory only, because this browser was not started here.",
  ];
  return lines.join("\n");
}

/** In words that nothing of the page is in. */
export function describeWaiting({ dialog }: Pick<BrowserTab, "dialog">): string {
  if (dialog === undefined) return "";
  return `waits for an answer to the ${dialog.type} ${dialog.dialogId}: action dialog gives it`;
}

/** Whether one runs at an address is seen only when it is attached to. */
function describeState({ running, cdpUrl }: BrowserStatus): string {
  if (running) return "running";
  return cdpUrl === undefined ? "not running" : "not attached";
}
