// The one place where the driver library is loaded. It is an optional package: its absence is told
// with what to install.

import { createRequire } from "node:module";
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
    // By `import` the whole of its bundle would be searched for the names it exports.
    const load = createRequire(import.meta.url);
    const { chromium, selectors }: Playwright = load("playwright-core");
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
