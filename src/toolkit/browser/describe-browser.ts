// What is in force for the browser, as sentences for its row of `explain`.

import type { BrowserStatus } from "../../core/browser.js";

const TOOL = "browser";
const UNKNOWN =
  "Which browser there is has not been looked at yet: action status says it, and starts nothing.";

/** Nothing for other tools. `known` gives the last status that was read. */
export function factsOfBrowser(
  id: string,
  known: () => BrowserStatus | undefined,
): readonly string[] | undefined {
  return id === TOOL ? describe(known()) : undefined;
}

function describe(status: BrowserStatus | undefined): readonly string[] {
  if (status === undefined) return [UNKNOWN];
  const { detectError, executablePath, cdpUrl, version, headless, noSandboxReason } = status;
  if (detectError !== undefined) return [detectError];
  const which = cdpUrl ?? executablePath ?? "a browser that runs already";
  return [
    `Profile "${status.profile}" uses ${which}${version === undefined ? "" : `, version ${version}`}${headless ? ", without a window" : ""}.`,
    ...(noSandboxReason === undefined
      ? []
      : [`Chromium's own sandbox is off (${noSandboxReason}).`]),
    status.policy === "enforced"
      ? "Pages reach the network only through the filter of browser.ssrfPolicy."
      : "browser.ssrfPolicy is only advice in this browser.",
  ];
}
