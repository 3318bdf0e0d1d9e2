// The token of a server over HTTP, where the environment has one.

import { isHttpToken, MIN_TOKEN_CHARS } from "../../mcp/server/index.js";
import type { CommandCall } from "../command-call.js";
import { UsageError } from "../failure.js";

const TOKEN_VARIABLE = "CLAWTOOLS_MCP_TOKEN";

/** Throws a UsageError. */
export function readToken({ place }: Pick<CommandCall, "place">): string | undefined {
  const token = place.env[TOKEN_VARIABLE];
  if (token === undefined || isHttpToken(token)) return token;
  throw new UsageError(
    `The environment variable ${TOKEN_VARIABLE} must have at least ${MIN_TOKEN_CHARS} characters, all visible ASCII; unset it to have a token made.`,
  );
}
