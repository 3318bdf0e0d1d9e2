// Arguments and variables for a managed browser. Network flags come from policy/.

import { wordSet } from "../../../lib/word-set.js";

const KINDS = ["--disable-features", "--enable-features"] as const;

/** Playwright's own list; a test compares them. */
const BY_PLAYWRIGHT: Readonly<Record<Kind, ReadonlySet<string>>> = {
  "--disable-features": wordSet(
    "AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch TcpPortRandomizationWin ThirdPartyStoragePartitioning msEdgeUpdateLaunchServicesPreferredVersion msForceBrowserSignIn",
  ),
  "--enable-features": wordSet("CDPScreenshotNewSurface SkipListAccountsWithoutGaiaCookies"),
};

/** No form data to the vendor, and no address-bar pages, which cost CPU. */
const DISABLED_BY_US = wordSet(
  "AutofillServerCommunication WebUIOmniboxAimPopup WebUIOmniboxFullPopup WebUIOmniboxPopup",
);

const FIXED = [
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-sync",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-session-crashed-bubble",
  "--hide-crash-restore-bubble",
  "--password-store=basic",
  // Scrolling must end before the answer reports it.
  "--disable-smooth-scrolling",
];

/** They would undo what keeps the browser safe. */
const REFUSED = wordSet(
  "--remote-debugging-port --remote-debugging-address --remote-debugging-pipe --remote-allow-origins --user-data-dir --proxy-server --proxy-bypass-list --proxy-pac-url --proxy-auto-detect --no-proxy-server --host-resolver-rules --disable-web-security --allow-file-access-from-files --no-sandbox --webrtc-ip-handling-policy --force-webrtc-ip-handling-policy --enable-quic",
);

/** The browser must not get keys or proxies from our environment. */
const VARIABLES = wordSet(
  "PATH HOME USER LOGNAME LANG LANGUAGE TZ DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS LD_LIBRARY_PATH SystemRoot windir SystemDrive APPDATA LOCALAPPDATA USERPROFILE ProgramFiles ProgramFiles(x86) ProgramData",
);

const VARIABLE_STARTS = ["LC_", "XDG_", "FONTCONFIG_"];

interface ArgumentSource {
  readonly port: number | undefined;
  readonly netFlags: readonly string[];
  readonly extraArgs: readonly string[];
  readonly headless: boolean;
  readonly platform: NodeJS.Platform;
}

export function toLaunchArguments(source: ArgumentSource): string[] {
  const { port, netFlags, headless, platform } = source;
  const extraArgs = source.extraArgs.map((argument) => argument.trim());
  return [
    ...FIXED,
    ...toFeatureArguments(extraArgs),
    ...(platform === "linux" ? ["--disable-dev-shm-usage"] : []),
    ...(headless ? ["--disable-gpu"] : []),
    ...(port === undefined ? [] : [`--remote-debugging-port=${port}`]),
    // Ours come last: the last of two equal arguments counts.
    ...extraArgs.filter((argument) => !isRefusedArgument(argument) && !kindOf(argument)),
    ...netFlags,
  ];
}

/** `doctor` reports refused arguments. */
export function isRefusedArgument(argument: string): boolean {
  const [name = ""] = argument.trim().split("=");
  return !name.startsWith("--") || REFUSED.has(name.toLowerCase());
}

export function toBrowserEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  temporary: string,
): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isKept(entry[0]),
  );
  return { ...Object.fromEntries(kept), TMPDIR: temporary, TEMP: temporary, TMP: temporary };
}

function isKept(name: string): boolean {
  return VARIABLES.has(name) || VARIABLE_STARTS.some((start) => name.startsWith(start));
}

type Kind = (typeof KINDS)[number];

export function toFeatureArguments(extraArgs: readonly string[]): string[] {
  return KINDS.map((kind) => {
    const byOperator = extraArgs
      .filter((argument) => kindOf(argument) === kind)
      .flatMap((argument) => argument.slice(kind.length + 1).split(","))
      .filter((name) => name !== "");
    const byUs = kind === "--disable-features" ? DISABLED_BY_US : [];
    const names = new Set([...BY_PLAYWRIGHT[kind], ...byUs, ...byOperator]);
    return `${kind}=${[...names].join()}`;
  });
}

function kindOf(argument: string): Kind | undefined {
  const [name] = argument.split("=");
  return KINDS.find((kind) => kind === name);
}
