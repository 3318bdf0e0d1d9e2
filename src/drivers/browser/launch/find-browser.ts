// Finds the browser program: the configured one, else the first that is installed.

import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, posix, win32 } from "node:path";
import { ToolError } from "../../../core/index.js";
import { isBelow } from "../../../lib/paths.js";
import { wordSet } from "../../../lib/word-set.js";

const INSTALL =
  "install one (Debian and Ubuntu: `sudo apt-get install chromium`) or set browser.executablePath to the program of a Chromium, Chrome, Brave or Edge";
const NAMES = [
  ...wordSet("chromium chromium-browser google-chrome google-chrome-stable chrome brave-browser"),
  ...wordSet("brave microsoft-edge microsoft-edge-stable"),
];
const LINUX_PLACES = [
  "/usr/lib/chromium/chromium",
  "/usr/lib/chromium-browser/chromium-browser",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/opt/google/chrome/chrome",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/brave.com/brave/brave",
  "/usr/bin/brave-browser",
  "/opt/microsoft/msedge/msedge",
  "/usr/bin/microsoft-edge",
  "/snap/bin/chromium",
];
const MAC_APPLICATIONS = [
  "Google Chrome",
  "Brave Browser",
  "Microsoft Edge",
  "Chromium",
  "Google Chrome Canary",
];
const WINDOWS_PROGRAMS = [
  "Google\\Chrome\\Application\\chrome.exe",
  "BraveSoftware\\Brave-Browser\\Application\\brave.exe",
  "Microsoft\\Edge\\Application\\msedge.exe",
  "Chromium\\Application\\chrome.exe",
];

/** Throws `unavailable` / `browser_missing`. */
export async function findBrowser(
  configured: string | undefined,
  given: Partial<SearchPlace> = {},
): Promise<string> {
  const place = { ...thisMachine(), ...given };
  if (configured !== undefined) {
    if (!isAbsolute(configured) || (await isWritten(configured, place))) throw refused(configured);
    if (await isProgram(configured)) return configured;
    throw missing(`browser.executablePath "${configured}" is not an executable file; ${INSTALL}.`);
  }
  for (const path of listBrowserPlaces(place)) {
    if ((await isWritten(path, place)) || !(await isProgram(path))) continue;
    return path;
  }
  throw missing(`No Chromium was found on this machine; ${INSTALL}.`);
}

function thisMachine(): SearchPlace {
  return { platform: process.platform, environment: process.env, home: homedir() };
}

/** A root that is the whole machine excludes nothing. */
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
    // Missing, or not executable for this user.
    return false;
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

interface SearchPlace {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
  /** Tools can write here, so nothing in it is run. */
  readonly root?: string | undefined;
}

export function listBrowserPlaces(place: SearchPlace): readonly string[] {
  if (place.platform === "darwin") return [...listMacPlaces(place), ...listOnPath(place)];
  if (place.platform === "win32") return listWindowsPlaces(place);
  return [...(place.platform === "linux" ? LINUX_PLACES : []), ...listOnPath(place)];
}

function listMacPlaces({ home }: SearchPlace): string[] {
  const folders = ["/Applications", ...(home === undefined ? [] : [join(home, "Applications")])];
  return MAC_APPLICATIONS.flatMap((name) =>
    folders.map((folder) => posix.join(folder, `${name}.app`, "Contents/MacOS", name)),
  );
}

function listWindowsPlaces({ environment }: SearchPlace): string[] {
  const { LOCALAPPDATA, ProgramFiles } = environment;
  const folders = [ProgramFiles, environment["ProgramFiles(x86)"], LOCALAPPDATA].flatMap(
    (folder) => folder ?? [],
  );
  return WINDOWS_PROGRAMS.flatMap((program) =>
    folders.map((folder) => win32.join(folder, program)),
  );
}

function listOnPath({ environment }: SearchPlace): string[] {
  const folders = (environment.PATH ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return NAMES.flatMap((name) => folders.map((folder) => posix.join(folder, name)));
}
