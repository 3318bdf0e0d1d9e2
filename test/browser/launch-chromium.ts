// A Chromium of this machine for tests that look at one part of the driver: started without the session,
// with the code for pages registered. Whoever starts it closes it.

import { existsSync } from "node:fs";
import { type Browser, chromium, selectors } from "playwright-core";
import { registerWorld } from "../../src/drivers/browser/elements/world.js";
import { toFeatureArguments } from "../../src/drivers/browser/launch/features.js";

/** The program behind Debian's wrapper script first: one process less. */
const PLACES = ["/usr/lib/chromium/chromium", "/usr/bin/chromium"];
/** Tests run as root in containers, where Chromium's own sandbox cannot. */
const ARGS = ["--no-sandbox", "--disable-gpu"];

export async function launchChromium(extraArgs: readonly string[] = []): Promise<Browser> {
  await registerWorld(selectors);
  const executablePath = PLACES.find((place) => existsSync(place));
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...ARGS, ...toFeatureArguments(extraArgs), ...extraArgs],
  });
}
