// Where browsers of the Chromium family are on each system, the likeliest first.

import { join, posix, win32 } from "node:path";

/** Names on the PATH. */
const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "brave-browser",
  "brave",
  "microsoft-edge",
  "microsoft-edge-stable",
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

export interface SearchPlace {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
  /** Where tools write: what is in it is never run. */
  readonly root?: string | undefined;
}

/** Absolute paths to try, in order. */
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

/** A relative folder of the PATH would mean another program in every working folder. */
function listOnPath({ environment }: SearchPlace): string[] {
  const folders = (environment.PATH ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return NAMES.flatMap((name) => folders.map((folder) => posix.join(folder, name)));
}
