// A Chromium of this machine for tests that look at one part of the driver: started without the session,
// with the code for pages registered. The test files of a process share it, one after the other.

import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, selectors } from "playwright-core";
import { registerWorld } from "../../src/drivers/browser/elements/world.js";
import { toFeatureArguments } from "../../src/drivers/browser/launch/launch-arguments.js";

/** The program behind Debian's wrapper script first: one process less. */
const PLACES = ["/usr/lib/chromium/chromium", "/usr/bin/chromium"];
/** Tests run as root in containers, where Chromium's own sandbox cannot. */
const ARGS = ["--no-sandbox", "--disable-gpu"];

/** By the arguments it was started with. Playwright ends them with the process. */
const RUNNING = new Map<string, Promise<Browser>>();

export interface LentChromium {
  newContext(options?: Parameters<Browser["newContext"]>[0]): Promise<BrowserContext>;
  /** Closes the contexts and lets the browser run for the next file. */
  close(): Promise<void>;
}

export async function lendChromium(extraArgs: readonly string[] = []): Promise<LentChromium> {
  const key = extraArgs.join(" ");
  const running = await RUNNING.get(key);
  const browser = running?.isConnected() ? running : await launch(key, extraArgs);
  return {
    newContext: (options) => browser.newContext(options),
    async close() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  };
}

async function launch(key: string, extraArgs: readonly string[]): Promise<Browser> {
  await registerWorld(selectors);
  const executablePath = PLACES.find((place) => existsSync(place));
  const launching = chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...ARGS, ...toFeatureArguments(extraArgs), ...extraArgs],
  });
  RUNNING.set(key, launching);
  return launching;
}
