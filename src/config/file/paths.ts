// Where the config and the state of this user lie. Nothing is read here but the values passed in.

import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { ToolError, ToolInputError } from "../../core/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { toPrintable } from "../../lib/printable.js";

const CONFIG_FILE = "clawtools.json";
const STATE_FOLDER = ".clawtools";
/** In the state folder: the secret that the gateway makes when the config has none. */
export const GATEWAY_TOKEN_FILE = "gateway-token";
const CONFIG_VARIABLE = "CLAWTOOLS_CONFIG_PATH";
const STATE_VARIABLE = "CLAWTOOLS_STATE_DIR";

export interface ConfigPlace {
  readonly path?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string | undefined;
  readonly cwd: string;
}

export interface FoundConfigPath {
  readonly path: string;
  readonly named: boolean;
}

/** `path`, else `CLAWTOOLS_CONFIG_PATH`, else `clawtools.json` in the state folder. */
export function configPath(place: ConfigPlace): string {
  return findConfigPath(place)?.path ?? fail(CONFIG_VARIABLE);
}

/** `CLAWTOOLS_STATE_DIR`, else `~/.clawtools`. */
export function stateDir(place: ConfigPlace): string {
  return findStateDir(place) ?? fail(STATE_VARIABLE);
}

export function findConfigPath(place: ConfigPlace): FoundConfigPath | undefined {
  const given = filled(place.path) ?? readVariable(place, CONFIG_VARIABLE);
  if (given !== undefined) return { path: toAbsolute(given, place), named: true };
  const folder = findStateDir(place);
  return folder === undefined ? undefined : { path: join(folder, CONFIG_FILE), named: false };
}

function findStateDir(place: ConfigPlace): string | undefined {
  const given = readVariable(place, STATE_VARIABLE);
  if (given !== undefined) return toAbsolute(given, place);
  const home = readHome(place);
  return home === undefined ? undefined : join(home, STATE_FOLDER);
}

/** A relative one would mean another folder wherever a program is started. */
function readHome({ homeDir }: Pick<ConfigPlace, "homeDir">): string | undefined {
  const home = filled(homeDir);
  if (home === undefined || isAbsolute(home)) return home;
  throw new ToolInputError(
    `The home folder "${toPrintable(home, 80)}" is not an absolute path; set HOME to one.`,
    { reason: "home_relative" },
  );
}

function readVariable({ env }: ConfigPlace, name: string): string | undefined {
  return Object.hasOwn(env, name) ? filled(env[name]) : undefined;
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

export function toAbsolute(
  path: string,
  { homeDir, cwd }: Pick<ConfigPlace, "homeDir" | "cwd">,
): string {
  if (isAbsolute(path)) return resolve(path);
  const inHome = /^~(?:[/\\](.*))?$/s.exec(path);
  if (inHome === null) return resolve(cwd, path);
  return join(readHome({ homeDir }) ?? fail(CONFIG_VARIABLE), inHome[1] ?? "");
}

function fail(variable: string): never {
  throw new ToolError(
    "unavailable",
    `The home folder is unknown; set ${variable} to an absolute path.`,
    { reason: "no_home_folder" },
  );
}

export type ReadBytes =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly why: string };

export async function readBytes(path: string, maxBytes: number): Promise<ReadBytes> {
  try {
    // Without O_NONBLOCK a named pipe would hold the open until someone writes to it.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return { kind: "unusable", why: "is not a regular file" };
      if (facts.size > maxBytes)
        return { kind: "unusable", why: `has more than ${maxBytes} bytes` };
      return { kind: "bytes", bytes: await handle.readFile() };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return explain(error, path);
  }
}

export async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** A link that leads nowhere is there, and is not a missing file. */
async function explain(error: unknown, path: string): Promise<ReadBytes> {
  const code = errnoOf(error) || "unknown error";
  if (!isMissing(error)) return { kind: "unusable", why: `cannot be read (${code})` };
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return isThere ? { kind: "unusable", why: "is a link that leads nowhere" } : { kind: "missing" };
}
