// What a token must be to be taken, and how one is made.

import { randomBytes } from "node:crypto";
import { ToolInputError } from "../../../core/index.js";

const TOKEN_BYTES = 32;
export const MIN_TOKEN_CHARS = 16;

export function isHttpToken(token: string): boolean {
  return token.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(token);
}

/** Throws a ToolInputError. */
export function readToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(TOKEN_BYTES).toString("base64url");
  if (typeof given === "string" && isHttpToken(given)) return given;
  throw new ToolInputError(
    `serveMcp: http.token must have at least ${MIN_TOKEN_CHARS} characters, all visible ASCII.`,
    { reason: "options_invalid" },
  );
}
