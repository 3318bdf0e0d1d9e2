// The secret that all operators of a gateway share: from the options, the config, or a file of the
// state folder that is made at the first start.

import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClawtoolsConfig, GATEWAY_TOKEN_FILE } from "../../config/index.js";
import { ToolError, ToolInputError } from "../../core/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { makeFolder } from "../../lib/make-folder.js";

/** In the state folder; the command line reads it there. */
const TOKEN_BYTES = 32;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const MIN_TOKEN_CHARS = 16;
const MIN_PASSWORD_CHARS = 8;

export type AuthMode = "token" | "password" | "trusted-proxy" | "none";

export interface SharedSecret {
  readonly mode: AuthMode;
  /** "" when the mode has none. */
  readonly secret: string;
  /** Where it came from, for people. */
  readonly from: string;
}

export interface SecretRequest {
  readonly config: ClawtoolsConfig;
  readonly stateDir: string;
  /** Wins over the config. */
  readonly token?: string | undefined;
}

/** Of guesses: one address, one kind of secret. */
export function lockKeyOf({ mode }: SharedSecret, address: string): string {
  return `${address} ${mode === "password" ? "password" : "token"}`;
}

/** Throws a ToolInputError for a secret that is too short to protect anything. */
export async function readSharedSecret(request: SecretRequest): Promise<SharedSecret> {
  const { config, stateDir, token } = request;
  const { auth = {} } = config.gateway ?? {};
  const mode = auth.mode ?? (auth.password === undefined ? "token" : "password");
  if (mode === "none") return { mode, secret: "", from: "gateway.auth.mode" };
  if (mode === "password") {
    const secret = auth.password ?? "";
    assertLength("gateway.auth.password", secret, MIN_PASSWORD_CHARS);
    return { mode, secret, from: "gateway.auth.password" };
  }
  const given = token ?? auth.token;
  if (given === undefined) {
    return { mode, secret: await readOrMake(stateDir), from: join(stateDir, GATEWAY_TOKEN_FILE) };
  }
  const from = token === undefined ? "gateway.auth.token" : "the given token";
  assertLength(from, given, MIN_TOKEN_CHARS);
  return { mode, secret: given, from };
}

function assertLength(name: string, secret: string, minChars: number): void {
  if (secret.length >= minChars) return;
  throw new ToolInputError(`${name} is too short: use at least ${minChars} characters.`, {
    reason: "secret_too_short",
  });
}

async function readOrMake(stateDir: string): Promise<string> {
  const file = join(stateDir, GATEWAY_TOKEN_FILE);
  const read = async () => (await readFile(file, "utf8")).trim();
  try {
    const found = await read().catch((error: unknown) => {
      if (isMissing(error)) return "";
      throw error;
    });
    if (found.length >= MIN_TOKEN_CHARS) return found;
    await makeFolder(stateDir, FOLDER_MODE);
    const made = randomBytes(TOKEN_BYTES).toString("base64url");
    await writeFile(file, `${made}\n`, { mode: FILE_MODE, flag: found === "" ? "wx" : "w" });
    return made;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return await read();
    throw new ToolError(
      "unavailable",
      `Cannot keep the gateway token in "${file}" (${errnoOf(error)}). Make the state folder writable or choose another with --state-dir.`,
      { reason: "state_unwritable", cause: error },
    );
  }
}
