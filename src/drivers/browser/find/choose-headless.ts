// Whether the browser has a window: as configured, else when there is a screen to show it on.

export interface ScreenWorld {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function chooseHeadless(
  configured: boolean | undefined,
  { platform, environment }: ScreenWorld = {
    platform: process.platform,
    environment: process.env,
  },
): boolean {
  if (configured !== undefined) return configured;
  if (platform === "darwin" || platform === "win32") return false;
  return !environment.DISPLAY && !environment.WAYLAND_DISPLAY;
}
