// A browser that we are connected to, and the optional driver library that connects us.

import type { BrowserContext, BrowserType, Selectors } from "playwright-core";
import type { BrowserPolicyForce } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { loadPackage } from "../../../lib/system/load-package.js";

export interface Connection {
  readonly kind: "managed" | "attached";
  readonly context: BrowserContext;
  /** No one else opens tabs in it; in the others what we did not open is not ours to close. */
  readonly isOurs: boolean;
  /** In a context that is not ours: the tabs that we opened there are closed when we let go. */
  readonly closesOwnTabs?: boolean;
  readonly policy: BrowserPolicyForce;
  readonly pid?: number | undefined;
  readonly cdpPort?: number | undefined;
  readonly version?: string | undefined;
  readonly headless: boolean;
  readonly executablePath?: string | undefined;
  readonly noSandboxReason?: string | undefined;
  readonly sharedBy?: number | undefined;
  /** A folder of this user alone, which goes with it; absolute. */
  readonly temporary: string;
  /** Ends a managed browser with all that it left, lets go of an attached one. Never rejects. */
  end(): Promise<void>;
}

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
