// What of Chromium is turned off by name. Of several such arguments the last counts, so there is one, with
// all that Playwright turns off too.

const ARGUMENT = "--disable-features=";
/** A test holds these to what Playwright itself gives. */
const BY_PLAYWRIGHT = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
  "msEdgeUpdateLaunchServicesPreferredVersion",
  "msForceBrowserSignIn",
];
/**
 * Pages that make up the list below the address bar. Every window loads them in a process of its own,
 * which takes half of the time of a start; the list is drawn without them.
 */
const BY_US = ["WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup"];

/** With those that the operator turns off. */
export function toFeaturesArgument(extraArgs: readonly string[]): string {
  const byOperator = extraArgs
    .filter(isFeaturesArgument)
    .flatMap((argument) => argument.slice(ARGUMENT.length).split(","));
  return `${ARGUMENT}${[...new Set([...BY_PLAYWRIGHT, ...BY_US, ...byOperator])].join()}`;
}

export function isFeaturesArgument(argument: string): boolean {
  return argument.startsWith(ARGUMENT);
}
