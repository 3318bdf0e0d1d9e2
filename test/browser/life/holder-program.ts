// A program of its own that starts a browser and holds it: told by lines what it did, ended by its
// input or by a signal.
import { createInterface } from "node:readline";
import { createSystemClock, createSystemRandom } from "../../../src/drivers/clock.js";
import { openBrowsers } from "../../../src/toolkit/ports/open-browsers.js";

const [root = "", stateDir = "", url = "about:blank"] = process.argv.slice(2);
const scope = { signal: new AbortController().signal };
const browsers = openBrowsers({
  root,
  stateDir,
  config: { browser: { ssrfPolicy: { dangerouslyAllowPrivateNetwork: true } } },
  system: { clock: createSystemClock(), random: createSystemRandom() },
});

try {
  const page = await browsers.open({ ...scope, url });
  const status = await browsers.status(scope);
  console.log(JSON.stringify({ ...status, targetId: page.targetId }));
  for await (const _line of createInterface({ input: process.stdin })) break;
} catch (error) {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
} finally {
  await browsers.close();
}
