// What of Chromium is turned off and on by name. Of several such arguments the last counts, so there is
// one of each, with all that Playwright names too.

const KINDS = ["--disable-features", "--enable-features"] as const;
type Kind = (typeof KINDS)[number];

/** A test holds these to what Playwright itself gives. */
const BY_PLAYWRIGHT: Readonly<Record<Kind, readonly string[]>> = {
  "--disable-features": [
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
  ],
  "--enable-features": ["CDPScreenshotNewSurface", "SkipListAccountsWithoutGaiaCookies"],
};
const BY_US: Readonly<Record<Kind, readonly string[]>> = {
  /**
   * What tells the maker of the browser about the forms of a page. And pages that make up the list below
   * the address bar: every window loads them in a process of its own, which takes more processor time
   * than the page itself; the list is drawn without them.
   */
  "--disable-features": [
    "AutofillServerCommunication",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
  ],
  "--enable-features": [],
};

/** With those that the operator names. */
export function toFeatureArguments(extraArgs: readonly string[]): string[] {
  return KINDS.map((kind) => {
    const byOperator = extraArgs
      .filter((argument) => kindOf(argument) === kind)
      .flatMap((argument) => argument.slice(kind.length + 1).split(","))
      .filter((name) => name !== "");
    const names = new Set([...BY_PLAYWRIGHT[kind], ...BY_US[kind], ...byOperator]);
    return `${kind}=${[...names].join()}`;
  });
}

export function isFeatureArgument(argument: string): boolean {
  return kindOf(argument) !== undefined;
}

function kindOf(argument: string): Kind | undefined {
  const [name] = argument.split("=");
  return KINDS.find((kind) => kind === name);
}
