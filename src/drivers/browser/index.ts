// The door of the browser driver.

export { createBrowsers } from "./create-browsers.js";
export {
  type BrowserPorts,
  type BrowserSettings,
  DEFAULT_IDLE_MINUTES,
  DEFAULT_MAX_TABS,
  DEFAULT_PROFILE,
  DEFAULT_REMOTE_TIMEOUT_MS,
  type FileRoots,
  MIN_HANDSHAKE_TIMEOUT_MS,
  type ProfileChoice,
} from "./settings.js";
