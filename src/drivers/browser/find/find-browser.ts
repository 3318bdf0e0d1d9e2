// Finds the program of the browser: the one that is configured, else the first that is installed.

import { constants } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { ToolError } from "../../../core/index.js";
import { isBelow } from "../../../lib/is-below.js";
import { listBrowserPlaces, type SearchPlace } from "./browser-places.js";

const SCRIPT_START = "#!";
const INSTALL =
  "install one (Debian and Ubuntu: `sudo apt-get install chromium`) or set browser.executablePath to the program of a Chromium, Chrome, Brave or Edge";

export interface FoundBrowser {
  /** Absolute. */
  readonly path: string;
  readonly from: "config" | "found";
}

/** Throws `unavailable` / `browser_missing` with what to install or set. */
export async function findBrowser(
  configured: string | undefined,
  given: Partial<SearchPlace> = {},
): Promise<FoundBrowser> {
  const place = { ...thisMachine(), ...given };
  if (configured !== undefined) {
    if (!isAbsolute(configured) || (await isWritten(configured, place))) throw refused(configured);
    if (await isProgram(configured)) return { path: configured, from: "config" };
    throw missing(`browser.executablePath "${configured}" is not an executable file; ${INSTALL}.`);
  }
  for (const path of listBrowserPlaces(place)) {
    if ((await isWritten(path, place)) || !(await isProgram(path))) continue;
    return { path: await skipLauncher(path), from: "found" };
  }
  throw missing(`No Chromium was found on this machine; ${INSTALL}.`);
}

function thisMachine(): SearchPlace {
  return { platform: process.platform, environment: process.env, home: homedir() };
}

/** By its name or by what that leads to; with all of the machine as the root nothing else is left. */
async function isWritten(path: string, { root }: Pick<SearchPlace, "root">): Promise<boolean> {
  if (root === undefined || root === dirname(root)) return false;
  const [real, place] = await Promise.all(
    [path, root].map((one) => realpath(one).catch(() => one)),
  );
  return [path, real].some(
    (one) => isBelow(one ?? path, root) || isBelow(one ?? path, place ?? root),
  );
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not for this user: the next place is tried, or it is reported.
    return false;
  }
}

/**
 * Distributions put a script on the PATH that adds arguments of its own, extensions among them; the
 * program is in a folder of that name.
 */
async function skipLauncher(path: string): Promise<string> {
  if (!(await isScript(path))) return path;
  const name = basename(path);
  const program = join(dirname(dirname(path)), "lib", name, name);
  return (await isProgram(program)) ? program : path;
}

async function isScript(path: string): Promise<boolean> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SCRIPT_START.length));
    return buffer.toString("latin1", 0, bytesRead) === SCRIPT_START;
  } finally {
    await file.close();
  }
}

function refused(path: string): ToolError {
  return missing(
    `browser.executablePath "${path}" is not run: it is relative, or in the root, where tools can write it; use the absolute path of a program elsewhere.`,
  );
}

function missing(message: string): ToolError {
  return new ToolError("unavailable", message, {
    reason: "browser_missing",
    details: { missing: "chromium" },
  });
}
