// The one place where the driver library is loaded. It is an optional package: its absence is told
// with what to install.

import type { BrowserType, Selectors } from "playwright-core";
import { ToolError } from "../../../core/index.js";

const MISSING_CODES: readonly unknown[] = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

export interface Playwright {
  readonly chromium: BrowserType;
  readonly selectors: Selectors;
}

/** Throws `unavailable` / `browser_missing` when the package is not installed. */
export async function loadPlaywright(): Promise<Playwright> {
  try {
    const { chromium, selectors } = await import("playwright-core");
    return { chromium, selectors };
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (!MISSING_CODES.includes(code)) throw error;
    throw new ToolError(
      "unavailable",
      "The package playwright-core drives the browser and is not installed; run `npm install playwright-core`.",
      { reason: "browser_missing", cause: error, details: { missing: "playwright-core" } },
    );
  }
}
