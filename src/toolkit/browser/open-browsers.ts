// Joins the browser driver with the filter that its pages go through. Loaded at the first use.

import { join, resolve } from "node:path";
import type { ClawtoolsConfig } from "../../config/index.js";
import type { Browsers } from "../../core/browser.js";
import { type RunPorts, ToolError } from "../../core/index.js";
import { createBrowsers } from "../../drivers/browser/index.js";
import { createNodeBridge } from "../../drivers/fs/index.js";
import { createFilterProxy, createNet } from "../../drivers/net/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { readBrowserSettings } from "./browser-settings.js";

const DOWNLOADS = "downloads";
const POLICY_KEY = "browser.ssrfPolicy";
const DEFAULT_GATEWAY_PORT = 18_789;
/** The bridge, the control of browsers and the canvas stand next to the gateway. */
const GATEWAY_PORT_COUNT = 5;

export interface BrowsersSource {
  /** Absolute or not; files that pages get and give lie in it. */
  readonly root: string;
  readonly config: ClawtoolsConfig;
  /** Absolute; undefined keeps no profile beyond `close()`. */
  readonly stateDir: string | undefined;
  readonly system: Pick<RunPorts, "clock" | "random">;
}

/** Throws `unavailable` / `browser_disabled` when the configuration says so. */
export function openBrowsers(source: BrowsersSource): Browsers {
  const { config, stateDir, system } = source;
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
  });
}

function openFilter({ browser, tools, gateway }: ClawtoolsConfig) {
  const { ssrfPolicy: policy, allowedOrigins, blockedOrigins } = browser ?? {};
  const { proxy: url, noProxy } = tools?.net ?? {};
  const first = gateway?.port ?? DEFAULT_GATEWAY_PORT;
  return createFilterProxy({
    ...{ policy, policyKey: POLICY_KEY, allowedOrigins, blockedOrigins },
    proxy: { url, noProxy },
    denyPorts: Array.from({ length: GATEWAY_PORT_COUNT }, (_, index) => first + index),
  });
}

function disabled(): ToolError {
  return new ToolError(
    "unavailable",
    "The browser is turned off; set browser.enabled to true to use it.",
    { reason: "browser_disabled" },
  );
}
