// What is wrong or doubtful in the policy part of a config, reported next to the policy itself.

import { type ConfigPath, showPath } from "./config/path.js";

export type PolicyWarningCode =
  /** A value of the wrong kind; its layer lets nothing pass. */
  | "malformed"
  /** Within two letters of a known name; allows nothing, and denies what was probably meant. */
  | "typo"
  | "unknown_name"
  | "unknown_group"
  /** A known name of which no tool is loaded. */
  | "not_loaded"
  | "pattern_unmatched"
  /** An empty text where a name should be. */
  | "blank_entry"
  /** An allow list without entries; it lets nothing pass. */
  | "empty_allow"
  /** An allow list that names no tool at hand and is left out of account. */
  | "allow_ignored"
  /** `allow` next to `alsoAllow`; read as one list. */
  | "allow_conflict"
  /** A name that its bearer can change; such an entry only narrows. */
  | "mutable_sender";

export interface PolicyWarning {
  /** `error`: the config must be fixed, and until then this part fails closed. */
  readonly severity: "warning" | "error";
  readonly code: PolicyWarningCode;
  /** Where in the config: `tools.allow[2]`. */
  readonly path: string;
  /** A sentence for people. */
  readonly message: string;
  /** What was probably meant. */
  readonly nearest?: string;
}

export interface WarningLog {
  add(warning: Omit<PolicyWarning, "path"> & { readonly path: ConfigPath }): void;
  list(): readonly PolicyWarning[];
}

export function createWarningLog(): WarningLog {
  const warnings: PolicyWarning[] = [];
  return {
    add: ({ path, ...rest }) => {
      warnings.push(Object.freeze({ ...rest, path: showPath(path) }));
    },
    list: () => Object.freeze([...warnings]),
  };
}
