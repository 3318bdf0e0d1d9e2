// How a page of this machine is reached from the command line, for whoever was refused one.

import { readText } from "../../lib/read-field.js";
import type { CommandCall } from "../command-call.js";
import { inOwnWords } from "../own-command/own-command.js";

/** Refusals of the hosts that the flag allows. */
const LOCAL = /^"(?:localhost|127\.0\.0\.1|\[?::1\]?)\.?" /;
const ADD_FLAG = "For a page of this machine add --allow-local.";
const OPEN_AGAIN =
  "For a page of this machine end the browser with `clawtools browser stop`, then open it with --allow-local.";

/** On stderr; `isFromDaemon`: by the browser that another command keeps open, whose flags count. */
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
  // Of a browser that is kept open only the flags count that it was opened with.
  if (!isLocal || (switches.has("allow-local") && !isFromDaemon)) return;
  output.warn(isFromDaemon ? inOwnWords(OPEN_AGAIN, ownCommand) : ADD_FLAG);
}
