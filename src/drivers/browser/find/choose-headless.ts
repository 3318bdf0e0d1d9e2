// Whether the browser has a window: as configured, else when there is a screen to show it on.

export interface ScreenWorld {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function chooseHeadless(
  configured: boolean | undefined,
  world: ScreenWorld = thisWorld(),
): boolean {
  return configured ?? !hasScreen(world);
}

/** Why a browser with a window cannot start here, and what to do; undefined when it can. */
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
