// The section `undo` of the configuration, as the history takes it. What is left out keeps the
// history's own default.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { HistoryLimits } from "../../drivers/history/index.js";

const HOUR_MS = 60 * 60_000;

export interface UndoSettings {
  readonly isEnabled: boolean;
  /** A change whose old content cannot be kept is refused. */
  readonly isRequired: boolean;
  readonly limits: Partial<HistoryLimits>;
}

export function readUndoSettings({ undo = {} }: ClawtoolsConfig): UndoSettings {
  const { enabled = true, required = false, maxBytes, maxAgeHours } = undo;
  return {
    isEnabled: enabled,
    isRequired: required,
    limits: {
      ...(maxBytes === undefined ? {} : { maxTotalBytes: maxBytes }),
      ...(maxAgeHours === undefined ? {} : { maxAgeMs: maxAgeHours * HOUR_MS }),
    },
  };
}
