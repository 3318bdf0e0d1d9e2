// The one place where the driver library is loaded. It is an optional package: its absence is reported
// with what to install.

import type { BrowserType, Selectors } from "playwright-core";
import { ToolError } from "../../../core/index.js";
import { loadPackage } from "../../../lib/system/load-package.js";

export interface Playwright {
  readonly chromium: BrowserType;
  readonly selectors: Selectors;
}

/** Throws `unavailable` / `browser_missing` when the package is not installed. */
export async function loadPlaywright(): Promise<Playwright> {
  try {
    // Its own types say what it is.
    const { chromium, selectors } = loadPackage("playwright-core") as Playwright;
    return { chromium, selectors };
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (code !== "MODULE_NOT_FOUND") throw error;
    throw new ToolError(
      "unavailable",
      "The package playwright-core drives the browser and is not installed. Run `npm install playwright-core` and restart.",
      { reason: "browser_missing", cause: error, details: { missing: "playwright-core" } },
    );
  }
}
