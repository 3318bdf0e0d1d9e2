// `--allow-local`: pages of this machine may be opened, and the hint for a refused one.

import { readText } from "../../../lib/read-field.js";
import type { ToolkitOptions } from "../../../toolkit/index.js";
import type { CommandCall } from "../../command.js";
import { inOwnWords } from "../../own-command.js";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "::1"] as const;

const LOCAL = /^"(?:localhost|127\.0\.0\.1|\[?::1\]?)\.?" /;
const ADD_FLAG = "To open a page of this machine, add --allow-local.";
const OPEN_AGAIN =
  "To open a page of this machine, run `clawtools browser stop`, then open it with --allow-local.";

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

export function hintLocal(
  { output, switches, ownCommand }: Pick<CommandCall, "output" | "switches" | "ownCommand">,
  {
    details,
    isFromDaemon = false,
  }: { readonly details: unknown; readonly isFromDaemon?: boolean | undefined },
): void {
  const isLocal =
    readText(details, "reason") === "address_refused" &&
    LOCAL.test(readText(details, "error") ?? "");
  // For a browser that is already open, the flags it was opened with count.
  if (!isLocal || (switches.has("allow-local") && !isFromDaemon)) return;
  output.warn(isFromDaemon ? inOwnWords(OPEN_AGAIN, ownCommand) : ADD_FLAG);
}
