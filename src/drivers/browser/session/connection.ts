// A connected browser, and loading the optional driver library.

import type { BrowserContext, BrowserType, Selectors } from "playwright-core";
import type { BrowserPolicyForce } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { loadPackage } from "../../../lib/system/load-package.js";

export interface Connection {
  readonly kind: "managed" | "attached";
  readonly context: BrowserContext;
  /** No one else uses its context, so all its tabs are ours. */
  readonly isOurs: boolean;
  /** In a foreign context: closes our tabs at the end. */
  readonly closesOwnTabs?: boolean;
  readonly policy: BrowserPolicyForce;
  readonly pid?: number | undefined;
  readonly cdpPort?: number | undefined;
  readonly version?: string | undefined;
  readonly headless: boolean;
  readonly executablePath?: string | undefined;
  readonly noSandboxReason?: string | undefined;
  readonly sharedBy?: number | undefined;
  readonly temporary: string;
  /** Ends a managed browser, leaves an attached one running. Never rejects. */
  end(): Promise<void>;
}

export interface Playwright {
  readonly chromium: BrowserType;
  readonly selectors: Selectors;
}

/** Throws `unavailable` / `browser_missing`. */
export async function loadPlaywright(): Promise<Playwright> {
  try {
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
