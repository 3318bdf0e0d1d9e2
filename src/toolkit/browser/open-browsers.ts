// Joins the browser driver with the filter that its pages go through. Loaded at the first use.

import { join, resolve } from "node:path";
import { type ClawtoolsConfig, showKeyPath } from "../../config/index.js";
import type { Browsers } from "../../core/browser.js";
import { type RunPorts, ToolError } from "../../core/index.js";
import { createBrowsers } from "../../drivers/browser/index.js";
import { createNodeBridge } from "../../drivers/fs/index.js";
import { createFilterProxy, createNet } from "../../drivers/net/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { filterSettings } from "../net.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import { readBrowserSettings } from "./browser-settings.js";

const DOWNLOADS = "downloads";
const POLICY_KEY = "browser.ssrfPolicy";

export interface BrowsersSource {
  /** Absolute or not; files that pages get and give lie in it. */
  readonly root: string;
  readonly config: ClawtoolsConfig;
  /** Absolute; undefined keeps no profile beyond `close()`. */
  readonly stateDir: string | undefined;
  readonly system: Pick<RunPorts, "clock" | "random">;
  readonly changeConfig?: ToolkitOptions["changeConfig"];
}

/** Throws `unavailable` / `browser_disabled` when the configuration says so. */
export function openBrowsers(source: BrowsersSource): Browsers {
  const { config, stateDir, system, changeConfig } = source;
  if (config.browser?.enabled === false) throw disabled();
  const root = resolve(source.root);
  return createBrowsers(readBrowserSettings({ config, root, stateDir }), {
    clock: system.clock,
    random: system.random,
    owners: createProcessMarks(),
    files: createNodeBridge(root, { stateDir }),
    roots: { uploads: [root], downloads: [join(root, DOWNLOADS)] },
    // Without a proxy: browsers are asked on their own ports.
    net: createNet(),
    openFilter: () => openFilter(config),
    removeConfigured:
      changeConfig &&
      ((name) => changeConfig(showKeyPath(["browser", "profiles", name]), undefined)),
  });
}

function openFilter(config: ClawtoolsConfig) {
  const { ssrfPolicy: policy, allowedOrigins, blockedOrigins } = config.browser ?? {};
  return createFilterProxy({
    ...{ policy, policyKey: POLICY_KEY, allowedOrigins, blockedOrigins },
    ...filterSettings(config),
  });
}

function disabled(): ToolError {
  return new ToolError(
    "unavailable",
    "The browser is turned off; set browser.enabled to true to use it.",
    { reason: "browser_disabled" },
  );
}
