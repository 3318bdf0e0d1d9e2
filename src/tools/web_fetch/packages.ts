// What is said when an optional package is not installed.

import { ToolError } from "../../core/index.js";

/** For `catch` behind an import: throws an error that names what to install. */
export function unavailable(name: string): (cause: unknown) => never {
  return (cause) => {
    throw new ToolError(
      "unavailable",
      `web_fetch needs the optional package ${name}; install it with npm install ${name}.`,
      { reason: "package_missing", cause },
    );
  };
}
