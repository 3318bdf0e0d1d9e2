// The browsers of one toolkit: profiles in its state folder, files in its root.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { ToolkitPorts } from "../bind-ports.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import { createLazyBrowsers, type LazyBrowsers } from "./lazy-browsers.js";

export interface ToolkitBrowsersSource {
  readonly options: Pick<ToolkitOptions, "root">;
  readonly config: ClawtoolsConfig;
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system">;
}

export function createToolkitBrowsers({
  options,
  config,
  ports,
}: ToolkitBrowsersSource): LazyBrowsers {
  return createLazyBrowsers(async () => {
    const { openBrowsers } = await import("./open-browsers.js");
    const { stateDir, system } = ports;
    return openBrowsers({ root: options.root, config, stateDir, system });
  });
}
