// The browser port before anything is loaded: the first call loads the driver. Nothing is started by
// loading it.

import type { Browsers } from "../../core/index.js";
import { createLazyPort } from "../lazy-port.js";

/** May throw a ToolError: a config that cannot be used. */
export type OpenBrowsers = () => Promise<Browsers>;

export function createLazyBrowsers(open: OpenBrowsers): Browsers {
  const { load, close } = createLazyPort(open);
  return {
    status: async (scope) => (await load()).status(scope),
    start: async (scope) => (await load()).start(scope),
    stop: async (scope) => (await load()).stop(scope),
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
