// The browser: its program, what drives it, and what stands in the way of starting it.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { BrowserFinding } from "../../core/browser.js";
import { isToolError } from "../../core/index.js";
import { createAgentBrowsers } from "../../toolkit/index.js";
import type { Finding } from "./finding.js";

/** Told only when they are not good. */
const QUIET = ["window", "profile", "holder", "network policy", "sandbox"];
/** Nothing is in the way of a start; the same as the doctor of the browser says. */
const NOTES: readonly string[] = ["sandbox", "network policy"];
const MENDS: Readonly<Record<string, string>> = {
  browser: "sudo apt-get install chromium",
  driver: "npm install playwright-core",
  arguments: "clawtools config get browser.extraArgs",
  port: "clawtools config set browser.port false",
};

export async function checkBrowser(source: {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly stateDir: string;
}): Promise<Finding[]> {
  if (source.config.browser?.enabled === false) {
    const what = "Chromium is not looked for: `browser.enabled` is false.";
    return [{ area: "programs", level: "note", what }];
  }
  const browsers = createAgentBrowsers(source);
  try {
    const findings = await browsers.doctor({ signal: new AbortController().signal });
    return findings.filter(({ name, isGood }) => !isGood || !QUIET.includes(name)).map(toFinding);
  } catch (error) {
    // A setting that cannot be meant so: everything else is still looked at.
    if (!isToolError(error)) throw error;
    const mend = "clawtools config validate";
    return [{ area: "programs", level: "warning", what: `\`browser\`: ${error.message}`, mend }];
  } finally {
    await browsers.close();
  }
}

function toFinding({ name, isGood, text }: BrowserFinding): Finding {
  const mend = isGood ? undefined : MENDS[name];
  const level = isGood ? "ok" : NOTES.includes(name) ? "note" : "warning";
  const what = name === "browser" ? `Chromium, for \`browser\`: ${text}` : `\`browser\`: ${text}`;
  return { area: "programs", level, what, ...(mend === undefined ? {} : { mend }) };
}
