// A Chromium of this machine with the given arguments and nothing of the driver: what is looked at here
// is the network alone.
import { type Browser, chromium } from "playwright-core";
import { findBrowser } from "../../../src/drivers/browser/launch/find-browser.js";
import { toFeatureArguments } from "../../../src/drivers/browser/launch/launch-arguments.js";

/** Tests may run as root in containers, where Chromium's own sandbox cannot. */
const ARGS = ["--no-sandbox", "--disable-gpu"];

/** Whoever starts it closes it. */
export async function launchPlain(args: readonly string[]): Promise<Browser> {
  const path = await findBrowser(undefined);
  return chromium.launch({
    executablePath: path,
    args: [...ARGS, ...toFeatureArguments(args), ...args],
  });
}
