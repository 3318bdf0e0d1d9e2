// The door of the browser driver.

export { createBrowsers } from "./create-browsers.js";
export {
  type BrowserPorts,
  type BrowserSettings,
  DEFAULT_DOWNLOAD_MB,
  DEFAULT_IDLE_MINUTES,
  DEFAULT_MAX_TABS,
  DEFAULT_PROFILE,
  DEFAULT_REMOTE_TIMEOUT_MS,
  DEFAULT_TAB_DOWNLOAD_MB,
  MIN_HANDSHAKE_TIMEOUT_MS,
  type ProfileChoice,
} from "./settings.js";
