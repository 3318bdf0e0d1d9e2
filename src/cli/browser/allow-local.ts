// `--allow-local`: pages of this machine may be opened, as if the config named its hosts.

import type { ToolkitOptions } from "../../toolkit/index.js";
import type { CommandCall } from "../command-call.js";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "::1"] as const;

export function allowLocal(
  { switches }: Pick<CommandCall, "switches">,
  options: ToolkitOptions,
): ToolkitOptions {
  if (!switches.has("allow-local")) return options;
  const { browser = {} } = options.config ?? {};
  const allowed = browser.ssrfPolicy?.allowedHostnames ?? [];
  const allowedHostnames = [...new Set([...allowed, ...LOCAL_HOSTS])];
  const ssrfPolicy = { ...browser.ssrfPolicy, allowedHostnames };
  return { ...options, config: { ...options.config, browser: { ...browser, ssrfPolicy } } };
}
