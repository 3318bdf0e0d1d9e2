// The browser port before its driver is loaded: the first call loads it, and starts no browser.
import type { BrowserStatus, Browsers } from "../../core/browser.js";
import type { BrowsersSource } from "./open-browsers.js";
import { createLazyPort, createSystemPorts } from "./ports.js";

export type AgentBrowsersSource = Omit<BrowsersSource, "system">;

interface LazyBrowsers extends Browsers {
  knownStatus(): BrowserStatus | undefined;
}

/** `readSource` may throw a ToolError: a config that cannot be used. */
export function createLazyBrowsers(
  readSource: () => BrowsersSource | Promise<BrowsersSource>,
): LazyBrowsers {
  const { load, close } = createLazyPort(async () => {
    const source = await readSource();
    const { openBrowsers } = await import("./open-browsers.js");
    return openBrowsers(source);
  });
  let known: BrowserStatus | undefined;

  async function note(reading: Promise<BrowserStatus>): Promise<BrowserStatus> {
    known = await reading;
    return known;
  }

  return {
    knownStatus: () => known,
    status: async (scope) => note((await load()).status(scope)),
    start: async (scope) => note((await load()).start(scope)),
    stop: async (scope) => note((await load()).stop(scope)),
    profiles: async (scope) => (await load()).profiles(scope),
    createProfile: async (request) => (await load()).createProfile(request),
    deleteProfile: async (request) => (await load()).deleteProfile(request),
    resetProfile: async (scope) => (await load()).resetProfile(scope),
    tabs: async (scope) => (await load()).tabs(scope),
    open: async (request) => (await load()).open(request),
    page: async (request) => (await load()).page(request),
    focus: async (request) => (await load()).focus(request),
    closeTab: async (request) => (await load()).closeTab(request),
    doctor: async (scope) => (await load()).doctor(scope),
    close,
  };
}

export function createAgentBrowsers(source: AgentBrowsersSource): Browsers {
  return createLazyBrowsers(() => ({ ...source, system: createSystemPorts() }));
}

const TOOL = "browser";
const UNKNOWN = "The browser was not looked up yet. Action status looks it up without starting it.";

export function factsOfBrowser(
  id: string,
  known: () => BrowserStatus | undefined,
): readonly string[] | undefined {
  return id === TOOL ? describe(known()) : undefined;
}

function describe(status: BrowserStatus | undefined): readonly string[] {
  if (status === undefined) return [UNKNOWN];
  const { detectError, executablePath, cdpUrl, version, headless, noSandboxReason } = status;
  if (detectError !== undefined) return [detectError];
  const which = cdpUrl ?? executablePath ?? "a browser that runs already";
  return [
    `Profile "${status.profile}" uses ${which}${version === undefined ? "" : `, version ${version}`}${headless ? ", without a window" : ""}.`,
    ...(noSandboxReason === undefined
      ? []
      : [`Chromium's own sandbox is off (${noSandboxReason}).`]),
    status.policy === "enforced"
      ? "Pages reach the network only through the filter of browser.ssrfPolicy."
      : "browser.ssrfPolicy is only advice in this browser.",
  ];
}
