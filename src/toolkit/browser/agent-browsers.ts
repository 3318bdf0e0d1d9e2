// The browsers of this machine without a toolkit around them, for whoever looks at them.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { Browsers } from "../../core/browser.js";
import { createSystemPorts } from "../system-ports.js";
import { createToolkitBrowsers } from "./toolkit-browsers.js";

export interface AgentBrowsersSource {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  /** Absolute. */
  readonly stateDir: string;
}

export function createAgentBrowsers({ root, config, stateDir }: AgentBrowsersSource): Browsers {
  const ports = { stateDir, system: createSystemPorts() };
  return createToolkitBrowsers({ options: { root }, config, ports });
}
