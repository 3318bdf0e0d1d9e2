// The names of everything that can go wrong with a plugin, and the error that carries one.
// The loader turns each into a row of its answer.

import { type ErrorCode, ToolError } from "../core/index.js";

/** The error code under which each problem is filed. */
export const PROBLEM_CODES = {
  search_path_invalid: "invalid_input",
  search_path_missing: "not_found",
  search_path_unreadable: "failed",
  manifest_unreadable: "failed",
  manifest_too_large: "limit",
  manifest_not_json: "invalid_input",
  manifest_invalid: "invalid_input",
  package_invalid: "invalid_input",
  entry_missing: "not_found",
  entry_outside_folder: "denied",
  entry_needs_newer_node: "unavailable",
  import_failed: "failed",
  no_register: "invalid_input",
  register_failed: "failed",
  register_timeout: "timeout",
  id_duplicate: "conflict",
  id_is_tool_name: "conflict",
  settings_invalid: "invalid_input",
  config_invalid: "invalid_input",
  disabled: "denied",
  not_found: "not_found",
  stopped: "aborted",
  unexpected: "internal",
} as const satisfies Record<string, ErrorCode>;

export type PluginProblem = keyof typeof PROBLEM_CODES;

export interface PluginErrorOptions {
  readonly problem: PluginProblem;
  readonly cause?: unknown;
}

export class PluginError extends ToolError {
  readonly problem: PluginProblem;

  constructor(message: string, options: PluginErrorOptions) {
    super(PROBLEM_CODES[options.problem], message, {
      reason: options.problem,
      cause: options.cause,
    });
    this.name = "PluginError";
    this.problem = options.problem;
  }
}
