// Why a toolkit has no past to speak of.

import { ToolError, ToolInputError } from "../../core/index.js";

export function noPlace(): ToolError {
  return new ToolError(
    "unavailable",
    "State cannot be stored: this user has no home folder. Set stateDir.",
    { reason: "no_home_folder" },
  );
}

export function stateOff(): ToolError {
  return new ToolError(
    "unavailable",
    "Nothing outlives this toolkit, because it was made with stateDir: false; leave that out.",
    { reason: "state_off" },
  );
}

export function undoDisabled(): ToolError {
  return new ToolError(
    "unavailable",
    "Nothing is kept for undo: the config says undo.enabled: false; set it to true for later calls.",
    { reason: "undo_disabled" },
  );
}

export function noBridge(): ToolError {
  return new ToolError(
    "unavailable",
    "Files cannot be restored: this toolkit has no file bridge.",
    {
      reason: "missing_context",
    },
  );
}

export function toolkitClosed(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}

export function wrongOptions(message: string): ToolError {
  return new ToolInputError(message, { reason: "options_invalid" });
}
