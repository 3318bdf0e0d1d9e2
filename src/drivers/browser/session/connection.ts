// A browser that we are connected to, started by us or by someone else.

import type { BrowserContext } from "playwright-core";
import type { BrowserPolicyForce } from "../../../core/browser.js";

export interface Connection {
  readonly kind: "managed" | "attached";
  /** Its pages are the tabs. */
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
  /** The process of ours that started it, when that is another one. */
  readonly sharedBy?: number | undefined;
  /** A folder of this user alone, which goes with it; absolute. */
  readonly temporary: string;
  /** Ends a managed browser with all that it left, lets go of an attached one. Never rejects. */
  end(): Promise<void>;
}
