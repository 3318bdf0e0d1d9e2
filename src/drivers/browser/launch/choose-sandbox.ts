// Whether Chromium's own sandbox can be on, and whether the browser has a window.

import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const ROOT_USER = 0;
const SET_USER_ID = 0o4000;
const MAX_TRIAL_MS = 2_000;
const NAMESPACE_SWITCHES = [
  "/proc/sys/user/max_user_namespaces",
  "/proc/sys/kernel/unprivileged_userns_clone",
];

type NoSandboxReason = "root" | "config" | "no user namespaces";

export interface SandboxWorld {
  readonly platform: NodeJS.Platform;
  readonly userId: number | undefined;
  readText(path: string): Promise<string | undefined>;
  readMode(path: string): Promise<{ readonly mode: number; readonly userId: number } | undefined>;
  tryNamespace(): Promise<boolean | undefined>;
}

export async function chooseNoSandbox(
  { path, noSandbox }: { readonly path: string; readonly noSandbox: boolean },
  world: SandboxWorld = thisSystem(),
): Promise<NoSandboxReason | undefined> {
  if (noSandbox) return "config";
  if (world.platform !== "linux") return undefined;
  if (world.userId === ROOT_USER) return "root";
  // A setuid helper owned by root needs no user namespace.
  const helper = await world.readMode(join(dirname(path), "chrome-sandbox"));
  if (helper !== undefined && helper.userId === ROOT_USER && (helper.mode & SET_USER_ID) !== 0) {
    return undefined;
  }
  for (const name of NAMESPACE_SWITCHES) {
    if ((await world.readText(name))?.trim() === "0") return "no user namespaces";
  }
  return (await world.tryNamespace()) === false ? "no user namespaces" : undefined;
}

function thisSystem(): SandboxWorld {
  return {
    platform: process.platform,
    userId: process.getuid?.(),
    readText: (path) => readFile(path, "utf8").catch(() => undefined),
    readMode: (path) =>
      stat(path).then(
        ({ mode, uid }) => ({ mode, userId: uid }),
        () => undefined,
      ),
    tryNamespace,
  };
}

/** A container may refuse namespaces although the switches are on. */
function tryNamespace(): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: MAX_TRIAL_MS, killSignal: "SIGKILL" } as const;
    execFile("/usr/bin/unshare", ["--user", "--map-root-user", "true"], options, (error) => {
      if (error === null) resolve(true);
      else resolve(typeof error.code === "number" ? false : undefined);
    });
  });
}

interface ScreenWorld {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function chooseHeadless(
  configured: boolean | undefined,
  world: ScreenWorld = thisWorld(),
): boolean {
  return configured ?? !hasScreen(world);
}

/** undefined: a browser with a window can start. */
export function findScreenFault(
  headless: boolean,
  world: ScreenWorld = thisWorld(),
): string | undefined {
  if (headless || hasScreen(world)) return undefined;
  return "headless is false, but this machine has no screen: neither DISPLAY nor WAYLAND_DISPLAY is set. Set browser.headless to true, or run under xvfb-run.";
}

function hasScreen({ platform, environment }: ScreenWorld): boolean {
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

function thisWorld(): ScreenWorld {
  return { platform: process.platform, environment: process.env };
}
