// The browser port before anything is loaded: the first call loads the driver. Nothing is started by
// loading it.

import type { BrowserStatus, Browsers } from "../../core/browser.js";
import { createLazyPort } from "../lazy-port.js";

/** May throw a ToolError: a config that cannot be used. */
export type OpenBrowsers = () => Promise<Browsers>;

export interface LazyBrowsers extends Browsers {
  /** As it was last read, by whoever asked. */
  knownStatus(): BrowserStatus | undefined;
}

export function createLazyBrowsers(open: OpenBrowsers): LazyBrowsers {
  const { load, close } = createLazyPort(open);
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
